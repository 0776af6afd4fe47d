"""Runs every query on DuckDB over the stores of a folder and compares the rows with those of polars.

    ETHOGRAM_DUCKDB_OUT=/tmp/duckdb cargo test queries::duckdb
    python3 tests/duckdb/compare.py /tmp/duckdb

Each folder there holds `store/` and, for each query, `CODE.json` with its text and polars' rows. Needs `duckdb`
(PyPI). Exit code 1 where a name, a row, a type or the order differs.
"""

import datetime
import json
import math
import os
import sys

import duckdb

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def equal(want, got):
    """Values of polars and DuckDB: the same type, floats to 10 digits."""
    if isinstance(want, bool) or isinstance(got, bool):
        return type(want) is type(got) and want == got
    if isinstance(want, float) and isinstance(got, float):
        return math.isclose(want, got, rel_tol=1e-10, abs_tol=1e-12)
    return type(want) is type(got) and want == got


def milliseconds(value):
    """A moment as the queries' JSON writes it: milliseconds since 1970, UTC."""
    if isinstance(value, datetime.datetime):
        return (value - EPOCH) // datetime.timedelta(milliseconds=1)
    return value


def differences(name, case, connection):
    cursor = connection.execute(case["sql"])
    columns = [column[0] for column in cursor.description]
    if columns != case["columns"]:
        yield f"{name}: columns\n  polars: {case['columns']}\n  duckdb: {columns}"
    rows = [[milliseconds(value) for value in row] for row in cursor.fetchall()]
    if len(rows) != len(case["rows"]):
        yield f"{name}: {len(case['rows'])} rows of polars, {len(rows)} of DuckDB"
    for number, (want, got) in enumerate(zip(case["rows"], rows)):
        if len(want) != len(got) or not all(map(equal, want, got)):
            yield f"{name}: row {number}\n  polars: {want}\n  duckdb: {got}"
            return


def main(folder):
    compared, counted, found = 0, 0, []
    stores = sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name, "store")))
    for store in stores:
        path = os.path.join(folder, store)
        os.chdir(os.path.join(path, "store"))
        connection = duckdb.connect()
        with open("views.sql", encoding="utf-8") as file:
            connection.execute(file.read())
        for name in sorted(os.listdir(path)):
            if not name.endswith(".json"):
                continue
            with open(os.path.join(path, name), encoding="utf-8") as file:
                case = json.load(file)
            compared, counted = compared + 1, counted + len(case["rows"])
            found += differences(f"{store}/{name[:-5]}", case, connection)
    for line in found:
        print(line)
    print(f"{compared} results over {len(stores)} stores, {counted} rows: {len(found)} differ")
    return 1 if found or not compared else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
