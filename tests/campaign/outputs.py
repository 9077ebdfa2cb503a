"""Outputs that are no plain files, or the same file twice, or the table: written into, or refused before any work."""

import os
import random
import stat
import threading
from pathlib import Path

from campaign.program import OLD, call
from campaign.readers import TEXTS

OPTIONS = {"--out": ".csv", "--columns-file": ".txt", "--report": ".html"}


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"outputs {number}")
    place = folder / f"case{number}"
    place.mkdir()
    table = place / "table.csv"
    table.write_text(TEXTS["mixed.csv"])
    kinds = [a_pipe, a_link, a_device, twice, the_table]
    try:
        return kinds[number % len(kinds)](rng, place, table)
    finally:
        for path in place.rglob("*"):
            if not path.is_dir() or path.is_symlink():
                path.unlink()


def selected(place, table, *words, outputs=()) -> str:
    whole = dict.fromkeys(map(str, outputs), lambda content: None)
    return call(["select", str(table), "-t", "label", "-n", "1", "-j", "1", *map(str, words)], place, whole)


def a_path(rng, place):
    option = rng.choice(list(OPTIONS))
    return option, place / f"special{OPTIONS[option]}"


def a_pipe(rng, place, table) -> str:
    option, path = a_path(rng, place)
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    outcome = selected(place, table, option, path)
    reader.join(30)
    assert outcome == "fine", outcome
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert read[0]
    return "written into a pipe"


def a_link(rng, place, table) -> str:
    option, path = a_path(rng, place)
    real = place / rng.choice(["real", "real.csv"])
    if rng.random() < 0.6:
        real.write_bytes(OLD)
    path.symlink_to(rng.choice([real, real.name]))
    assert selected(place, table, option, path, outputs=[real, path]) == "fine"
    assert path.is_symlink()
    assert real.read_bytes() != OLD
    return "written behind a link"


def a_device(rng, place, table) -> str:
    option, path = a_path(rng, place)
    minor = rng.choice([3, 7])  # null, full
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    except OSError:
        return "no devices here"
    outcome = selected(place, table, option, path)
    assert outcome == ("fine" if minor == 3 else "failed"), outcome
    assert stat.S_ISCHR(path.stat().st_mode)
    return "written into a device"


def twice(rng, place, table) -> str:
    first, second = rng.sample(list(OPTIONS), 2)
    path = other = place / "same.csv"
    kind = rng.randrange(3)
    if kind == 1:
        other = place / "other.csv"
        other.symlink_to(path)
    elif kind == 2:
        path.write_bytes(OLD)
        other = place / "other.csv"
        other.hardlink_to(path)
    outcome = selected(place, table, first, path, second, other)
    assert outcome == "refused", outcome
    return "the same file twice"


def the_table(rng, place, table) -> str:
    option = rng.choice(list(OPTIONS))
    path = place / f"other{OPTIONS[option]}" if option == "--out" else place / "other"
    rng.choice([path.symlink_to, path.hardlink_to])(table)
    outcome = selected(place, table, option, rng.choice([path, table]))
    assert outcome == "refused", outcome
    return "the table itself"
