"""What a URL must be before secrets are sent to it."""

from tables import table

from mcpgen.runtime.values.urls import is_secure


@table(
    "url",
    *["https://a.example/x~!", "https://a.example:8443", "http://localhost", "http://[::1]:1/"],
    *["http://127.0.0.1:8080/x", "http://127.255.1.23", "https://[2001:db8::1]/"],
)
def test_secrets_go_by_https_or_to_this_machine(url):
    assert is_secure(url) is True


@table(
    "url",
    *["http://a.example", "http://127.0.0.1.example", "http://1270.0.0.1", "http://128.0.0.1"],
    *["https://", "https:///x", "/x", "", "ftp://localhost", "localhost", "http://xxxx"],
    *["https://a.example\\@b.example", "https://u@a.example"],
    *["https://a.example@b.example", "https://a.example:0"],
    *["https://a.example:99999", "https://a.example:x", "https://[::1", "http://localhost.x"],
    *["https://a.example/ ", "https://a.example/\x7f", "https://a.example/é", "https://é"],
    *["https://{a}.example/t", "https://10.0.0.256/t", "https://[fe80:x]/"],
)
def test_secrets_go_nowhere_else(url):
    assert is_secure(url) is False
