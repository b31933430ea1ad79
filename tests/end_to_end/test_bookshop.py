"""`bookshop.yaml`: a shop as many are, called from end to end."""

import json

import pytest

from .servers import of_spec
from .upstream import Answer

shop = of_spec("bookshop.yaml")


@pytest.fixture
def shop_key(shop, monkeypatch):
    monkeypatch.setenv(shop.api.security_schemes["shop_key"].env, "k1")


@pytest.mark.usefixtures("shop_key")
class TestBookshop:
    def test_list(self, shop):
        arguments = {
            "filter": {"language": "en", "condition": "used", "max_price": 900},
            "genre": ["poetry", "travel"],
            "sort": "-price",
            "limit": 5,
            "cursor": "a=b&c",
        }
        page = {"items": [], "next": None}
        call = shop.call("listBooks", arguments, Answer.of(page))
        assert call.request.method == "GET"
        assert call.request.target == (
            "/books?filter%5Blanguage%5D=en&filter%5Bcondition%5D=used&filter%5Bmax_price%5D=900"
            "&genre=poetry&genre=travel&sort=-price&limit=5&cursor=a%3Db%26c"
        )
        assert call.request.header("X-Shop-Key") == "k1"
        assert call.request.header("Accept") == "application/json"
        assert call.request.body == b""
        assert call.data == page

    def test_defaults_are_left_to_the_api(self, shop):
        assert shop.call("listBooks").request.target == "/books"
        assert shop.arguments("listBooks")["limit"]["default"] == 20

    def test_add(self, shop):
        book = {"title": "The Salt Road", "price": 850, "condition": "used", "subtitle": None}
        call = shop.call("addBook", book, Answer.of({**book, "id": 17}, 201))
        assert (call.request.method, call.request.target) == ("POST", "/books")
        assert call.request.json == book
        assert call.data["id"] == 17

    def test_change(self, shop):
        call = shop.call("updateBook", {"book_id": 17, "notify": False, "subtitle": None})
        assert (call.request.method, call.request.target) == ("PATCH", "/books/17?notify=false")
        assert call.request.json == {"subtitle": None}
        assert shop.call("updateBook", {"book_id": 17}).request.json == {}

    def test_an_older_dialect_is_rewritten(self, shop):
        price = shop.arguments("updateBook")["price"]
        assert price["exclusiveMinimum"] == 0
        assert "minimum" not in price
        assert "price" in shop.call("updateBook", {"book_id": 17, "price": 0}).refused
        assert "nullable" not in json.dumps(shop.tools["updateBook"].input_schema)

    def test_order(self, shop):
        arguments = {
            "Idempotency-Key": "k-1",
            "customer": "reader@example.org",
            "lines": [{"book_id": 17, "copies": 2}],
            "message": None,
        }
        request = shop.call("placeOrder", arguments).request
        assert request.header("Idempotency-Key") == "k-1"
        assert request.json == {key: arguments[key] for key in ("customer", "lines", "message")}

    def test_wrong_arguments(self, shop):
        assert "book_id" in shop.call("getBook", {}).refused
        assert "book_id" in shop.call("getBook", {"book_id": "seventeen"}).refused
        assert "bok_id" in shop.call("getBook", {"book_id": 1, "bok_id": 2}).refused


def test_a_missing_key_names_its_variable(shop, monkeypatch):
    variable = shop.api.security_schemes["shop_key"].env
    monkeypatch.delenv(variable, raising=False)
    assert variable in shop.call("getBook", {"book_id": 1}).refused
