"""The trusted certificates, for servers and for mcpgen when it fetches a document."""

from __future__ import annotations

import ssl

import httpx2

UNKNOWN_ISSUER = (2, 18, 19, 20, 21, -67843, 0x800B0109)
"""OpenSSL's codes for a certificate of nobody who is trusted, and those of macOS and Windows."""


def tls_context(bundle: str | None = None) -> ssl.SSLContext:
    """A TLS context that trusts a bundle, and the system's certificates or `SSL_CERT_FILE`.

    Like Python before 3.13, it does not check strictly (`VERIFY_X509_STRICT`): the CAs of
    companies' proxies often do not mark their constraints as critical. Raises OSError if a file
    cannot be read.
    """
    context = httpx2.create_ssl_context()
    if bundle:
        context.load_verify_locations(cafile=bundle)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context
