"""The page that `mcpgen inspect --html` writes, opened in a browser."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import plain_api
import pytest
from command_line import run
from diff_documents import document
from prepared import python

HOSTILE = (
    "</script><script>document.title = 'taken'</script>",
    "<img src='http://127.0.0.1:9/x.png' onerror=\"document.title='taken'\">",
    "<!--<script>",
    "]]>\u2028\u2029{{ 7 * 7 }}${alert(1)}",
    "javascript:document.title='taken'",
)


def tool(name: str, **more: Any) -> dict[str, Any]:
    whole = {"name": name, "description": f"Works on {name}.", "inputSchema": {"type": "object"}}
    return {**whole, **more}


def written(folder: Path, tools: list[dict[str, Any]]) -> Path:
    (folder / "tools.json").write_text(json.dumps({"tools": tools}))
    target = folder / "page.html"
    done = run("inspect", str(folder / "tools.json"), "--html", str(target))
    assert done.exit_code == 0, done.output
    return target


def type_in(page: browser.Page, text: str) -> None:
    page.press("/")
    page.run("document.activeElement.select()")
    page.press(*text)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Page]:
    with browser.opened(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def many_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    loop = {"properties": {"again": {"$ref": "#/$defs/Loop"}}, "description": "A loop."}
    tools = [
        tool(
            f"tool_{number}",
            description=f"Works on thing {number}: {'x' * 8 * number}",
            annotations={"readOnlyHint": number % 2 == 0},
            inputSchema={
                "type": "object",
                "properties": {f"argument_{number}": {"$ref": "#/$defs/Loop"}},
                "required": [f"argument_{number}"],
                "$defs": {"Loop": loop},
            },
        )
        for number in range(100)
    ]
    return written(tmp_path_factory.mktemp("many"), tools)


@pytest.fixture
def many(chromium: browser.Page, many_tools: Path) -> browser.Page:
    chromium.show(many_tools)
    return chromium


def quiet(page: browser.Page) -> None:
    """Nothing was asked for but the page, and no script failed."""
    urls = [told["request"]["url"] for told in page.told("Network.requestWillBeSent")]
    assert [url.rsplit("/", 1)[-1].partition("#")[0] for url in urls] == ["page.html"]
    assert page.told("Runtime.exceptionThrown") == []
    assert page.told("Log.entryAdded") == []


@browser.needed
def test_search_and_keys(many):
    assert many.run("document.querySelectorAll('#list a').length") == 100
    type_in(many, "argument_7")
    names = "[...document.querySelectorAll('#list .name')].map(n => n.textContent)"
    assert many.run(names) == ["tool_7", *(f"tool_{n}" for n in range(70, 80))]
    count = many.run("document.getElementById('count').textContent")
    assert re.match(r"11 of 100 tools, about \d,\d{3} tokens", count)
    many.press("ArrowDown", "ArrowDown")
    assert many.run("document.activeElement.hash") == "#tool_70"
    many.run("document.activeElement.click()")
    assert many.run("document.querySelector('#tool h2').textContent") == "tool_70"
    assert many.run("document.querySelector('[aria-current]').hash") == "#tool_70"
    assert "required" in many.run("document.querySelector('#tool .fields').textContent")
    many.run("document.querySelector('[value=reads]').click()")
    assert many.run(names) == ["tool_7", *(f"tool_{n}" for n in range(71, 80, 2))]
    many.run("document.querySelector('[value=reads]').click()")
    quiet(many)


@browser.needed
def test_schemas_that_refer_to_themselves_open_level_by_level(many):
    many.run("location.hash = '#tool_5'")
    for depth in range(1, 4):
        many.run("[...document.querySelectorAll('#tool .fields details')].at(-1).open = true")
        many.run("new Promise(done => setTimeout(done))")
        assert many.run("document.querySelectorAll('#tool .fields').length") == depth + 1
    quiet(many)


@browser.needed
def test_sizes_are_bars(many):
    type_in(many, "tool_")
    many.run(
        "const order = document.getElementById('order'); order.value = 'size';"
        "order.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    widths = many.run(
        "[...document.querySelectorAll('#list .bar')].slice(0, 3)"
        ".map(bar => bar.firstChild.getBoundingClientRect().width / bar.clientWidth)"
    )
    assert widths[0] == 1
    assert widths == sorted(widths, reverse=True)
    assert many.run("document.querySelector('#list .name').textContent") == "tool_99"
    quiet(many)


@browser.needed
def test_what_a_document_says_is_text(chromium, tmp_path):
    tools = [
        tool(
            f"tool_{number}",
            title=text,
            description=f"{text} and more",
            inputSchema={
                "type": "object",
                "properties": {text: {"type": "string", "description": text, "enum": [text]}},
            },
        )
        for number, text in enumerate(HOSTILE)
    ]
    tools.append(
        tool(
            "proto",
            inputSchema=json.loads(
                '{"type": "object", "properties": {"__proto__": {"$ref": "#/constructor/%zz"}}}'
            ),
        )
    )
    (page := chromium).show(written(tmp_path, tools))
    for number, text in enumerate(HOSTILE):
        page.run(f"location.hash = '#tool_{number}'")
        page.run("document.querySelectorAll('#tool details').forEach(d => { d.open = true; })")
        shown = page.run("document.getElementById('tool').textContent")
        assert text in shown
    page.run("location.hash = '#proto'")
    assert "__proto__" in page.run("document.getElementById('tool').textContent")
    assert page.run("document.title").endswith(": the tools")
    assert page.run("document.querySelectorAll('img, iframe, object').length") == 0
    quiet(page)


def test_the_page_loads_nothing(tmp_path):
    """Whatever the browser: no address in it, and a policy that forbids all but its own parts."""
    text = written(tmp_path, [tool("find_books", description=" ".join(HOSTILE))]).read_text()
    assert "default-src 'none'" in text
    assert len(re.findall("sha256-", text)) == 2
    assert not re.search(r"<[^>]*\b(src|href)=\"(?!#)", text)
    assert text.count("</script>") == 2


def test_the_page_is_written_although_nobody_reads_the_list(tmp_path):
    operations: dict[str, Any] = {f"things{n}": {} for n in range(100)}
    (tmp_path / "api.json").write_text(json.dumps(document(**operations)))
    command = ("inspect", "api.json", "--json", "--html", "page.html")
    with subprocess.Popen(
        python("-m", "mcpgen", *command), cwd=tmp_path, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert "things99" in (tmp_path / "page.html").read_text()


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an API with areas, problems and Markdown."""
    folder = tmp_path_factory.mktemp("shop")
    api = plain_api.document()
    get = api["paths"]["/orders"]["get"]
    get["description"] = (
        "Lists **all** of `orders`.\n\n- one\n- [two](https://shop.example/two)\n"
        "- [three](javascript:alert(1))\n\n<blink>No markup</blink>"
    )
    text = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": ""}
    api["paths"]["/health"]["get"]["tags"] = ["admissionregistration_v1alpha1_of_all"]
    get["parameters"].append({"name": "status", "in": "query", "required": True, "schema": text})
    (folder / "shop.json").write_text(json.dumps(api))
    target = folder / "page.html"
    done = run("inspect", str(folder / "shop.json"), "--html", str(target))
    assert done.exit_code == 0, done.output
    return target


