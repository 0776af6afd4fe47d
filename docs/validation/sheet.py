"""Reads a sheet of what a reader and the engine said of the same items: `sheet.py FILE.csv`. It owns the figures that the
pages of this folder quote from sheets; it never changes a sheet.

Columns: `item` (path below the corpus, `|` place in the file, `|` turns), `engine`, `reader`, `agree`, `note`. A cell holds
labels with `; ` between, or `none`. Labels are compared whole; the part before the first `/`, `=`, `@` or blank is the
code under which they are counted. `agree` is `yes` or `no` and must be what the two cells say. A note that begins with
`mended:` tells what the engine said before a fault was mended, as `was LABELS` before the next full stop, if it said
something else: with `--before` those first answers are counted.
"""

import csv
import re
import sys
from collections import Counter


def labels(cell):
    return Counter(label.strip() for label in cell.split(";") if label.strip() not in ("", "none"))


def code(label):
    return re.split(r"[ /=@]", label, maxsplit=1)[0]


def archive(item):
    """The two folders under which the log lies: family and archive."""
    return "/".join(item.split("|")[0].strip().split("/")[:2])


def engine(row, before):
    first = re.match(r"mended: was ([^.]*)\.", row["note"])
    return first.group(1) if before and first else row["engine"]


def counted(rows, before):
    """Hits, false labels and misses by code and by archive."""
    tables = {"code": {}, "archive": {}, "": {}}
    for row in rows:
        found, read = labels(engine(row, before)), labels(row["reader"])
        for kind, names in (("hit", found & read), ("false", found - read), ("missed", read - found)):
            for label, times in names.items():
                for table, key in (("code", code(label)), ("archive", archive(row["item"])), ("", "all")):
                    tables[table].setdefault(key, Counter())[kind] += times
    return tables


def share(part, whole):
    """A share with Wilson's 95 % interval."""
    if whole == 0:
        return "–"
    z, p = 1.959964, part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * ((p * (1 - p) + z * z / (4 * whole)) / whole) ** 0.5 / (1 + z * z / whole)
    return f"{100 * p:.1f} [{100 * (middle - half):.1f}, {100 * min(1, middle + half):.1f}]"


def check(rows):
    """Rows whose `agree` is not what their cells say."""
    for line, row in enumerate(rows, 2):
        said = "yes" if labels(row["engine"]) == labels(row["reader"]) else "no"
        if row["agree"] != said:
            yield f"line {line}: agree is `{row['agree']}`, the cells say `{said}`"


def main(path, *options):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wrong = list(check(rows))
    agreed = sum(row["agree"] == "yes" for row in rows)
    items = {row["item"].split("|")[0].strip() + row["item"].split("|")[1] for row in rows}
    print(f"{len(rows)} rows of {len(items)} logs, {share(agreed, len(rows))} % agree\n")
    for table, groups in counted(rows, "--before" in options).items():
        print(f"| {table or 'all'} | hits | false | missed | precision % | recall % |\n|---|--:|--:|--:|--:|--:|")
        for key, n in sorted(groups.items()):
            hit, false, missed = n["hit"], n["false"], n["missed"]
            print(f"| {key} | {hit} | {false} | {missed} | {share(hit, hit + false)} | {share(hit, hit + missed)} |")
        print()
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
