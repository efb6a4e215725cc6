"""Goes through the reference app as a person would."""

from __future__ import annotations

import re

import pytest
from textual import events
from textual.widgets import Button

from offstage_terminal.screens.mapview import MapView
from offstage_terminal.screens.places import fact
from offstage_terminal.widgets.parts import Failure, Trigger

from .conftest import using

KINDS = {"1": "map", "2": "explore", "3": "chats", "4": "pokedex", "5": "library", "6": "profile"}


@pytest.mark.long
async def test_digits_select_all_tabs_at_any_size(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(40, 16)) as person:
        await person.press("enter")
        for key, kind in KINDS.items():
            await person.press(key)
            assert person.page.about.kind == kind
            assert person.page.region.height >= 12
        for width, height in [(60, 20), (160, 50)]:
            await person.resize(width, height)
            assert person.page.region.width == width
            assert person.page.region.height >= height - 4


async def test_the_device_answers_where_it_is(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        # Nobody is asked before they have done something.
        assert "Welcome!" in person.text and "Got it" in person.hints
        assert "with showcase?" not in person.text
        await person.press("ctrl+n")
        assert "Welcome!" not in person.text and "Share your location?" in person.hints
        await person.press("ctrl+n")
        assert "Share your location with showcase?" in person.text
        assert "the map needs your location" in person.text
        await person.press("enter")
        assert "Share your location" not in person.text + person.hints
        assert person.page.output["center"] == {"lat": 37.5665, "lng": 126.978}


async def test_a_request_for_the_location_needs_no_reason(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("c")
        assert "Share your location with showcase?" in person.text


async def test_a_refused_question_leaves_the_default(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("c", "right", "enter")
        assert "Share your location" not in person.text
        assert person.page.output["places"]


async def test_a_row_pushes_and_escape_returns(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.press("right", "enter")
        assert person.page.about.kind == "pokemonDetail"
        assert "Ivysaur" in person.text
        await person.press("escape")
        assert person.page.about.kind == "pokedex"


@pytest.mark.long
async def test_pages_and_sheets_slide_in(showcase: str) -> None:
    command = (showcase, "--deterministic", "--root", "profile")
    async with using(*command, animations="full") as person:
        await person.push("settingsTapped")
        panel = person.app.screen.query_one(".panel")
        while panel.styles.offset.y.value:
            await person.flush()
        assert person.page.about.kind == "settings"


async def test_a_click_on_a_row_pushes(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.click(person.list("pokemon"), offset=(10, 2))
        assert person.page.output["detail"]["id"] == 1


async def test_the_list_pages_at_its_end(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        pages = len(person.page.output["pokemon"])
        await person.press("end")
        assert len(person.page.output["pokemon"]) > pages
        assert person.list("pokemon").row["id"] == pages


async def test_a_search_shows_results(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.type("pika", field=0)
        await person.do(person.app.core.advance(1000))
        assert "Pikachu" in person.text
        assert "Bulbasaur" not in person.text


@pytest.mark.long
@pytest.mark.parametrize("kind", ["pokedex", "placeSearch"])
async def test_a_search_without_results_says_so_once_it_is_over(showcase: str, kind: str) -> None:
    async with using(showcase, "--deterministic", "--root", kind) as person:
        await person.type("qqq", field=0)
        assert "No results" not in person.text
        await person.do(person.app.core.advance(1000))
        assert "No results" in person.text


@pytest.mark.long
async def test_a_modal_answers_its_buttons(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "explore") as person:
        await person.push("pushPermissionTapped")
        assert "Enable push notifications?" in person.text
        await person.push("secondaryButtonTapped")
        assert "Enable push notifications?" not in person.text


@pytest.mark.long
async def test_a_permission_leads_to_reminders(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "explore") as person:
        await person.push("pushPermissionTapped")
        await person.push("primaryButtonTapped")
        assert "Let showcase send notifications?" in person.text
        await person.press("enter")
        while person.app.device.scheduled != 7:
            await person.flush()


async def test_a_form_in_a_sheet_signs_up(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.sign_up("Kim", "kim@x")
        assert person.page.about.kind == "profile"
        assert "Kim" in person.text


async def test_a_cover_fills_the_screen_and_closes(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("createAvatarTapped")
        assert person.page.about.kind == "createAvatar"
        assert person.app.screen.query_one(".panel").size.height >= 35
        await person.press("ctrl+w")
        assert person.page.about.kind == "profile"


@pytest.mark.long
async def test_enter_keeps_what_a_question_would_discard(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("createAvatarTapped")
        await person.type("Bori")
        await person.press("ctrl+w", "enter")
        assert person.page.about.kind == "createAvatar"
        await person.press("ctrl+w", "left", "enter")
        assert person.page.about.kind == "profile"


async def test_a_reply_streams_and_is_stopped(showcase: str) -> None:
    root = 'chat {"avatarId":"mina"}'
    async with using(showcase, "--deterministic", "--root", root) as person:
        await person.type("Hello")
        await person.press("enter")
        await person.do(person.app.core.advance(300))
        assert "Hello" in person.text
        assert "▍" in person.text
        await person.press("ctrl+s")
        assert "▍" not in person.text
        assert person.page.output["messages"]["rows"][-1]["isCut"]
        reply = person.app.screen.query(".bubble").last()
        lines = [line.rstrip() for line in person.text.splitlines()][slice(*reply.region.line_span)]
        assert lines[-1].endswith("…")
        assert not any(set("▎▐█▌") & set(line) for line in lines)


@pytest.mark.long
async def test_an_alert_with_a_choice(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "gallery") as person:
        await person.do(person.app.core.input("1", "alert", "Careful"))
        assert "Careful" in person.text
        button = person.app.screen.query(Button).first()
        await person.press("enter")
        assert person.page.output["answer"]["button"] == button.name


async def test_places_are_on_the_map(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        await person.press("enter", "s")
        assert person.page.output["sheetDetent"] == "full"
        await person.press("s")
        assert "●" in person.text
        await person.press("n", "enter")
        assert person.page.output["sheetDetent"] == "half"


async def test_the_map_sends_its_bounds_when_it_rests(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        await person.press("enter")
        document = person.app.core.document
        revision = document.revision
        await person.press("left", "left")
        while document.revision == revision:
            await person.flush()
        await person.settle()
        assert person.page.output["places"]


async def test_the_map_sends_its_bounds_after_a_resize(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        sent = person.inputs("boundsChanged")
        await person.resize(80, 24)
        assert person.page.output["center"] == {"lat": 37.5665, "lng": 126.978}
        await person.resize(60, 24)
        assert len(sent) == 2
        assert sent[1]["maxLng"] < sent[0]["maxLng"]


@pytest.mark.long
async def test_the_map_goes_around_the_world(showcase: str) -> None:
    arguments = ("--deterministic", "--root", "map")
    async with using(showcase, *arguments, size=(140, 36)) as person:
        sent = person.inputs("boundsChanged")
        await person.press("enter", *["minus"] * 20)
        map = person.app.screen.query_one(MapView)
        for step in range(17):
            count = len(sent)
            await person.press("right")
            while len(sent) == count:
                await person.flush()
            await person.settle()
            view = map._view  # pyright: ignore
            assert view
            lng = view.lng
            if step == 8:
                assert -180 < lng < -160
                assert sent[-1]["minLng"] > 0 > sent[-1]["maxLng"]
                assert map._spots, "Seoul is still in view"  # pyright: ignore
        assert all(abs(each["minLng"]) <= 180 and abs(each["maxLng"]) <= 180 for each in sent)
        await person.resize(400, 36)
        assert (sent[-1]["minLng"], sent[-1]["maxLng"]) == (-180, 180)
        assert map._view and map._view.lng == lng  # pyright: ignore


async def test_the_scale_of_the_map_stays_readable(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        await person.press("enter")
        map = person.app.screen.query_one(MapView)
        view, height = map._view, map.size.height  # pyright: ignore
        assert view
        top = view.lat + (height / 2 - 0.5) * view.scale
        left = view.lng - (map.size.width / 2 - 0.5) * view.across()
        marker = {"id": "a", "title": "Women's University", "lat": top, "lng": left}
        map._markers = [marker]  # pyright: ignore
        map._draw()  # pyright: ignore
        assert map.render_line(0).text.startswith("●├────────┤ 891 m")
        assert map._spots == {(0, 0): marker}  # pyright: ignore


@pytest.mark.long
async def test_the_map_shows_all_results_of_a_search(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map", size=(100, 34)) as person:
        await person.press("enter")
        await person.push("searchBarTapped")
        await person.type("museum", field=0)
        await person.do(person.app.core.advance(1000))
        await person.push("showAllTapped")
        await person.settle()
        map = person.app.screen.query_one(MapView)
        markers = person.page.output["markers"]
        assert len(markers) == 11
        # The map has zoomed out, since two museums are far in the south.
        for height in 34, 26:
            await person.resize(100, height)
            for marker in markers:
                x, y = map._cell(marker["lat"], marker["lng"])  # pyright: ignore
                assert 0 <= x < map.size.width and 0 <= y < map.size.height
        assert "Results for “museum”" in person.text


async def test_an_open_place_shows_its_details(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        await person.press("c", "enter", "n", "enter")
        details = person.page.output["details"]
        assert f"{details['distanceText']} · {details['directionText']}" in person.text
        await person.push("detailsClosed")
        assert person.page.output["details"] is None
        assert details["distanceText"] not in person.text


@pytest.mark.long
async def test_escape_presses_what_leaves_the_screen(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        assert "esc" not in person.hints
        await person.press("c", "enter", "n", "enter")
        assert person.page.output["details"]
        assert f"esc {person.page.about.inputs['detailsClosed'].title}" in person.hints
        await person.press("escape")
        assert person.page.output["details"] is None
        assert "esc" not in person.hints
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("createAccountTapped")
        await person.push("signUpTapped")
        canceled = person.inputs("cancel")
        await person.press("escape")
        assert canceled == [None]
        assert person.page.about.kind == "createAccount"


async def test_the_website_of_a_place_is_a_link(showcase: str) -> None:
    argument = 'placeDetail {"id": 18}'
    async with using(showcase, "--deterministic", "--root", argument) as person:
        rows = person.list("properties")
        [links] = [
            {text: style.link for text, style, _ in line if style and style.link}
            for line in rows.render_lines(rows.size.region)
            if "www.seoul.go.kr" in line.text
        ]
        assert links == {"https://www.seoul.go.kr": "https://www.seoul.go.kr"}


@pytest.mark.parametrize(
    ("name", "value", "url"),
    [
        ("website", "HTTP://a.kr/?q=1", "HTTP://a.kr/?q=1"),
        ("phone", "+82 2-120; +82 2-130", "tel:+822120"),
        ("contact:mobile", "010 1234", "tel:0101234"),
        ("website", "javascript:alert(1)", None),
        ("website", "https://a.kr/\x1b]8;;https://b.kr", None),
        ("phone", "on request", None),
        ("fee", "120", None),
    ],
)
def test_only_web_pages_and_phones_are_links(name: str, value: str, url: str | None) -> None:
    assert fact({"id": name, "title": "Title", "value": value}).link == url


def test_a_property_is_shown_by_its_title() -> None:
    cell = fact({"id": "phone", "title": "Telephone", "value": "120"})
    assert (cell.title, cell.detail) == ("120", "Telephone")


async def test_a_pokemon_is_shown_in_words(showcase: str) -> None:
    command = (showcase, "--deterministic", "--root", 'pokemonDetail {"id":1}')
    async with using(*command) as person:
        assert "Height  0.7 m" in person.text
        assert "Weight  6.9 kg" in person.text
    async with using(*command, locale="ko") as person:
        assert "풀 · 독" in person.text
        assert "키  0.7m" in person.text
        assert "몸무게  6.9kg" in person.text


@pytest.mark.long
@pytest.mark.parametrize(
    "root", ["pokedex", 'pokemonDetail {"id":1}', 'titleDetail {"key":"jaws"}', "library"]
)
async def test_content_is_loaded_again(showcase: str, root: str) -> None:
    async with using(showcase, "--deterministic", "--root", root) as person:
        values = person.inputs("refresh")
        await person.press("ctrl+r")
        assert values == ([] if root == "library" else [None])


@pytest.mark.long
async def test_any_screen_that_says_how_is_loaded_again(meanings: str) -> None:
    """By the purpose of the input, which has another name."""
    async with using(meanings, "--deterministic", size=(100, 60)) as person:
        await person.do(person.app.core.select_tab("work"))
        await person.push("age")
        assert "2026" in person.text and "Look anew" not in person.text
        await person.press("ctrl+r")
        assert "2026" not in person.text
        await person.do(person.app.core.select_tab("values"))
        values = person.inputs("lookAnew")
        await person.press("ctrl+r")
        assert values == []


@pytest.mark.long
@pytest.mark.parametrize("kind", ["map", "placeSearch", "pokedex", "library", "explore", "chats"])
async def test_a_page_shows_every_failure(showcase: str, kind: str) -> None:
    async with using(showcase, "--deterministic", "--root", kind) as person:
        if kind == "map":
            await person.press("enter")
        failures = [port.name for port in person.page.about.with_role("failure")]
        shown = [name for part in person.page.own(Failure) for name in part.names]
        assert sorted(shown) == sorted(failures) != []


async def test_the_theme_changes(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.press("ctrl+t")
        assert person.app.theme == "offstage-light"


async def test_a_narrow_terminal_in_korean(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(60, 20), locale="ko") as person:
        await person.press("c")
        assert "현재 위치를 알려 줄까요?" in person.text
        await person.press("enter")
        assert "프로필" in person.text.splitlines()[0]
        for word in ("이동", "알겠어요", "단축키", "찾기"):
            assert word in person.hints


@pytest.mark.parametrize("locale", ["en", "ko"])
async def test_settings_show_without_an_account(showcase: str, locale: str) -> None:
    command = (showcase, "--deterministic", "--root", "settings")
    async with using(*command, size=(80, 24), locale=locale) as person:
        buttons = [each for each in person.page.own(Trigger) if each.display]
        assert buttons and all(button.region for button in buttons)
        assert person.app.screen.region.contains_region(buttons[-1].region)


async def test_a_choice_of_yes_and_no_is_in_the_language_of_the_person(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "devSettings", locale="ko") as person:
        assert " 예   아니요" in person.text
        assert "True" not in person.text


@pytest.mark.long
async def test_a_fact_begins_with_its_label(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "library") as person:
        await person.press("enter")
        assert re.search(r"Director +Akira Kurosawa", person.text)


async def test_a_chat_says_whom_it_is_with_beside_its_buttons(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", 'chat {"avatarId":"mina"}') as person:
        await person.type("Hello")
        await person.press("enter")
        await person.do(person.app.core.advance(20_000))
        top = "\n".join(person.text.splitlines()[:6])
        assert "Clear chat" in top and "A Seoul grandmother" in top


@pytest.mark.long
async def test_a_deleted_chat_can_be_restored(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(60, 24)) as person:
        await person.press("enter", "2", "enter")
        await person.type("Hello", field=0)
        await person.press("enter", "escape", "3")
        person.page.send("deleteTapped", person.page.output["chats"][0]["id"])
        await person.settle()
        assert "Mina's chat was deleted" in person.text and not person.page.output["chats"]
        await person.press("u")
        assert person.page.output["chats"]


@pytest.mark.long
async def test_help_shows_the_keys(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter", "4", "question_mark")
        await person.sees("Suspend")
        for text in ("1…  Tabs", "/  Search", "^z  Suspend", "^q  Quit"):
            assert text in person.text
        await person.press("escape")
        assert person.page.about.kind == "pokedex"
        await person.press("question_mark", "enter")
        assert person.page.about.kind == "pokedex"
        # In a text, it is a letter.
        await person.press("slash")
        person.app.post_message(events.Key("question_mark", "?"))
        await person.settle()
        assert person.page.owner.field("searchText").value == "?"


@pytest.mark.long
async def test_tabs_show_their_digits(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter")
        assert "1 Map" in person.text and "6 Profile" in person.text
        # A narrow terminal has only room for the titles.
        await person.resize(60, 20)
        assert "Map" in person.text and "1 Map" not in person.text
        await person.resize(100, 36)
        assert "1 Map" in person.text
