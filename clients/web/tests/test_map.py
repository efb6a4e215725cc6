"""The map of the reference app in a browser, with its search and its sheet."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Route, TimeoutError, WebSocket, expect

from .conftest import HOLD, LOOKS, Serve, Visits

pytestmark = pytest.mark.long

IS_CENTERED = """(name) => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const middle = (box(".search-bar")?.bottom + box(".bottom-sheet")?.top) / 2;
  return Math.abs(box(`.pin[title="${name}"]`)?.bottom - middle) < 20;
}"""


def test_search(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open()
    person.input("searchBarTapped").click()
    person.screen("placeSearch")
    expect(person.input("queryText")).to_be_focused()
    person.input("queryText").fill("qqq")
    status = page.locator(".screen:not(.behind) [role=status]").first
    expect(status.locator(".empty")).to_have_text("No results")
    person.picture("no-results")
    person.input("queryText").fill("")
    person.input("queryText").press_sequentially("palace", delay=20)
    expect(page.locator(".screen:not(.behind) .row").first).to_contain_text("Palace")
    person.check_access()
    page.locator(".screen:not(.behind) .row").first.click()
    person.screen("map")
    found = page.locator(".bottom-sheet .row")
    expect(found).to_have_count(1)
    name = found.locator("strong").inner_text()
    # The place is in the middle of the area that the search bar and the sheet do not cover.
    page.wait_for_function(IS_CENTERED, arg=name)
    person.picture("search")


def test_sheet_of_the_map(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open()
    person.screen("map")
    page.wait_for_function(IS_CENTERED, arg="Seoul City Hall")
    # Every rating has one decimal.
    expect(page.locator(".bottom-sheet .rating").first).to_have_text("5.0")
    # A screen reader announces the handle as a slider, with the height in words.
    handle = page.get_by_role("slider", name="Sheet height")
    expect(handle).to_have_attribute("aria-valuetext", "Half")
    handle.focus()
    page.keyboard.press("End")
    expect(page.locator(".map-screen[data-detent=full]")).to_be_visible()
    expect(handle).to_have_attribute("aria-valuetext", "Full")
    expect(handle).to_have_attribute("aria-valuenow", "2")
    person.check_access()
    # Both presses count, even if the page is not drawn between them.
    page.evaluate(HOLD)
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        page.evaluate("offstage.core.settle()")
    page.evaluate("release()")
    expect(page.locator(".map-screen[data-detent=tip]")).to_be_visible()


def test_a_click_on_the_handle_reaches_every_height(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["phone"])
    page = person.open()
    person.screen("map")
    for height in ["full", "tip", "half"]:
        person.input("sheetDetentChanged").click()
        expect(page.locator(f".map-screen[data-detent={height}]")).to_be_visible()


def test_details_of_a_place_close(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["phone"])
    page = person.open()
    person.screen("map")
    rows = page.locator(".bottom-sheet .row")
    rows.first.click()
    expect(rows).to_have_count(1)
    website = page.locator(".bottom-sheet .facts a")
    expect(website).to_have_attribute("href", "https://www.seoul.go.kr")
    expect(website).to_have_attribute("target", "_blank")
    person.check_access()
    back = person.input("detailsClosed")
    expect(back).to_have_accessible_name("Back to the list")
    back.click()
    expect(rows.nth(1)).to_be_visible()
    expect(back).to_have_count(0)


def test_only_web_pages_and_phones_are_links(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    page = visit(serve(showcase, "--deterministic")).open()
    properties = {
        "website": "HTTP://a.kr/?q=1",
        "phone": "+82 2-120; +82 2-130",
        "contact:mobile": "010 1234",
        "url": "javascript:alert(1)",
        "contact:phone": "on request",
        "fee": "120",
    }
    links = page.evaluate(
        "(properties) => properties.map(([id, value]) => offstage.link(id, value) ?? null)",
        list(properties.items()),
    )
    assert links == ["HTTP://a.kr/?q=1", "tel:+822120", "tel:0101234", None, None, None]


# Keeps the bounds that the page sends.
KEEP_BOUNDS = """() => {
  window.sent = [];
  const { issue } = offstage.core;
  offstage.core.issue = (method, params, ...rest) => {
    if (params?.name === "boundsChanged") sent.push(params.value);
    return issue.call(offstage.core, method, params, ...rest);
  };
}"""

# True when the page has sent the bounds around the center in the document.
HAS_BOUNDS = """() => {
  const bounds = sent.at(-1);
  const center = offstage.core.find("map")?.output?.center;
  return Math.abs((bounds?.minLat + bounds?.maxLat) / 2 - center?.lat) < 1e-6;
}"""


def test_the_map_sends_its_bounds(serve: Serve, visit: Visits, showcase: str) -> None:
    place = {"latitude": 37.58, "longitude": 126.98}
    here = {"geolocation": place, "permissions": ["geolocation"]}
    person = visit(serve(showcase), **LOOKS["light"], **here)
    page = person.open("/library")
    person.screen("library")
    page.evaluate(KEEP_BOUNDS)
    person.tab("map")
    page.wait_for_function(HAS_BOUNDS)
    first = page.evaluate("sent.length")
    page.set_viewport_size({"width": 700, "height": 500})
    page.wait_for_function("first => sent.length > first", arg=first)


def test_the_map_sends_its_bounds_if_the_browser_has_no_location(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), **LOOKS["light"], permissions=["geolocation"])
    person.page.add_init_script(
        "navigator.geolocation.getCurrentPosition = (_, fail) => window.fail = fail"
    )
    page = person.open("/library")
    person.screen("library")
    page.evaluate(KEEP_BOUNDS)
    person.tab("map")
    page.wait_for_function("() => window.fail")
    person.settle()
    assert page.evaluate("sent.length") == 0
    page.evaluate("fail({ message: 'no position' })")
    page.wait_for_function(HAS_BOUNDS)


def test_the_map_shows_what_came_while_it_was_loading(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["light"])
    # A map that has loaded sends its bounds, and gets pins for them, unless the app asks where it is.
    person.page.add_init_script("navigator.geolocation.getCurrentPosition = () => {}")
    loading: list[Route] = []
    person.page.route("**/leaflet-map-*.js", lambda route: loading.append(route))
    page = person.open()
    expect(page.locator(".bottom-sheet .row").first).to_be_visible()
    person.settle()
    assert len(loading) == 1 and page.locator(".pin").count() == 0
    loading[0].continue_()
    expect(page.locator(".pin")).to_have_count(20)


def test_the_map_goes_around_the_world(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), **LOOKS["light"])
    page = person.open()
    expect(page.locator(".pin")).not_to_have_count(0)
    page.evaluate(KEEP_BOUNDS)
    page.locator(".map").focus()

    def press(key: str) -> None:
        count = page.evaluate("sent.length")
        page.keyboard.press(key)
        page.wait_for_function("count => sent.length > count", arg=count)
        person.settle()

    for _ in range(12):
        press("-")
    press("ArrowRight")
    assert page.evaluate("offstage.core.find('map').output.center.lng") < 0
    bounds = page.evaluate("sent.at(-1)")
    assert -180 <= bounds["maxLng"] < bounds["minLng"] <= 180
    # Seoul is still in view.
    expect(page.locator(".pin").first).to_be_in_viewport()
    press("-")
    bounds = page.evaluate("sent.at(-1)")
    assert (bounds["minLng"], bounds["maxLng"]) == (-180, 180)


def test_the_results_of_a_search_fill_the_map(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase))
    page = person.open()
    person.show_museums()
    expect(page.get_by_role("heading", name="Results for “museum”")).to_be_visible()
    expect(page.locator(".pin")).to_have_count(11)
    # The map has zoomed out, since two museums are south of the bounds.
    for pin in page.locator(".pin").all():
        expect(pin).to_be_in_viewport()
    person.check_access()
    person.input("resultsClosed").click()
    expect(page.locator(".pin")).to_have_count(20)
    person.input("searchBarTapped").click()
    person.screen("placeSearch")
    expect(page.get_by_role("searchbox")).to_have_value("museum")
    expect(page.get_by_text("11 results")).to_be_visible()


def test_map_moves_load_places(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open()
    expect(page.locator(".pin")).not_to_have_count(0)
    before = page.evaluate("offstage.core.document.get('/screens/1/output/places')")
    page.locator(".leaflet-control-zoom-in").click()
    page.locator(".map").focus()
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    page.wait_for_function(
        "before => JSON.stringify(offstage.core.document.get('/screens/1/output/places'))"
        " !== JSON.stringify(before)",
        arg=before,
    )


def test_device_prompt(serve: Serve, visit: Visits, showcase: str) -> None:
    """The map asks the browser for the person's location."""
    person = visit(
        serve(showcase),
        geolocation={"latitude": 37.58, "longitude": 126.98},
        permissions=["geolocation"],
    )
    lines: list[str] = []
    person.page.on("websocket", lambda socket: keep_lines(socket, lines))
    page = person.open()
    expect(page.locator(".pin")).not_to_have_count(0)
    try:
        page.wait_for_function(
            "() => Math.abs(offstage.core.document.get('/screens/1/output/center')?.lat - 37.58) < 0.001"
        )
    except TimeoutError as error:
        error.add_note("\n".join(lines))
        raise


