"""Tool names: a function of the operation, never of its neighbours' order."""

import random
import re

import pytest
from tables import table

from mcpgen.hashes import with_hash
from mcpgen.readers.openapi.framework_names import Candidate
from mcpgen.readers.openapi.tool_names import assign


def name(operation_id: str = "", key: str = "GET /pets/{id}", chosen: str = "") -> str:
    """The name of an operation alone in its document."""
    return assign([Candidate(key, operation_id, chosen)], {})[key]


@table(
    "operation_id, expected",
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
)
def test_names_are_clean(operation_id, expected):
    assert name(operation_id) == expected


@table(
    "operation_id, expected",
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
)
def test_what_an_operation_id_may_be_beside_a_name(operation_id, expected):
    assert name(operation_id) == expected


@table("operation_id, name", ("get-/pets/{id}", "get-_pets_id"), (24 * "a", 24 * "a"))
def test_the_lock_keeps_a_name_that_would_be_none_now(operation_id, name):
    known = {"GET /pets/{id}": name}
    assert assign([Candidate("GET /pets/{id}", operation_id)], known) == known
    assert assign([Candidate("GET /", "list/all")], {}) == {"GET /": "list_all"}


def test_dots_only_where_a_person_wrote_them():
    assert name("a.b", chosen="pets.list") == "pets.list"
    assert name("a.b", chosen="pets list") == "pets_list"


@table(
    "key, expected",
    ("GET /", "get_root"),
    ("POST /v1/a-b/{x}.{y}", "post_v1_a-b_x_y"),
    ("DELETE /{a}/{b}?c=d#e", "delete_a_b_c_d_e"),
)
def test_method_and_path(key, expected):
    assert name(key=key) == expected


def test_a_long_name_is_cut_with_a_hash_of_its_own():
    long = "a" * 100
    found = assign([Candidate("GET /a", long), Candidate("GET /b", long + "b")], {})
    assert all(re.fullmatch(r"a{55}_[0-9a-f]{8}", n) for n in found.values())
    assert len(set(found.values())) == 2


def test_names_that_clients_merge_are_told_apart():
    """Some read names without case, and take `-`, `.` and `_` for one."""
    ids = ["get-user", "get_user", "Get.User", "getUser", "getuser", "GET_USERS"]
    candidates = [Candidate(f"GET /{at}", each) for at, each in enumerate(ids)]
    expected = {
        "GET /0": "get-user",
        "GET /1": with_hash("get_user", "GET /1"),
        "GET /2": with_hash("Get_User", "GET /2"),
        "GET /3": "getUser",
        "GET /4": with_hash("getuser", "GET /4"),
        "GET /5": "GET_USERS",
    }
    assert assign(candidates, {}) == expected
    assert assign(candidates[::-1], {}) == expected
    assert assign(candidates, {"GET /1": "get_user"})["GET /1"] == "get_user"
    assert assign(candidates, {"GET /1": "get_user"})["GET /0"] == with_hash("get-user", "GET /0")
    both = {"GET /0": "get-user", "GET /1": "get_user"}
    assert both.items() <= assign(candidates, both).items()


@table(
    "operation_id, name",
    (
        "getNodesNodeQemuVirtualMachineIdentifierAgentFilesystemInformationByDevice",
        "getNodesIdentifierAgentFilesystemInformationByDevice",
    ),
    (
        "post_accounts_account_identifier_subscriptions_subscription_number_invoices",
        "post_accounts_subscription_number_invoices",
    ),
    (
        "organizations_members_roles_permissions_assignments_history_list_by_member",
        "organizations_assignments_history_list_by_member",
    ),
)
def test_a_long_name_loses_what_is_before_its_last_words(operation_id, name):
    """Its last words tell it from others; a verb and its noun stay before them."""
    found = assign([Candidate("GET /a", operation_id)], {})["GET /a"]
    assert found == with_hash(name, "GET /a")
    assert len(found) <= 64
    before = {"GET /a": with_hash(operation_id, "GET /a")}
    assert assign([Candidate("GET /a", operation_id)], before) == before


@pytest.mark.parametrize("given", ["List a Pet's Toys", "List a Pet’s Toys", "'List_a_Pets_Toys'"])
def test_an_apostrophe_within_a_word_leaves_no_trace(given):
    assert name(given) == "List_a_Pets_Toys"


@pytest.mark.parametrize("given", ["Obtenir l'utilisateur", "Obtenir_l’utilisateur"])
def test_an_apostrophe_between_words_parts_them(given):
    assert name(given) == "Obtenir_l_utilisateur"


def test_a_name_of_the_lock_whose_apostrophe_left_no_trace_stays():
    found = [Candidate("GET /a", "Obtenir l'utilisateur"), Candidate("GET /l'été", "")]
    known = {"GET /a": "Obtenir_lutilisateur", "GET /l'été": "get_lete"}
    assert assign(found, known) == known


def test_a_path_with_accents_is_spelled_without_them():
    assert name(key="GET /größen/{straße}") == "get_grossen_strasse"


def test_what_comes_before_a_path_is_spelled_as_other_names():
    key = "GET /kunden/{kunden_id}/rechnungen/{rechnungs_id}/positionen/größe"
    ending = "_kunden__kunden_id__rechnungen__rechnungs_id__positionen_größe_get"
    assert name(f"größe_abfragen{ending}", key) == "grosse_abfragen"


@table(
    "candidate, before",
    (Candidate("GET /pets", "Größe_ändern"), "Gr_e__ndern"),
    (Candidate("GET /größe"), "get_gr_e"),
    (Candidate("GET /pets", "Get a Pet's Toys"), "Get_a_Pet_s_Toys"),
    (Candidate("GET /pets", "Accès_à_l'été"), "Acces_a_l_ete"),
)
def test_a_name_that_the_lock_has_without_its_letters_stays(candidate, before):
    other = Candidate("POST /other", candidate.operation_id and "other")
    names = assign([candidate, other], {candidate.key: before})
    assert names[candidate.key] == before
    hashed = with_hash(before, candidate.key)
    assert assign([candidate], {candidate.key: hashed}) == {candidate.key: hashed}


def test_the_exact_name_wins_where_names_meet():
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


def test_without_an_exact_name_method_and_path_decide():
    candidates = [Candidate("GET /b", "x.y"), Candidate("GET /a", "x/y")]
    for order in (candidates, candidates[::-1]):
        assert assign(order, {}) == {"GET /a": "x_y", "GET /b": with_hash("x_y", "GET /b")}


def test_what_the_lock_knows_keeps_its_name():
    candidates = [Candidate("GET /a", "x.y"), Candidate("GET /b", "x_y")]
    assert assign(candidates, {"GET /a": "x_y"}) == {
        "GET /a": "x_y",
        "GET /b": with_hash("x_y", "GET /b"),
    }
    alone = [Candidate("GET /a", "x.y")]
    known = {"GET /a": with_hash("x_y", "GET /a")}
    assert assign(alone, known) == known
    assert assign(alone, {"GET /a": "something_else"}) == {"GET /a": "x_y"}


def test_names_never_meet():
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


def test_a_name_that_imitates_a_hash():
    imitated = with_hash("x_y", "GET /b")
    candidates = [
        Candidate("GET /a", "x.y"),
        Candidate("GET /b", "x/y"),
        Candidate("GET /c", imitated),
    ]
    assert len(set(assign(candidates, {}).values())) == 3
