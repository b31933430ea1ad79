"""Tool names: a function of the operation, never of its neighbours' order."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from openapi_reading import OK, read_document

from mcpgen.hashes import with_hash
from mcpgen.readers.openapi.framework_names import Candidate
from mcpgen.readers.openapi.tool_names import assign


def name(operation_id: str = "", key: str = "GET /pets/{id}", chosen: str = "") -> str:
    """The name of an operation alone in its document."""
    return assign([Candidate(key, operation_id, chosen)], {})[key]


@pytest.mark.parametrize(
    ("operation_id", "expected"),
    [
        ("listPets", "listPets"),
        ("list-pets_2", "list-pets_2"),
        ("pets.list", "pets_list"),
        ("pets/list all!", "pets_list_all"),
        ("../../etc/passwd", "etc_passwd"),
        ("_private", "_private"),
        ("ペット", "get_pets_id"),
        ("Straßen-Größe_ändern", "Strassen-Grosse_andern"),
        ("r\u00e9cup\u00e9rerFacture", "recupererFacture"),
        ("re\u0301cupe\u0301rerFacture", "recupererFacture"),
        ("ペット list", "list"),
        ("a\u202eb", "a_b"),
        ("", "get_pets_id"),
    ],
)
def test_names_are_clean(operation_id: str, expected: str) -> None:
    assert name(operation_id) == expected


@pytest.mark.parametrize(
    ("operation_id", "expected"),
    [
        ("get-/pets/{id}_/pets/{id}", "get_pets_id"),
        ("GET /pets/{id}", "get_pets_id"),
        ("pets/{id}", "pets_id"),
        ("c94a92715c0351cba55c1eff9c4649f2", "get_pets_id"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "get_pets_id"),
        ("5f0c3e7a9d1b2c4e6f8a0b1d", "get_pets_id"),
        ("c94a92715c03", "c94a92715c03"),
        ("001", "get_pets_id"),
        ("2-1", "get_pets_id"),
        ("get", "get_pets_id"),
        ("get_1", "get_pets_id"),
        ("getAll", "getAll"),
        ("v1", "v1"),
    ],
)
def test_what_an_operation_id_may_be_beside_a_name(operation_id: str, expected: str) -> None:
    assert name(operation_id) == expected


@pytest.mark.parametrize(
    ("operation_id", "name"), [("get-/pets/{id}", "get-_pets_id"), (24 * "a", 24 * "a")]
)
def test_the_lock_keeps_a_name_that_would_be_none_now(operation_id: str, name: str) -> None:
    known = {"GET /pets/{id}": name}
    assert assign([Candidate("GET /pets/{id}", operation_id)], known) == known
    assert assign([Candidate("GET /", "list/all")], {}) == {"GET /": "list_all"}


def test_dots_only_where_a_person_wrote_them() -> None:
    assert name("a.b", chosen="pets.list") == "pets.list"
    assert name("a.b", chosen="pets list") == "pets_list"


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("GET /", "get_root"),
        ("POST /v1/a-b/{x}.{y}", "post_v1_a-b_x_y"),
        ("DELETE /{a}/{b}?c=d#e", "delete_a_b_c_d_e"),
    ],
)
def test_method_and_path(key: str, expected: str) -> None:
    assert name(key=key) == expected


def test_a_long_name_is_cut_with_a_hash_of_its_own() -> None:
    long = "a" * 100
    found = assign([Candidate("GET /a", long), Candidate("GET /b", long + "b")], {})
    assert all(re.fullmatch(r"a{55}_[0-9a-f]{8}", n) for n in found.values())
    assert len(set(found.values())) == 2


def test_what_fastapi_appends_is_no_part_of_a_name() -> None:
    path = "/v0/company-lists/{list_id}/companies/"
    ids = {
        f"GET {path}": "find_companies_v0_company_lists__list_id__companies__get",
        f"PUT {path}": "add_companies_v0_company_lists__list_id__companies__put",
        "GET /": "root__get",
        "DELETE /lists/{id}": "delete_list_lists__id__get",
        "GET /lists/{id}": "get_lists__id__get",
    }
    candidates = [Candidate(key, operation_id) for key, operation_id in ids.items()]
    expected = {
        f"GET {path}": "find_companies",
        f"PUT {path}": "add_companies",
        "GET /": "root",
        "DELETE /lists/{id}": "delete_list_lists__id__get",
        "GET /lists/{id}": "get_lists__id__get",
    }
    assert assign(candidates, {}) == expected
    assert assign(candidates, ids) == ids


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("add_companies", "add_companies_companies_post"),
        ("add_companies_x_put", "add_companies_companies"),
        ("add_companies_x_get", "add_companies"),
    ],
)
def test_a_function_that_is_not_the_only_one_of_its_name_keeps_its_path(
    other: str, name: str
) -> None:
    own = Candidate("POST /companies", "add_companies_companies_post")
    candidates = [own, Candidate("PUT /x", other)]
    assert assign(candidates, {})[own.key] == name
    known = {own.key: "add_companies"}
    assert assign(candidates, known)[own.key] == "add_companies"


def test_functions_of_one_name_have_the_words_in_which_their_paths_differ() -> None:
    paths = {
        "GET /v1/orders/": "list_orders",
        "GET /v1/customers/{id}/orders": "list_orders_customers",
        "GET /v1/shops/{id}/back-office/orders": "list_orders_shops_back_office",
    }

    def candidate(key: str) -> Candidate:
        method, _, path = key.partition(" ")
        return Candidate(key, re.sub(r"\W", "_", f"list_orders{path}_{method.lower()}"))

    candidates = [candidate(key) for key in paths]
    assert assign(candidates, {}) == paths
    more = [*candidates, candidate("GET /v2/orders")]
    grown = assign(more, paths)
    assert grown == {**paths, "GET /v2/orders": "list_orders_v2"}
    assert assign(candidates, grown) == paths


LITESTAR = {
    "GET /api/orders": ("ApiOrdersListOrders", "ListOrders", "list_orders"),
    "GET /api/orders/{order_id}": ("ApiOrdersOrderIdGetOrder", "GetOrder", "get_order"),
    "DELETE /api/orders/{order_id}": ("dropOrder", "DeleteOrder", "dropOrder"),
    "POST /api/orders/{order_id}/pay_now": (
        *("ApiOrdersOrderIdPayNowPayOrder", "Pay"),
        "pay_order",
    ),
    "GET /": ("Index", "Index", "index"),
    "GET /health": ("HealthHealth", "Health", "health"),
    "POST /api/orders": ("ApiOrdersCreate", "Create", "ApiOrdersCreate"),
}
DJANGO_NINJA = {
    "GET /api/health": ("shop_api_health", "Health", "health"),
    "GET /api/orders/": ("shop_api_list_orders", "List Orders", "list_orders"),
    "GET /api/orders/{order_id}": ("shop_api_get_order", "One order and its note", "get_order"),
    "DELETE /api/orders/{order_id}": ("dropOrder", "Delete Order", "dropOrder"),
    "POST /api/orders/{order_id}/pay": ("shop_api_pay_order", "Pay Order", "pay_order"),
    "POST /api/orders/": ("shop_api_create", "Create", "shop_api_create"),
}
GRPC_GATEWAY = {
    "GET /v1/orders": ("OrderService_ListOrders", "", "ListOrders"),
    "GET /v1/orders/{id}": ("OrderService_GetOrder", "", "GetOrder"),
    "GET /v1/customers/{customer}/orders": ("OrderService_ListOrders2", "", "ListOrders2"),
    "POST /v1/orders": ("OrderService_Create", "", "OrderService_Create"),
    "POST /v1/echo": ("EchoService_Echo", "", "Echo"),
}
"""By method and path: operationId and summary as the framework writes them, and the tool's name."""