def keep_lines(socket: WebSocket, lines: list[str]) -> None:
    """Keeps the beginnings of the messages between the page and the core."""
    for event, mark in (("framesent", ">"), ("framereceived", "<")):
        socket.on(event, lambda line, mark=mark: lines.append(f"{mark} {line[:200]}"))


def test_the_map_credits_only_the_makers_of_its_tiles(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    tiles = ("--tiles", "http://127.0.0.1:65000/{z}/{x}/{y}.png")
    makers = ("--tiles-attribution", "© A <b> & C https://tiles.example/about")
    for options, credits in (((), []), (makers, ["© A <b> & C"])):
        person = visit(serve(*tiles, *options, showcase, "--deterministic"))
        page = person.open()
        person.screen("map")
        credit = page.locator(".leaflet-control-attribution")
        expect(credit).to_contain_text("Leaflet")
        expect(credit).not_to_contain_text("OpenStreetMap")
        links = credit.locator("a[href='https://tiles.example/about']")
        expect(links).to_have_text(credits)


# The pins that something else than the map covers.
COVERED = """() => [...document.querySelectorAll(".pin")].filter((pin) => {
  const { left, top, width, height } = pin.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return !above?.closest(".map");
}).length"""


@pytest.mark.parametrize("width", [390, 720, 800, 1000, 1200])
def test_nothing_covers_the_pins(
    serve: Serve, visit: Visits, showcase: str, width: int
) -> None:
    person = visit(
        serve(showcase, "--deterministic"), viewport={"width": width, "height": 800}
    )
    page = person.open()
    expect(page.locator(".pin")).to_have_count(20)
    person.settle()
    assert page.evaluate(COVERED) == 0


def test_the_location_is_asked_for_after_a_tap(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    """People decline a browser's question that they do not expect, so the page says why it will ask."""
    person = visit(serve(showcase, "--deterministic"), **LOOKS["phone"])
    person.page.add_init_script("""
      window.asked = 0;
      navigator.permissions.query = async () => ({ state: "prompt" });
      navigator.geolocation.getCurrentPosition = (found) => (asked++, found({ coords: { latitude: 37.58, longitude: 126.98 } }));
    """)
    page = person.open()
    request = page.locator(".request")
    expect(request).to_contain_text("the map needs your location")
    expect(page.locator(".pin")).to_have_count(20)
    assert page.evaluate("asked") == 0
    person.check_access()
    request.get_by_role("button", name="Allow").click()
    page.wait_for_function(
        "() => Math.abs(offstage.core.document.get('/screens/1/output/center')?.lat - 37.58) < 0.001"
    )
    expect(request).to_have_count(0)
    assert page.evaluate("asked") == 1


def test_the_welcome_is_read_once(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open()
    welcome = page.locator(".notice", has_text="Welcome!")
    expect(welcome).to_be_visible()
    person.input("welcomeClosed").click()
    expect(welcome).to_have_count(0)
    # A session of its own has the same data.
    page.evaluate("history.replaceState(null, '', '/'); sessionStorage.clear()")
    other = person.context.new_page()
    other.goto(person.server.url)
    expect(other.locator(".pin")).to_have_count(20)
    expect(other.locator(".notice", has_text="Welcome!")).to_have_count(0)
    other.close()


# The colors of the ground.
COLORS = """() => {
  return [...document.querySelectorAll(".drawn-tile")].flatMap((tile) => {
    const copy = Object.assign(document.createElement("canvas"), { width: tile.width, height: tile.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(tile, 0, 0);
    const { data } = context.getImageData(0, 0, tile.width, tile.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4 * 97) found.add([data[at], data[at + 1], data[at + 2]].join());
    return [...found];
  });
}"""


def test_the_ground_is_drawn_without_tiles(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open()
    expect(page.locator(".pin")).to_have_count(20)
    # A park, a palace, a stream, and a street.
    for color in ("217,230,207", "238,220,184", "169,209,234", "255,255,255"):
        # A function: the page's policy forbids to evaluate an expression again and again.
        page.wait_for_function(f"() => ({COLORS})().includes('{color}')")


def test_many_places_are_counted(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    features = ",".join(
        f'{{"type":"Feature","id":"p{n}","geometry":{{"type":"Point","coordinates":[{126.94 + n % 100 / 1250:.5f},'
        f'{37.54 + n // 100 / 2000:.5f}]}},"properties":{{"name":"Spot {n}"}}}}'
        for n in range(10_000)
    )
    file = tmp_path / "places.geojson"
    file.write_text(f'{{"type":"FeatureCollection","features":[{features}]}}')
    data = tmp_path / "data"
    subprocess.run([showcase, "import", "places", file, "--data", data], check=True)
    person = visit(serve(showcase, "--places", str(data)))
    page = person.open()
    clusters = page.locator(".cluster")
    expect(clusters.first).to_be_visible()
    count = "() => offstage.core.document.get('/screens/1/output/clusters').reduce((sum, each) => sum + each.count, 0)"
    assert page.evaluate(count) > 2000
    zoom = "() => document.querySelectorAll('.pin').length && JSON.stringify(offstage.core.document.get('/screens/1/output/clusters'))"
    before = page.evaluate(zoom)
    clusters.last.dispatch_event("click")
    page.wait_for_function(f"before => ({zoom})() !== before", arg=before)
    person.picture("clusters")


def test_an_empty_place_has_a_way_back(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["phone"])
    page = person.open()
    expect(page.locator(".pin")).to_have_count(20)
    person.settle()
    page.evaluate(
        "offstage.core.input('1', 'boundsChanged', {minLat: 10, minLng: 10, maxLat: 10.1, maxLng: 10.1})"
    )
    expect(page.locator(".empty")).to_contain_text("There are no places here.")
    person.input("returnTapped").click()
    expect(page.locator(".pin")).to_have_count(20)


def test_earlier_searches_are_offered(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open()
    person.input("searchBarTapped").click()
    person.screen("placeSearch")
    person.input("queryText").fill("palace")
    row = page.locator(".screen:not(.behind) .row").first
    expect(row.locator("mark")).to_have_text("Palace")
    row.click()
    person.screen("map")
    person.input("searchBarTapped").click()
    person.screen("placeSearch")
    person.input("queryText").fill("")
    person.input("recentTapped").click()
    expect(person.input("queryText")).to_have_value("palace")
    expect(page.locator(".screen:not(.behind) .row").first).to_contain_text("Palace")
