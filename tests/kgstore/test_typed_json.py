"""Property values survive the way through JSON."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time

from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.values.typed_json import decode, encode

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.datetimes(timezones=st.just(UTC)) | st.dates() | st.times()
)  # fmt: skip
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(max_examples=100, deadline=None)
@given(values)
def test_what_goes_in_comes_out(value: object) -> None:
    """Any value of a property, nested as it may be, is equal and of the same type after encode, JSON and decode."""
    back = decode(json.loads(json.dumps(encode(value))))
    assert value == back
    assert type(value) is type(back)


def test_the_form_is_fixed() -> None:
    """The written form of each kind is a format that files on disk rely on."""
    given_values = [datetime(2024, 1, 2, tzinfo=UTC), date(2024, 1, 2), time(3, 4), float("inf"), {"$date": None}]
    expected = [
        {"$datetime": "2024-01-02T00:00:00+00:00"},
        {"$date": "2024-01-02"},
        {"$time": "03:04:00"},
        {"$float": "inf"},
        {"$map": {"$date": None}},
    ]
    assert expected == encode(given_values)
