"""Documents of hosts whose certificates a company's authority issued."""

import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import company_ca
import pytest
from document_host import DOCUMENT, Api, serving
from documents import load, refusal


@pytest.fixture
def company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path]]:
    """The URL of a document, and the file of the authority."""
    file, shown = company_ca.issue(tmp_path)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    hosts = serving(monkeypatch)
    host: Api = next(hosts)
    host.encrypt(shown)
    host.answer("/openapi.json", DOCUMENT)
    with company_ca.strict_by_default(monkeypatch):
        yield f"{host.url}/openapi.json", file
    next(hosts, None)


def test_the_certificates_of_a_file_are_trusted(company, monkeypatch):
    url, file = company
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    assert load(url).root.location.file == url


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system itself is asked")
def test_the_systems_certificates_are_trusted(company, monkeypatch):
    url, file = company
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    paths = SimpleNamespace(openssl_cafile=str(file), openssl_capath="")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    assert load(url).root.location.file == url


def test_an_unknown_issuer_is_told_with_both_ways_out(company):
    problem = refusal(company[0])
    assert problem.code == "fetch-failed"
    assert "certificate is refused: unable to get local issuer certificate" in problem.message
    assert "Set SSL_CERT_FILE" in problem.hint
    assert "Download the document" in problem.hint


def test_another_fault_of_a_certificate_is_told_with_the_way_that_helps(company, monkeypatch):
    url, file = company
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    problem = refusal(url.replace("127.0.0.1", "localhost"))
    assert "certificate is refused: Hostname mismatch" in problem.message
    assert problem.hint == "Download the document, and name the file."
