"""The encoding of a table that is never in one place: summaries of its parts, merged, then the edges.

What comes out is what `Encoding.fit` finds on the whole table, to the last bit. Levels of categories are
united. Numbers are summarised by a `Sketch`: all distinct values with their counts where these are few, else
some of the values with bounds on their ranks. Such bounds enclose every quantile by two values (a `Bracket`).
Parts are encoded by these brackets at once (`draft`), and keep the few values inside; rounds of questions
about those narrow the brackets until the edges are known, and `finish` puts them in. So each part is read
twice, whatever its size, and what travels has a bound.
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