@pytest.mark.parametrize("operations", [LITESTAR, DJANGO_NINJA, GRPC_GATEWAY])
def test_what_other_frameworks_add_is_no_part_of_a_name(
    operations: dict[str, tuple[str, str, str]],
) -> None:
    candidates = [
        Candidate(key, name, summary=summary, tags=("orders", name.partition("_")[0]))
        for key, (name, summary, _) in operations.items()
    ]
    assert assign(candidates, {}) == {key: short for key, (*_, short) in operations.items()}
    known = {key: name for key, (name, *_) in operations.items()}
    assert assign(candidates, known) == known


@pytest.mark.parametrize(
    "ids",
    [
        {"GET /pets": "PetsList", "POST /pets": "addPet", "GET /owners": "owners"},
        {"GET /pets": "PetsList", "POST /pets": "PetsCreate"},
        {"GET /pets": "pets_list", "POST /pets": "pets_create"},
        {"GET /pets": "pets_list_pets", "POST /pets": "addPet"},
    ],
)
def test_an_id_that_only_looks_like_a_frameworks_stays(ids: dict[str, str]) -> None:
    candidates = [
        Candidate(key, name, summary=name.rpartition("_")[2].title()) for key, name in ids.items()
    ]
    assert assign(candidates, {}) == ids


@pytest.mark.parametrize("given", ["List a Pet's Toys", "List a Pet’s Toys", "'List_a_Pets_Toys'"])
def test_an_apostrophe_within_a_word_leaves_no_trace(given: str) -> None:
    assert name(given) == "List_a_Pets_Toys"


@pytest.mark.parametrize("given", ["Obtenir l'utilisateur", "Obtenir_l’utilisateur"])
def test_an_apostrophe_between_words_parts_them(given: str) -> None:
    assert name(given) == "Obtenir_l_utilisateur"


def test_a_name_of_the_lock_whose_apostrophe_left_no_trace_stays() -> None:
    found = [Candidate("GET /a", "Obtenir l'utilisateur"), Candidate("GET /l'été", "")]
    known = {"GET /a": "Obtenir_lutilisateur", "GET /l'été": "get_lete"}
    assert assign(found, known) == known


