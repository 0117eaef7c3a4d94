"""Ask language models for answers of a form: read, asked once more with the error, then recorded as failed.

A Form is a JSON schema for servers that enforce one, and a function that reads any answer and says in one line what is
wrong with it. Validation libraries were rejected: the forms here are a list of triples, a few numbers, a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import ChatModel, Message, Request

_SHOWN = 300
"""Most characters of an error."""
_REPEATED = 4_000
"""Most characters of an answer that are sent back."""

_T = TypeVar("_T")
_Read = TypeVar("_Read", covariant=True)


@dataclass(frozen=True, slots=True)
class AnswerForm(Generic[_Read]):
    """The form of an answer: `read` returns its content, or raises ValueError whose text says what is wrong.

    `schema` is JSON text, None for forms that are not JSON.
    """

    read: Callable[[str], _Read]
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """An item without a usable answer: its name, and the reason in one line; `silent` where no answer came at all."""

    item: str
    reason: str
    silent: bool = False


def asked(chat: ChatModel, items: Sequence[tuple[str, Request]], form: AnswerForm[_T]) -> list[_T | Failed]:
    """Return the content of the answers, in order; each item is a name for the record and its request.

    An answer that cannot be read is sent back once with its error; one that did not come is not requested again, since
    the client has done so. Raises BudgetSpent.
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
    """Read each answer by a reader that takes any text, in order: nothing is asked again. Raises BudgetSpent."""
    answers = chat.answer([request for _, request in items]) if items else []
    return [
        Failed(item, str(answer), silent=True) if isinstance(answer, ServiceError) else read(answer)
        for (item, _), answer in zip(items, answers, strict=True)
    ]


def _read(item: str, answer: str | ServiceError, form: AnswerForm[_T]) -> _T | Failed:
    if isinstance(answer, ServiceError):
        return Failed(item, str(answer), silent=True)
    try:
        return form.read(answer)
    except ValueError as error:
        return Failed(item, " ".join(str(error).split())[:_SHOWN])


def _corrected(request: Request, answer: str, wrong: str) -> Request:
    """Return the same request with the answer, as far as a prompt has room for it, and its error."""
    turn = f"That could not be read: {wrong}. Answer again, in the form that was asked for and with nothing else."
    given = Message("assistant", answer[:_REPEATED])
    return replace(request, messages=(*request.messages, given, Message("user", turn)))
