"""Rows as a data frame: of pandas, of polars, or as an Arrow table, which both are made from."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from steelyard.errors import EngineError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_EXTRA = "steelyard[frames]"
#: The columns of a run's frame, and what each of them holds.
SAMPLE_COLUMNS: Mapping[str, str] = {
    "key": "text",
    "id": "text",
    "problem": "whole",
    "repeat": "whole",
    "category": "text",
    "cluster": "text",
    "status": "text",
    "value": "number",
    "correct": "yes or no",
    "judged": "yes or no",
    "failure": "text",
    "reason": "text",
    "prompt": "text",
    "response": "text",
    "reasoning": "text",
    "target": "text",
    "extracted": "text",
    "finish": "text",
    "error": "text",
    "error_kind": "text",
    "input_tokens": "whole",
    "output_tokens": "whole",
    "seconds": "number",
}
_BLOCK = 4096


class Framed:
    """What has rows and can be a data frame; ``frame_columns`` says what each column holds, ``frame_rows`` are the rows.

    A column holds ``text``, ``whole`` numbers, other ``number``s or ``yes or no``; a cell may be missing.
    """

    def frame_columns(self) -> Mapping[str, str]:
        """The name of each column, and what it holds."""
        raise NotImplementedError

    def frame_rows(self) -> Iterable[Mapping[str, Any]]:
        """The rows; a column that a row does not have is missing in it."""
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table."""
        import pyarrow

        kinds = {
            "text": pyarrow.string(),
            "whole": pyarrow.int64(),
            "number": pyarrow.float64(),
            "yes or no": pyarrow.bool_(),
        }
        schema = pyarrow.schema(
            [(name, kinds[kind]) for name, kind in self.frame_columns().items()]
        )
        blocks, held = [], list[Mapping[str, Any]]()
        for row in self.frame_rows():
            held.append(row)
            if len(held) == _BLOCK:
                blocks.append(_block(schema, held))
                held = []
        return pyarrow.Table.from_batches([*blocks, _block(schema, held)], schema)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas data frame, with types that know of missing cells."""
        library = _needed("pandas")
        import pyarrow

        types = {
            pyarrow.int64(): library.Int64Dtype(),
            pyarrow.bool_(): library.BooleanDtype(),
            pyarrow.string(): library.StringDtype(),
        }
        frame: pandas.DataFrame = self.to_arrow().to_pandas(types_mapper=types.get)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars data frame."""
        frame: polars.DataFrame = _needed("polars").from_arrow(self.to_arrow())
        return frame


def _block(schema: pyarrow.Schema, rows: list[Mapping[str, Any]]) -> pyarrow.RecordBatch:
    import pyarrow

    columns = [pyarrow.array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _needed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise EngineError(f"{name} is not installed: pip install '{_EXTRA}'") from None


def sample_cells(row: Any) -> dict[str, Any]:
    """A sample as a row of a frame; what was read out of its answer is text, as JSON where it was none."""
    from steelyard.batch.tally import as_text

    cells = {name: getattr(row, name) for name in SAMPLE_COLUMNS}
    extracted = row.extracted
    cells["extracted"] = (
        extracted if extracted is None or isinstance(extracted, str) else as_text(extracted)
    )
    # What has no score is neither right nor wrong.
    cells["correct"] = None if row.value is None else row.correct
    for name in ("reason", "reasoning", "finish", "error", "error_kind"):
        cells[name] = cells[name] or None
    return cells
