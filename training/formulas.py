"""Arithmetic and comparisons of scenes, exact: `n - 2 * k`, `h != m + 1`."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from fractions import Fraction

Value = Fraction | str
"""A number, or words."""
_DONE = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARED = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?$")


def number(text: str) -> Value:
    """The number that a text is, else the text."""
    return Fraction(text) if _NUMBER.match(text) else text


def computed(formula: str, known: Mapping[str, Value]) -> Fraction:
    """The number it comes to; ValueError where it is none."""
    found = _value(_parsed(formula), known)
    if isinstance(found, str):
        raise ValueError(f"'{formula}' is no number")
    return found


def holds(condition: str, known: Mapping[str, Value]) -> bool:
    """Whether all comparisons of a condition do (`a < b < c`, `a != b and b != c`); ValueError where it has none."""
    return _holds(_parsed(condition), condition, known)


def _holds(tree: ast.expr, condition: str, known: Mapping[str, Value]) -> bool:
    if isinstance(tree, ast.BoolOp):
        found = [_holds(part, condition, known) for part in tree.values]
        return all(found) if isinstance(tree.op, ast.And) else any(found)
    if not isinstance(tree, ast.Compare):
        raise ValueError(f"'{condition}' is no comparison")
    values = [_value(part, known) for part in [tree.left, *tree.comparators]]
    if len({type(value) for value in values}) > 1:
        raise ValueError(f"'{condition}' compares a number with words")
    steps = zip(values, tree.ops, values[1:], strict=False)
    return all(_COMPARED[type(how)](left, right) for left, how, right in steps)


def _parsed(formula: str) -> ast.expr:
    try:
        return ast.parse(formula.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"'{formula}' cannot be read") from None


def _value(tree: ast.expr, known: Mapping[str, Value]) -> Value:
    match tree:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.Constant(value=str() as value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Name(id=name):
            raise ValueError(f"no variable '{name}'")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _DONE:
            return Fraction(_DONE[type(op)](_number(left, known), _number(right, known)))
    raise ValueError(f"'{ast.unparse(tree)}' cannot be computed")


def _number(tree: ast.expr, known: Mapping[str, Value]) -> Fraction:
    found = _value(tree, known)
    if isinstance(found, str):
        raise ValueError(f"'{ast.unparse(tree)}' is no number")
    return found