@pytest.fixture
def shop(chromium: browser.Page, api: Path) -> browser.Page:
    chromium.show(api)
    return chromium


def sized(page: browser.Page, width: int, scheme: str = "light", place: str = "#/overview") -> None:
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )
    preferred = {"name": "prefers-color-scheme", "value": scheme}
    page.call("Emulation.setEmulatedMedia", features=[preferred])
    at(page, place)


def at(page: browser.Page, place: str) -> None:
    page.run(f"location.hash = '{place}'")
    page.call("Runtime.evaluate", expression="new Promise(setTimeout)", awaitPromise=True)


def visible(page: browser.Page, selector: str) -> bool:
    return bool(page.run(f"document.querySelector('{selector}').offsetParent !== null"))


NAMES = "[...document.querySelectorAll('#list .name')].map(n => n.textContent)"


@browser.needed
def test_the_first_screen_has_charts_that_filter_the_list(shop):
    sized(shop, 1280)
    titles = shop.run("[...document.querySelectorAll('.card h3')].map(h => h.textContent)")
    assert len(titles) == 5
    notes = shop.run("[...document.querySelectorAll('.card .note')].map(n => n.textContent)")
    assert any("What helps: description in [tools.X]" in note for note in notes)
    assert not any("`" in note for note in notes)
    kinds = "[...document.querySelectorAll('.card button')]"
    shop.run(f"{kinds}.find(b => b.textContent.startsWith('orders')).focus()")
    shop.run("document.activeElement.click()")
    assert len(shop.run(NAMES)) == 5
    assert shop.run("document.activeElement.closest('#list') !== null")
    shop.run("document.querySelector('.chip').click()")
    assert len(shop.run(NAMES)) == plain_api.OPERATIONS
    assert shop.run("document.querySelectorAll('#list .area').length") == 6
    at(shop, "#/overview")
    shop.run(f"{kinds}.find(b => b.textContent.startsWith('undescribed-argument')).click()")
    assert "health" not in shop.run(NAMES)
    shop.run("document.querySelector('.chip').click()")
    quiet(shop)


