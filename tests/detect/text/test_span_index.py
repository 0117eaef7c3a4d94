"""Spans found by place are those that going through all of them finds."""

from hypothesis import given
from hypothesis import strategies as st

from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.kgstore.model import Span

SPANS = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.none() | st.builds(lambda a, n: Span(a, a + n), st.integers(0, 9), st.integers(0, 5))
    )
)


@given(SPANS, st.integers(0, 12), st.integers(1, 6))
def test_against_going_through_all(spans, start, size):
    """Overlaps, holders and beginnings, in the order in which the spans were given; None is in no answer."""
    index, asked = SpanIndex(spans), Span(start, start + size)
    ours = [(row, span) for row, (text, span) in enumerate(spans) if text == "a" and span]
    assert [row for row, span in ours if span.overlaps(asked)] == index.overlapping("a", asked.start, asked.end)
    assert [row for row, span in ours if start <= span.start < asked.end] == index.starting("a", asked.start, asked.end)
    assert [row for row, span in ours if span.overlaps(Span(start, start + 1))] == index.around("a", start)


def test_an_unknown_text():
    """A text without spans has no answer."""
    assert [] == SpanIndex([]).around("a", 0)
