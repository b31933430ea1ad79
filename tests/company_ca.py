"""A company's certificate authority, whose constraints are not marked as critical."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW = datetime.now(UTC)
REFUSAL = "Basic Constraints of CA cert not marked critical"


def issue(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """The authority's file, and what a server of 127.0.0.1 shows that it issued a certificate to.

    So are those of Zscaler and Netskope (https://github.com/python/cpython/issues/133564).
    """
    key, own_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    name, own_name = (
        x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, text)])
        for text in ("Company", "Proxy")
    )
    authority = _signed(
        key, name, name, key, x509.BasicConstraints(ca=True, path_length=None), critical=False
    )
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    shown = _signed(key, name, own_name, own_key, here, critical=False)
    pem = serialization.Encoding.PEM
    file, chain = folder / "company.pem", folder / "shown.pem"
    file.write_bytes(authority.public_bytes(pem))
    own = own_key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    chain.write_bytes(own + shown.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return file, context


def _signed(
    by: Any, issuer: x509.Name, subject: x509.Name, key: Any, extension: Any, *, critical: bool
) -> x509.Certificate:
    ids = (
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
        x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()),
    )
    builder = x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=NOW - timedelta(days=1),
        not_valid_after=NOW + timedelta(days=1),
    )
    for each in ids:
        builder = builder.add_extension(each, critical=False)
    return builder.add_extension(extension, critical=critical).sign(by, hashes.SHA256())


@contextmanager
def strict_by_default(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What `ssl.create_default_context` gives from Python 3.13 on, whatever Python runs."""
    make = ssl.create_default_context

    def strict(*args: Any, **named: Any) -> ssl.SSLContext:
        context = make(*args, **named)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return context

    with monkeypatch.context() as patched:
        patched.setattr(ssl, "create_default_context", strict)
        yield
