"""The walls between visitors, for a few seconds. tests/walls.py tests them for longer."""

from __future__ import annotations

from .conftest import TOKEN, Serve, address_of, run
from .walls import Walls


def test_no_visitor_reaches_what_belongs_to_another(
    serve: Serve, showcase: str
) -> None:
    server = serve("--linger", "0", "--visitors", "50", showcase, "--root", "signUp")
    socket = address_of(server.host).removeprefix("unix:")
    walls = Walls(f"{server.url}/?token={TOKEN}", [socket])
    run(walls.test(400))
    print(f"\n{walls.answers}")
    assert walls.reached == []
    # Each way was tried, and has got an answer.
    assert len({each.partition(":")[0] for each in walls.answers}) == 5
