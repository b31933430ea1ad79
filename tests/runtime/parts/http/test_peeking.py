"""Looking into the body of a request before it is read."""

from starlette.applications import Starlette

from mcpgen.runtime.parts.http.requests import peeked

APP = Starlette()
APP.state.guard = None
SCOPE = {"app": APP}


async def test_bodies_are_looked_into_piece_by_piece_up_to_their_limit():
    # Adding each piece to what came before took half a minute, in which nobody was answered.
    pieces = [
        {"type": "http.request", "body": b"x" * 1024, "more_body": more}
        for more in (*[True] * 8191, False)
    ]
    arriving = iter(pieces)

    async def receive():
        return next(arriving)

    again, body = await peeked(SCOPE, receive, 8 * 1024 * 1024)
    replayed = [await again() for _ in pieces]
    assert body == b"x" * (8192 * 1024)
    assert replayed == pieces
    count = 0

    async def receive():
        nonlocal count
        count += 1
        return {"type": "http.request", "body": b"x" * 10, "more_body": True}

    again, body = await peeked(SCOPE, receive, 25)
    assert (len(body), count) == (30, 3)
    assert [len((await again())["body"]) for _ in range(4)] == [10] * 4
    assert count == 4