def test_a_path_with_accents_is_spelled_without_them() -> None:
    assert name(key="GET /größen/{straße}") == "get_grossen_strasse"


def test_what_comes_before_a_path_is_spelled_as_other_names() -> None:
    key = "GET /kunden/{kunden_id}/rechnungen/{rechnungs_id}/positionen/größe"
    ending = "_kunden__kunden_id__rechnungen__rechnungs_id__positionen_größe_get"
    assert name(f"größe_abfragen{ending}", key) == "grosse_abfragen"


@pytest.mark.parametrize(
    ("candidate", "before"),
    [
        (Candidate("GET /pets", "Größe_ändern"), "Gr_e__ndern"),
        (Candidate("GET /größe"), "get_gr_e"),
        (Candidate("GET /pets", "Get a Pet's Toys"), "Get_a_Pet_s_Toys"),
        (Candidate("GET /pets", "Accès_à_l'été"), "Acces_a_l_ete"),
    ],
)
def test_a_name_that_the_lock_has_without_its_letters_stays(
    candidate: Candidate, before: str
) -> None:
    other = Candidate("POST /other", candidate.operation_id and "other")
    names = assign([candidate, other], {candidate.key: before})
    assert names[candidate.key] == before
    hashed = with_hash(before, candidate.key)
    assert assign([candidate], {candidate.key: hashed}) == {candidate.key: hashed}


def test_the_exact_name_wins_where_names_meet() -> None:
    candidates = [
        Candidate("GET /a", "x.y"),
        Candidate("GET /b", "x_y"),
        Candidate("GET /c", "x/y"),
    ]
    expected = {
        "GET /a": with_hash("x_y", "GET /a"),
        "GET /b": "x_y",
        "GET /c": with_hash("x_y", "GET /c"),
    }
    for _ in range(6):
        random.shuffle(candidates)
        assert assign(candidates, {}) == expected


def test_without_an_exact_name_method_and_path_decide() -> None:
    candidates = [Candidate("GET /b", "x.y"), Candidate("GET /a", "x/y")]
    for order in (candidates, candidates[::-1]):
        assert assign(order, {}) == {"GET /a": "x_y", "GET /b": with_hash("x_y", "GET /b")}


def test_what_the_lock_knows_keeps_its_name() -> None:
    candidates = [Candidate("GET /a", "x.y"), Candidate("GET /b", "x_y")]
    assert assign(candidates, {"GET /a": "x_y"}) == {
        "GET /a": "x_y",
        "GET /b": with_hash("x_y", "GET /b"),
    }
    alone = [Candidate("GET /a", "x.y")]
    known = {"GET /a": with_hash("x_y", "GET /a")}
    assert assign(alone, known) == known
    assert assign(alone, {"GET /a": "something_else"}) == {"GET /a": "x_y"}


def test_duplicate_operation_ids_are_named_by_method_and_path(tmp_path: Path) -> None:
    operation = {"operationId": "same", "responses": OK}
    paths = {"/a": {"get": operation, "post": operation}, "/b": {"get": {**operation}}}
    read = read_document({"paths": paths}, tmp_path)
    assert [t.name for t in read.api.tools] == ["get_a", "post_a", "get_b"]
    assert read.codes == ["duplicate-operation-id"] * 2
    assert read.pointers("duplicate-operation-id") == [
        "/paths/~1a/post/operationId",
        "/paths/~1b/get/operationId",
    ]
    known = read_document({"paths": paths}, tmp_path, names={"GET /a": "same"})
    assert [t.name for t in known.api.tools] == ["same", "post_a", "get_b"]


def test_a_filter_renames_nothing(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": {"operationId": "x.y", "responses": OK}},
        "/b": {"get": {"operationId": "x_y", "responses": OK}},
    }
    whole = {t.http.path: t.name for t in read_document({"paths": paths}, tmp_path).api.tools}
    part = read_document({"paths": paths}, tmp_path, include_paths=("/a",)).tool
    assert part.name == whole["/a"]


def test_names_never_meet() -> None:
    words = ["a", "a.b", "a_b", "a/b", "a b", "GET", "é", "", "a" * 70, "a" * 64]
    candidates = [
        Candidate(f"{method} /{path}", word)
        for method in ("GET", "POST")
        for path in ("a", "a_b", "{a}/b", "a/b")
        for word in words
    ]
    unique = {c.key: c for c in candidates}
    found = assign(list(unique.values()), {})
    assert len(set(found.values())) == len(unique)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", n) for n in found.values())


def test_a_name_that_imitates_a_hash() -> None:
    imitated = with_hash("x_y", "GET /b")
    candidates = [
        Candidate("GET /a", "x.y"),
        Candidate("GET /b", "x/y"),
        Candidate("GET /c", imitated),
    ]
    assert len(set(assign(candidates, {}).values())) == 3
