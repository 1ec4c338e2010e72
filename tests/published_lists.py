# SPDX-License-Identifier: GPL-3.0-or-later
"""Are the lists of what was published complete and right? Each row of a reproduction that compares a number or a
statement is in one of them, the lists name rows that are there and say what these say, no row counts for two numbers,
and a row that is "the same" as another names one that is counted. Prints the mistakes, one a line.

    published_lists.py SOURCE_FOLDER
"""
import glob
import json
import os
import sys


def read(pattern):
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "reproductions", pattern))):
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path)[:-len(".json")], json.load(file)


def near(a, b):
    return isinstance(a, list) == isinstance(b, list) and (
        a == b if isinstance(a, list) else abs(a - b) <= 1e-9 * abs(b))


rows, listed, mistakes = {}, {}, []
for name, definition in read("*.json"):
    for row in definition["rows"]:
        rows[f"{name}: {row['row']}"] = row
for name, papers in read("published/*.json"):
    for entry in papers["numbers"] + papers["statements"]:
        value = entry.get("value")
        for k, label in enumerate(entry.get("rows", [])):
            row = rows.get(label)
            if row is None:
                mistakes.append(f"{name}, {entry['place']}: there is no row {label}")
            elif "statement" not in row if value is None else "published" not in row or not near(row["published"], value):
                mistakes.append(f"{name}, {entry['place']} and this row say different things: {label}")
            counts = k == 0 and value is not None and "quoted" not in entry
            if counts and listed.get(label):
                mistakes.append(f"this row counts for two numbers: {label}")
            listed[label] = counts or listed.get(label, False)
for label, row in rows.items():
    same = row.get("same")
    other = same and rows.get(same, rows.get(label.split(": ")[0] + ": " + same))
    if same and other is None:
        mistakes.append(f"this row is the same as one that is not there: {label}")
    elif same and "same" in other:
        mistakes.append(f"this row is the same as one that is itself not counted: {label}")
    if ("published" in row or "statement" in row) and label not in listed:
        mistakes.append(f"this row is in no list: {label}")
print("\n".join(mistakes))
sys.exit(len(mistakes) > 0)
