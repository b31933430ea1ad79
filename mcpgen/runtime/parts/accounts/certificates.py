"""Mutual TLS: a client certificate in files, which can be renewed while the server runs."""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...credentials.schemes import Credentials, Scheme, Source
from ...values.errors import ToolError

logger = logging.getLogger(__name__)


class Certificate(NamedTuple):
    """The paths of a client certificate and its key; the key's path is empty if they share a
    file.
    """

    file: str
    key: str

    def contexts(self, make: Callable[[], ssl.SSLContext]) -> Contexts:
        """The TLS contexts for client certificates; `make` creates one without a certificate."""
        return Contexts(make)


@dataclass(frozen=True)
class MutualTls(Scheme):
    """A client certificate: the variables hold paths of PEM files.

    The key's variable may be unset if the certificate's file also contains the key.
    """

    cert_env: str
    key_env: str = ""
    fits_header = False

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """The name of the certificate's variable if it is not set; otherwise an empty list."""
        return [] if environ.get(self.cert_env) else [self.cert_env]

    def unreadable(self, environ: Mapping[str, str]) -> str:
        """Why the files cannot be used; empty if they contain a certificate and its key."""
        certificate = self._paths(environ)
        try:
            if certificate[0]:
                show_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), certificate)
        except OSError:
            names = " and ".join(self.variables if certificate[1] else self.variables[:1])
            return (
                f"{names}: this must be a readable certificate with its key (PEM), the key without "
                "a password"
            )
        return ""

    def sign(self, source: Source) -> Credentials:
        """Credentials that present the certificate."""
        return Credentials(certificate=self._paths(source.environ))

    def _paths(self, environ: Mapping[str, str]) -> Certificate:
        return Certificate(environ.get(self.cert_env, ""), environ.get(self.key_env, ""))


def show_certificate(context: ssl.SSLContext, certificate: tuple[str, str]) -> None:
    """Load a client certificate into a TLS context; raises OSError, even if its key has a password.

    Without `password=""`, OpenSSL would ask for the password and wait on stdin, which carries the
    protocol.
    """
    context.load_cert_chain(certificate[0], certificate[1] or None, password="")


class Contexts:
    """The TLS contexts of a server: one for each client certificate."""

    def __init__(self, make: Callable[[], ssl.SSLContext]) -> None:
        """`make` creates a context that presents no certificate."""
        self._make = make
        self._contexts: dict[tuple[str, str], tuple[ssl.SSLContext, list[int]]] = {}

    def get(self, certificate: tuple[str, str]) -> ssl.SSLContext:
        """The TLS context for a certificate, which is loaded again once both files have changed.

        Raises:
            ToolError: the certificate cannot be read.
        """
        context, before = self._contexts.get(certificate) or (self._make(), [])
        try:
            changed = [os.stat(path).st_mtime_ns for path in certificate if path]
            if changed != before:
                # Tried on another context first: one that it fails on shows no certificate.
                show_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), certificate)
                show_certificate(context, certificate)
                self._contexts[certificate] = context, changed
        except OSError:
            logger.exception("the client certificate cannot be read")
            if not before:
                raise ToolError(
                    "The client certificate set in this server's environment cannot be read, or "
                    "its key has a password. Nothing was sent."
                ) from None
        return context
