"""Finds the codes of faults in the source: every text that becomes the code of a :class:`board.errors.Fault`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from tests.cli.calling import ROOT

PACKAGES: Final = ("board", "bonuses", "routing", "rules", "titles", "records", "analysis", "cli", "service")
#: Calls that take a code, with the place of it.
_TAKES_A_CODE: Final = {"Fault": 0, "_fault": 0, "violation": 0, "_error": 0, "_refused": 1, "FaultList": 0}
_CODE: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: Calls whose code is handed on from elsewhere, where it is found: these functions take a code from their caller.
HANDED_ON: Final = frozenset({
    "code", "self.code", "self._code", "fault.code", "error.faults[0].code", "*_reason(error)", "*fault",
    "*_missing_track(trace, step.leg, told)",
})  # fmt: skip


def codes() -> tuple[frozenset[str], frozenset[str]]:
    """All codes of the source, and the calls that take a code which is neither a text nor handed on."""
    found: set[str] = set()
    unclear: set[str] = set()
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            names = dict(_constants(tree))
            for told, place in _told(tree):
                texts = _texts(told, names)
                found.update(texts)
                if not texts and ast.unparse(told) not in HANDED_ON:
                    unclear.add(f"{file.relative_to(ROOT)}:{place}: {ast.unparse(told)}")
    return frozenset(found), frozenset(unclear)


def _told(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """The expressions that become codes, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                    yield keyword.value, node.lineno
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == "fault" and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "trace":
                yield node.args[0], node.lineno
            elif called in _TAKES_A_CODE and len(node.args) > _TAKES_A_CODE[called] and not _is_of_tiles(node):
                yield node.args[_TAKES_A_CODE[called]], node.lineno
            elif called == "append" and isinstance(node.args[0], ast.Tuple) and _code_and_sentence(node.args[0]):
                yield node.args[0].elts[0], node.lineno
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and _code_and_sentence(node.value):
            yield node.value.elts[0], node.lineno


def _is_of_tiles(call: ast.Call) -> bool:
    """Tile notation has a function of this name that takes a sentence alone."""
    return ast.unparse(call.func).endswith("_fault") and len(call.args) == 1


def _code_and_sentence(pair: ast.Tuple) -> bool:
    if len(pair.elts) != 2:
        return False
    code, sentence = pair.elts
    told = isinstance(sentence, ast.JoinedStr) or (
        isinstance(sentence, ast.Constant) and isinstance(sentence.value, str) and " " in sentence.value
    )
    return told and isinstance(code, ast.Constant) and isinstance(code.value, str) and bool(_CODE.fullmatch(code.value))


def _texts(told: ast.expr, names: Mapping[str, str]) -> frozenset[str]:
    if isinstance(told, ast.Constant) and isinstance(told.value, str) and _CODE.fullmatch(told.value):
        return frozenset({told.value})
    if isinstance(told, ast.Name) and told.id in names:
        return frozenset({names[told.id]})
    if isinstance(told, ast.IfExp):
        one, other = _texts(told.body, names), _texts(told.orelse, names)
        return one | other if one and other else frozenset()
    if isinstance(told, ast.JoinedStr) and ast.unparse(told).startswith("f'http-"):
        return frozenset({"http-"})  # and the status
    return frozenset()


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of the module that stand for a text."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = zip(target.elts, value.elts, strict=False) if isinstance(target, ast.Tuple) and isinstance(
                value, ast.Tuple
            ) else ((target, value),)  # fmt: skip
            for name, text in pairs:
                if isinstance(name, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield name.id, text.value
