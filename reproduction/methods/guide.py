"""The decision table of the user guide, generated from the stored results of the benchmark."""

from pathlib import Path

from reproduction.methods.evidence import COMPARED, EVERYWHERE, Evidence, choose_default
from reproduction.methods.protocol import DEFAULT, KINDS, RANDOM, TEXTS, UNSUPERVISED
from reproduction.texts import markdown_table, say

BEGIN, END = (
    "<!-- made by python -m reproduction methods --guide; do not edit -->",
    "<!-- end of what is made -->",
)
GUIDE = TEXTS.read("texts.toml")["guide"]
N_NAMED = 3
NO_LOSS = 0.0005


def write_guide(path: Path, results) -> None:
    """Replace the text between the marks of the page."""
    text = path.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    path.write_text(f"{text[:start]}\n{decision_table(results)}\n{text[end:]}", encoding="utf-8")


def decision_table(results) -> str:
    """Which method to use when, with its measurements."""
    evidence = Evidence(results)
    ranking = evidence.ranking(EVERYWHERE, evidence.datasets)
    rows = [[GUIDE["default"]["when"], f"`{DEFAULT}`", say(GUIDE["default"]["why"], _default_words(ranking))]]
    rows += [_kind_row(evidence, kind) for kind in KINDS if evidence.of_kind(kind)]
    rows += [_stable_row(evidence, ranking), _blind_row(evidence, ranking)]
    rows += [[row["when"], row["take"], row["why"]] for row in GUIDE["wish"]]
    table = markdown_table(["your data or goal", "method", "why, and what was measured"], rows, numbers=False)
    head, avoid = (
        say(GUIDE[key], words(evidence, ranking)).strip()
        for key, words in (("head", _head_words), ("avoid", _avoid_words))
    )
    return f"\n{head}\n\n{table}\n\n{avoid}\n"


def _default_words(ranking):
    return {"rank": ranking.rank_of(DEFAULT), "n": len(ranking.names), "place": ranking.place_of(DEFAULT)}


def _head_words(evidence, ranking):
    choice = choose_default(evidence)
    return {
        "n_datasets": len(evidence.datasets),
        "place": ranking.place_of(DEFAULT),
        "n": len(ranking.names),
        "n_alike": len(ranking.best_group()) - 1,
        "choosing": choice.choosing.place_of(DEFAULT),
        "confirming": choice.confirming.place_of(DEFAULT),
    }


def _avoid_words(evidence, ranking):
    blind = [name for name in ranking.names if name in UNSUPERVISED]
    behind = {"unscaled": (DEFAULT, ["MIFS", "CIFE"]), "blind": (DEFAULT, blind)}
    behind["searched"] = (["CrossEntropyFS", "SwarmFS"], RANDOM)
    return {name: 100 * evidence.gain(*pair).mean for name, pair in behind.items()}


def _kind_row(evidence, kind):
    """The first by mean rank of the methods that were run on all data sets of a kind."""
    datasets = evidence.of_kind(kind)
    run = [name for name in COMPARED if all(evidence.trials(dataset, name) for dataset in datasets)]
    ranking = evidence.ranking(run, datasets)
    loss = evidence.gain(ranking.names[0], DEFAULT, datasets)
    behind = (
        f"`{DEFAULT}` is {loss.short.removeprefix('+')} behind"
        if loss.mean > NO_LOSS
        else f"`{DEFAULT}` is level"
    )
    n = len(datasets)
    why = f"{n} data set{'s' * (n > 1)}; {behind}. {GUIDE['kind'].get(kind, '')}"
    return [GUIDE["kinds"].get(kind, kind), _named(ranking.names[:N_NAMED]), why.strip()]


def _named(names) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _stable_row(evidence, ranking):
    stability = {name: evidence.mean_stability(name) for name in ranking.names}
    best = sorted(stability, key=lambda name: -stability[name])[:N_NAMED]
    values = sorted(stability[name] for name in best)
    words = {"least": values[0], "most": values[-1], "default": stability[DEFAULT]}
    return [GUIDE["stable"]["when"], _named(best), say(GUIDE["stable"]["why"], words)]


def _blind_row(evidence, ranking):
    best = next(name for name in ranking.names if name in UNSUPERVISED)
    seeing = [name for name in EVERYWHERE if name not in UNSUPERVISED]
    words = {"loss": 100 * evidence.gain(seeing, best).mean}
    return [GUIDE["blind"]["when"], f"`{best}`", say(GUIDE["blind"]["why"], words)]
