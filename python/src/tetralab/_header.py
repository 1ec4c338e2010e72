# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads tetralab.h: the C interface, described once, becomes ctypes structs and functions.

Only what that header uses is understood: enums of numbers, structs, function types and functions. Anything else is
an error, so that nothing is misread silently.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

_PLAIN: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int16_t": ctypes.c_int16,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "float": ctypes.c_float,
    "size_t": ctypes.c_size_t,
}


class Header:
    """Constants, structs, function types (callbacks) and functions of a header.

    ``functions`` maps a name to (result, parameters), both ctypes types; ``failing`` names those whose last
    parameter is a tetralab_error.
    """

    def __init__(self, path: Path):
        self.constants: dict[str, int] = {}
        self.structs: dict[str, type[ctypes.Structure]] = {}
        self.callbacks: dict[str, Any] = {}
        self.functions: dict[str, tuple[Any, list[Any]]] = {}
        self.failing: set[str] = set()
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        text = re.sub(r'extern "C" \{', "", text)
        for statement in self._statements(text):
            self._take(statement)

    @staticmethod
    def _statements(text: str) -> list[str]:
        """Splits at semicolons outside braces."""
        found, depth, start = [], 0, 0
        for match in re.finditer(r"[{};]", text):
            depth += {"{": 1, "}": -1, ";": 0}[match.group()]
            if match.group() == ";" and depth == 0:
                found.append(" ".join(text[start : match.start()].split()))
                start = match.end()
        return found

    def _take(self, statement: str) -> None:
        if match := re.fullmatch(r"(?:typedef )?enum(?: \w+)? \{(.*)\}(?: \w+)?", statement):
            self._enum(match[1])
        elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", statement):
            self._struct(match[1], match[2])
        elif re.fullmatch(r"typedef struct (\w+) \1", statement):
            pass  # a handle: always behind a pointer
        elif match := re.fullmatch(r"typedef (.*?)(\w+)\((.*)\)", statement):
            result, parameters = self._signature(match[1], match[3], inward=True)
            self.callbacks[match[2]] = ctypes.CFUNCTYPE(result, *parameters)
        elif match := re.fullmatch(r"TETRALAB_API (.*?)(\w+)\((.*)\)", statement):
            self.functions[match[2]] = self._signature(match[1], match[3], inward=False)
            if re.search(r"tetralab_error \*\w+$", match[3]):
                self.failing.add(match[2])
        else:
            raise ValueError(f"tetralab.h: not understood: {statement}")

    def _number(self, text: str) -> int:
        return self.constants[text] if text in self.constants else int(text, 0)

    def _enum(self, body: str) -> None:
        value = -1
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, given = (part.strip() for part in item.partition("="))
            value = self._number(given) if given else value + 1
            self.constants[name] = value

    def _struct(self, name: str, body: str) -> None:
        fields: list[tuple[str, Any]] = []
        for line in filter(None, (part.strip() for part in body.split(";"))):
            match = re.fullmatch(r"(?:const )?(\w+) (.+)", line)
            if not match:
                raise ValueError(f"tetralab.h: struct {name}: not understood: {line}")
            for member in match[2].split(","):
                fields.append(self._member(match[1], member.strip()))
        self.structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})

    def _member(self, base: str, text: str) -> tuple[str, Any]:
        if match := re.fullmatch(r"\*\s*(\w+)", text):
            return match[1], ctypes.c_char_p if base == "char" else ctypes.c_void_p
        kind = _PLAIN.get(base) or self.structs[base]
        name, *sizes = re.findall(r"\w+", text)
        for size in reversed(sizes):
            kind = kind * self._number(size)
        return name, kind

    def _signature(self, result: str, parameters: str, inward: bool) -> tuple[Any, list[Any]]:
        given = [] if parameters.strip() == "void" else parameters.split(",")
        return self._type(result, False), [self._type(one, inward) for one in given]

    def _type(self, text: str, inward: bool) -> Any:
        """A result or a parameter. Texts are bytes, other pointers addresses; structs given to a callback
        are pointers to them."""
        words = re.findall(r"\w+|\*|\[", text)
        constant, pointer = "const" in words, "*" in words or "[" in words
        base = next(word for word in words if word not in ("const", "struct", "*", "["))
        if words.count("*") > 1:  # such as a list of texts
            return ctypes.c_void_p
        if not pointer:
            return None if base == "void" else _PLAIN[base]
        if base == "char" and constant:
            return ctypes.c_char_p
        if inward and base in self.structs:
            return ctypes.POINTER(self.structs[base])
        return ctypes.c_void_p