@browser.needed
def test_a_tool_with_markdown_null_and_a_call_to_copy(shop):
    index = shop.run(f"{NAMES}.indexOf('list_orders')")
    place = shop.run(f"document.querySelectorAll('#list a')[{index}].hash")
    at(shop, place)
    assert shop.run("document.querySelector('#tool strong').textContent") == "all"
    links = "[...document.querySelectorAll('#tool a')].map(a => a.getAttribute('href'))"
    assert [link for link in shop.run(links) if link[0] != "#"] == ["https://shop.example/two"]
    text = shop.run("document.getElementById('tool').textContent")
    assert "<blink>No markup</blink>" in text
    assert "string, or null" in text
    assert 'default: ""' in text
    assert "shop.json:" in text
    helps = "document.querySelectorAll('#tool .problems > li > .note:not(code)').length"
    kinds = shop.run("[...document.querySelectorAll('#tool .problems > li > code.note')].length")
    assert shop.run(helps) == kinds == 1
    assert shop.run("document.querySelectorAll('#tool .problems li li').length") > 1
    call = json.loads(shop.run("document.querySelector('.copy + pre').textContent"))
    assert call == {"name": "list_orders", "arguments": {}}
    quiet(shop)


@browser.needed
def test_each_view_fits_each_width(shop):
    cases = [(width, "light") for width in (390, 800, 1280)] + [(1280, "dark")]
    for width, scheme in cases:
        for place in ("#/overview", "#/list", "#create_order"):
            sized(shop, width, scheme, place)
            assert shop.run("document.documentElement.scrollWidth") <= width, place
            list_fits = "(l => l.scrollWidth <= l.clientWidth)(document.getElementById('list'))"
            assert shop.run(list_fits), (width, place)
        shade = shop.run("getComputedStyle(document.body).backgroundColor")
        assert shade == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 29)")
    quiet(shop)


@browser.needed
def test_on_a_phone_list_and_tool_are_two_views_with_a_way_back(shop):
    sized(shop, 390, place="#/list")
    assert (visible(shop, "#list"), visible(shop, "#tool")) == (True, False)
    at(shop, "#create_order")
    assert (visible(shop, "#list"), visible(shop, "#tool")) == (False, True)
    shop.run("document.querySelector('#tool .way a').click()")
    at(shop, "#/list")
    assert visible(shop, "#list")
    sized(shop, 1280, place="#create_order")
    assert visible(shop, "#list")
    assert visible(shop, "#tool")


@browser.needed
def test_keys_alone_lead_to_a_tool_and_show_where_they_are(shop):
    sized(shop, 1280)
    shop.run("document.activeElement.blur()")
    focus = "document.activeElement"
    for _ in range(30):
        shop.press("Tab")
        assert shop.run(f"getComputedStyle({focus}).outlineStyle") != "none"
        if shop.run(f"{focus}.closest('#list') !== null"):
            break
    place = shop.run(f"{focus}.hash")
    shop.press("Enter")
    at(shop, shop.run("location.hash"))
    assert shop.run("location.hash") == place
    assert visible(shop, "#tool")


@browser.needed
def test_a_tool_has_the_address_of_its_name_whatever_that_is(chromium, tmp_path):
    names = ("list", "tool", "overview", "with.dot")
    chromium.show(written(tmp_path, [tool(name) for name in names]))
    for name in names:
        chromium.run(f"location.hash = '#' + encodeURIComponent('{name}')")
        assert chromium.run("document.querySelector('#tool h2').textContent") == name
    chromium.run("document.querySelector('.skip').click()")
    assert chromium.run("document.activeElement.id") == "tool"
    assert chromium.run("document.querySelector('#tool h2').textContent") == names[-1]
    quiet(chromium)
