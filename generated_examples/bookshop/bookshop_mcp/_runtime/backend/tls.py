"""The certificates that are trusted: by servers, and where mcpgen fetches a document."""

from __future__ import annotations

import ssl

import httpx2

_UNKNOWN_ISSUER = (
    *(2, 18, 19, 20, 21),  # X509_V_ERR_..., of OpenSSL
    *(-67843, 0x800B0109 - 2**32),  # errSecNotTrusted of macOS, CERT_E_UNTRUSTEDROOT of Windows
)


def tls_context(bundle: str | None = None) -> ssl.SSLContext:
    """A context that trusts the system's certificates, or `SSL_CERT_FILE`'s, and a bundle's.

    It is not strict, on any Python: from 3.13 on `ssl` would refuse the certificates of many
    companies' proxies, whose CA does not mark its constraints as critical.

    Raises:
        OSError: a file of certificates cannot be read.
    """
    context = httpx2.create_ssl_context()
    if bundle:
        context.load_verify_locations(cafile=bundle)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def is_unknown(problem: ssl.SSLCertVerificationError) -> bool:
    """Whether a certificate is refused since nobody who is trusted issued it."""
    return getattr(problem, "verify_code", 0) in _UNKNOWN_ISSUER
