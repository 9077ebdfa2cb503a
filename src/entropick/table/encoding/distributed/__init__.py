"""The encoding of a table whose rows are never in one place.

The result is that of `Encoding.fit` on the whole table, to the last bit. Each part of the rows is summarised,
and the summaries are merged. Levels of categories are united. Numbers are summarised by a `Sketch`: all
distinct values with their counts if they are few, else some of the values with bounds on their ranks. These
bounds enclose every quantile by two values (a `Bracket`). Parts are encoded with these brackets (`draft`) and
keep the few values inside; questions about those narrow the brackets until the edges are known, and `finish`
encodes the values inside. So each part is read only twice, and the size of all messages is bounded.
"""

from entropick.table.encoding.distributed.brackets import (
    Answer,
    Bracket,
    Inside,
    Question,
    find_cuts,
    merge_answers,
)
from entropick.table.encoding.distributed.drafts import (
    Draft,
    Plan,
    answer,
    conclude,
    draft,
    finish,
    plan_encoding,
)
from entropick.table.encoding.distributed.sketch import Sketch, sketch_values
from entropick.table.encoding.distributed.surveys import Survey, merge_surveys, survey

__all__ = [
    "Answer", "Bracket", "Draft", "Inside", "Plan", "Question", "Sketch", "Survey", "answer", "conclude",
    "draft", "find_cuts", "finish", "merge_answers", "merge_surveys", "plan_encoding", "sketch_values",
    "survey",
]  # fmt: skip
