import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def lookup_rows(ids, table):
    """Return the rows of a table with the given numbers: the one-hot matrix of the ids times the table.

    Args:
        ids: T whole numbers, a list of int, each from 0 to V - 1; it may be empty.
        table: an array of floats, shape (V, D).

    Returns:
        An array of shape (T, D) with the element type of the table.

    Raises:
        ValueError: an id is below 0 or above V - 1.

    >>> lookup_rows([2, 0], np.array([[0.1, 0.2], [1.0, 2.0], [-3.0, 5.0]])).tolist()
    [[-3.0, 5.0], [0.1, 0.2]]
    """
    one_hot = np.zeros((len(ids), len(table)), dtype=table.dtype)
    for row, number in enumerate(ids):
        if not 0 <= number < len(table):
            raise ValueError(f"`ids` must be from 0 to {len(table) - 1}, got {number}.")
        one_hot[row, number] = 1
    return one_hot @ table


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(7, 3))
    return [
        case("the worked example", [2, 0], np.array([[0.1, 0.2], [1.0, 2.0], [-3.0, 5.0]])),
        case("random ids", [int(number) for number in rng.integers(0, 7, size=11)], table),
        case("a row picked twice", [1, 1, 2], table),
        case("a table of float32", [4, 0, 3], rng.normal(size=(5, 2)).astype(np.float32)),
        border("one id", [0], rng.normal(size=(13, 5))),
        border("no ids: an empty matrix", [], table),
        border("no ids and a table of float32", [], table.astype(np.float32)),
        case("ids in descending order, some twice", [6, 3, 3, 0], table),
        case("an id beyond the table", [0, 7], table),
        border("an id beyond the rows, but not beyond the columns", [3], rng.normal(size=(3, 5))),
        border("an id below 0", [0, -1], table),
        border("an id and a table without rows", [0], np.zeros((0, 3))),
    ]


SLIPS = mistakes("""
columns: "Return the rows of a table with the given numbers: the one-hot matrix of the ids times the table"
    one_hot @ table => (table @ np.eye(table.shape[1], dtype=table.dtype)[:, np.array(ids, dtype=int) % table.shape[1]])
  Columns were picked, not rows. A one-hot row times the table, one_hot @ table, gives a row; the table times a one-hot
  column gives a column.
counted_from_one: "T whole numbers, a list of int, each from 0 to V - 1"
    one_hot[row, number] => one_hot[row, number - 1]
  Each row is the one above the right one: the ids were counted from 1. Id 0 is the first row.
always_float64: "the element type of the table"
    , dtype=table.dtype =>
  The numbers are right, but a float32 table came back as float64, for np.zeros makes float64. Give the one-hot matrix
  dtype=table.dtype.
negative_ids: "below 0"
    if not 0 <= number < len(table) => if number >= len(table)
  Id -1 gave the last row: Python counts negative indices from the end. No word has a negative id, so raise ValueError.
index_error: "above V - 1"
    if not 0 <= number < len(table) => if False
  The rows are right, but ids outside the table are left to NumPy: it stops with IndexError, or takes -1 for the last
  row. Check first and raise ValueError.
empty_is_flat: "it may be empty"
    return one_hot @ table => return one_hot @ table if len(ids) else np.array([])
  No ids gave an array of shape (0,). No rows of width D is the shape (0, D), which a product of shapes (0, V) and (V,
  D) has by itself.
""")
HINTS = hints("""
- Make the one-hot matrix of the ids, as in phrase_matrix, then multiply.
- one_hot has the shape (len(ids), len(table)) and the table's dtype; one_hot @ table is the answer.
- one_hot = np.zeros((len(ids), len(table)), dtype=table.dtype); for row, i in enumerate(ids): one_hot[row, i] = 1;
  return one_hot @ table. First ValueError unless 0 <= i < len(table) for every id.
""")
task = Task(lookup_rows, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
