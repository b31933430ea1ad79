"""The names of functions in operationIds that frameworks make of them."""

import re

import pytest
from tables import table

from mcpgen.readers.openapi.framework_names import Candidate
from mcpgen.readers.openapi.tool_names import assign


def test_what_fastapi_appends_is_no_part_of_a_name():
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
        "GET /lists/{id}": "get_lists",
    }
    assert assign(candidates, {}) == expected
    assert assign(candidates, ids) == ids


@table(
    "other, name",
    ("add_companies", "add_companies_companies_post"),
    ("add_companies_x_put", "add_companies_companies"),
    ("add_companies_x_get", "add_companies"),
)
def test_a_function_that_is_not_the_only_one_of_its_name_keeps_its_path(other, name):
    own = Candidate("POST /companies", "add_companies_companies_post")
    candidates = [own, Candidate("PUT /x", other)]
    assert assign(candidates, {})[own.key] == name
    known = {own.key: "add_companies"}
    assert assign(candidates, known)[own.key] == "add_companies"


def test_functions_of_one_name_have_the_words_in_which_their_paths_differ():
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
    "GET /api/health": ("shop_api_health", "Health", "shop_api_health"),
    "GET /api/orders/": ("shop_api_list_orders", "List Orders", "list_orders"),
    "GET /api/orders/{order_id}": ("shop_api_get_order", "One order", "shop_api_get_order"),
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
CONNEXION = {
    "GET /agents": ("api.controllers.agent_controller.get_agents", "", "get_agents_agents"),
    "GET /groups": ("api.controllers.group_controller.get_agents", "", "get_agents_groups"),
    "DELETE /agents/{a}/group": ("api.agents.delete_agent_groups", "", "delete_agent_groups"),
    "GET /messages": ("gmail.users.messages.list", "", "gmail_users_messages_list"),
    "POST /chat.postMessage": ("chat.postMessage", "", "chat_postMessage"),
    "POST /x": ("pets.v2.PetService/CreatePet", "", "pets_v2_PetService_CreatePet"),
}
VERSIONS = {
    "GET /api/v5/pets": ("api_v5_list_pets", "", "list_pets"),
    "PUT /api/v5/pets/{id}": ("v5_change_pet", "", "change_pet"),
    "DELETE /api/v5/pets/{id}": ("API_V5_0_drop_pet", "", "drop_pet"),
    "GET /shops": ("v5_get", "", "get_shops"),
    "GET /owners": ("ip_v6_list_all", "", "ip_v6_list_all"),
}
CONTROLLERS = {
    "GET /Place": ("Place_GetByGeo", "", "Place_GetByGeo"),
    "GET /Place/{id}": ("Place_Get", "", "Place_Get"),
    "GET /BikePoint": ("BikePoint_GetAll", "", "BikePoint_GetAll"),
    "GET /x": ("AgentsController_findAll", "", "AgentsController_findAll"),
    "GET /y": ("usingGET_1", "", "usingGET_1"),
    "PUT /y": ("updateUsingPUT", "", "updateUsingPUT"),
    "GET /e": ("21list", "", "21list"),
}
"""By method and path: operationId and summary as the framework writes them, and the tool's name."""
FRAMEWORKS = [LITESTAR, DJANGO_NINJA, GRPC_GATEWAY, CONNEXION, VERSIONS, CONTROLLERS]


@pytest.mark.parametrize("operations", FRAMEWORKS)
def test_what_other_frameworks_add_is_no_part_of_a_name(operations):
    candidates = [
        Candidate(key, name, summary=summary, tags=("orders", name.partition("_")[0]))
        for key, (name, summary, _) in operations.items()
    ]
    assert assign(candidates, {}) == {key: short for key, (*_, short) in operations.items()}
    known = {key: re.sub(r"[./]", "_", name) for key, (name, *_) in operations.items()}
    assert assign(candidates, known) == known


@pytest.mark.parametrize("operations", FRAMEWORKS)
def test_a_framework_is_known_by_the_operation_alone(operations):
    for key, (name, summary, short) in operations.items():
        tags = ("orders", name.partition("_")[0])
        others = [Candidate(f"GET /other/{at}", f"other{at}") for at in range(9)]
        own = assign([Candidate(key, name, summary=summary, tags=tags), *others], {})[key]
        assert short == own or short.startswith(f"{own}_")


@pytest.mark.parametrize("method", ["get", "put", "post", "patch", "delete"])
def test_a_function_called_as_its_method_gets_its_paths_noun(method):
    key = f"{method.upper()} /v1/orders/{{order_id}}"
    own = Candidate(key, f"{method}_v1_orders__order_id__{method}")
    assert assign([own], {}) == {key: f"{method}_orders"}
    known = {key: own.operation_id}
    assert assign([own], known) == known


@table(
    "ids",
    {"GET /pets": "PetsList", "POST /pets": "addPet", "GET /owners": "owners"},
    {"GET /pets": "PetsList", "POST /pets": "PetsCreate"},
    {"GET /pets": "pets_list", "POST /pets": "pets_create"},
    {"GET /pets": "pets_list_pets", "POST /pets": "addPet"},
)
def test_an_id_that_only_looks_like_a_frameworks_stays(ids):
    candidates = [
        Candidate(key, name, summary=name.rpartition("_")[2].title()) for key, name in ids.items()
    ]
    assert assign(candidates, {}) == ids
