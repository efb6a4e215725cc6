"""Single values as people write them."""

from __future__ import annotations

import pytest

from offstage import say_size
from offstage.values import plain, say_scalar


@pytest.mark.parametrize(
    ("count", "limit", "size"),
    [
        (0, "0 bytes", "0 bytes"),
        (1, "1 byte", "1 byte"),
        (999, "999 bytes", "999 bytes"),
        (1_000, "1 kB", "1 kB"),
        (1_001, "1 kB", "1.1 kB"),
        (1_024, "1 kB", "1.1 kB"),
        (15_500, "15 kB", "16 kB"),
        (8 << 20, "8 MB", "8.4 MB"),
        (8_000_000, "8 MB", "8 MB"),
        (8_389_000, "8.3 MB", "8.4 MB"),
        (64 << 20, "64 MB", "68 MB"),
        (3 << 30, "3 GB", "3.3 GB"),
    ],
)
def test_a_size_is_written_as_a_person_would(count: int, limit: str, size: str) -> None:
    assert (say_size(count), say_size(count, rounds_up=True)) == (limit, size)
    assert say_scalar(count, {"x-unit": "B"}) == limit


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A heading\n**bold *and* more** `code`", "A heading\nbold and more code"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("`a *b* c`", "a *b* c"),
        ("```swift\nlet a = b *c* d\n```\n*end*", "let a = b *c* d\nend"),
        ("![A map](https://example.com/m)", "A map <https://example.com/m>"),
        ("**[a *b*](tel:1)** [](MAILTO:a@b)", "a b <tel:1> MAILTO:a@b"),
        ("[a](ftp://b) ![c](resource:d)", "[a](ftp://b) [c](resource:d)"),
        ("  ## A\n ```\n# *b*\n ```\n# c", "A\n# *b*\nc"),
        ("** two ** *one *", "** two ** *one *"),
    ],
)
def test_marks_are_left_out_where_they_touch_words(markdown: str, text: str) -> None:
    assert plain(markdown) == text
