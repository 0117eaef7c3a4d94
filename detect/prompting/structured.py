"""Language models asked for something of a form: read, asked once more with what is wrong, then on record as failed.

What an answer must be is a Form: a JSON schema for servers that hold answers to one, and a function that reads any
answer and says in one line what is wrong with it. Validation libraries were rejected: the forms here are a list of
triples, a few numbers, a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import ChatModel, Message, Request

_SHOWN = 300
"""Characters of what is wrong with an answer."""
_REPEATED = 4_000
"""Characters of an answer that are sent back."""

_T = TypeVar("_T")
_Read = TypeVar("_Read", covariant=True)


@dataclass(frozen=True, slots=True)
class Form(Generic[_Read]):
    """What an answer must be: `read` gives what it says, or raises ValueError whose text says what is wrong.

    `schema` is JSON text, None for forms that are not JSON.
    """

    read: Callable[[str], _Read]
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """An item for which no usable answer came: which one, and why in one line; `silent` where none came at all."""

    item: str
    reason: str
    silent: bool = False


def asked(chat: ChatModel, items: Sequence[tuple[str, Request]], form: Form[_T]) -> list[_T | Failed]:
    """What the answers say, in order; each item is a name for the record and its request.

    An answer that cannot be read is sent back once with what is wrong with it; one that did not come is not asked for
    again, since the client has done so. Raises BudgetSpent.
    """
    requests = [replace(request, schema=form.schema) for _, request in items]
    answers = chat.answer(requests) if requests else []
    found = [_read(item, answer, form) for (item, _), answer in zip(items, answers, strict=True)]
    again = {
        row: _corrected(requests[row], answer, one.reason)
        for row, (answer, one) in enumerate(zip(answers, found, strict=True))
        if isinstance(one, Failed) and isinstance(answer, str)
    }
    for row, answer in zip(again, chat.answer(list(again.values())) if again else (), strict=True):
        second = _read(items[row][0], answer, form)
        found[row] = replace(second, silent=False) if isinstance(second, Failed) else second
    return found


def answered(chat: ChatModel, items: Sequence[tuple[str, Request]], read: Callable[[str], _T]) -> list[_T | Failed]:
    """What a reader that takes any answer makes of each, in order: nothing is asked again. Raises BudgetSpent."""
    answers = chat.answer([request for _, request in items]) if items else []
    return [
        Failed(item, str(answer), silent=True) if isinstance(answer, ServiceError) else read(answer)
        for (item, _), answer in zip(items, answers, strict=True)
    ]


def _read(item: str, answer: str | ServiceError, form: Form[_T]) -> _T | Failed:
    if isinstance(answer, ServiceError):
        return Failed(item, str(answer), silent=True)
    try:
        return form.read(answer)
    except ValueError as error:
        return Failed(item, " ".join(str(error).split())[:_SHOWN])


def _corrected(request: Request, answer: str, wrong: str) -> Request:
    """Return the same question, with the answer, as far as a prompt has room for it, and what is wrong with it."""
    turn = f"That could not be read: {wrong}. Answer again, in the form that was asked for and with nothing else."
    given = Message("assistant", answer[:_REPEATED])
    return replace(request, messages=(*request.messages, given, Message("user", turn)))
