"""Asks the prepared process (`prepared.py`) to run a program, and ends as that ends.

Each program that tests start costs this one too, so it imports only what is compiled into Python:
that starts three times as fast.
"""

import _signal as signal
import _socket as socket
import marshal
import os
import sys

PASSED_ON = (signal.SIGINT, signal.SIGTERM)


def main(address: str, arguments: list[str]) -> None:
    """Have it run with the streams, the folder and the environment that are here."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    asked = marshal.dumps((arguments, os.getcwd(), dict(os.environ)))
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)
    connection.sendmsg([len(asked).to_bytes(4, "big")], [rights])
    connection.sendall(asked)
    for number in PASSED_ON:
        signal.signal(number, lambda given, _: connection.send(bytes([given])))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    status = int.from_bytes(connection.recv(4), "big", signed=True)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
