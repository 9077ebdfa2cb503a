"""`entropick diff`: what changed between two saved results."""

import json

import pytest

from entropick.cli.difference import CHANGED
from entropick.cli.screen import SCHEMA_VERSION
from program_runs import document_of, refused, run


@pytest.fixture
def save(tmp_path):
    def save(document, name):
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return path

    return save


@pytest.fixture(scope="module")
def three():
    return document_of("select", "wine", "-n", 3)


@pytest.fixture(scope="module")
def other_three():
    return document_of("select", "wine", "-n", 3, "--ignore", "flavanoids", "-m", "cmim")


def diff(*arguments):
    result = run("diff", *arguments, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_a_result_does_not_differ_from_itself(save, three):
    path = save(three, "a.json")
    code, found = diff(path, path)
    assert (code, found["changed"]) == (0, False)
    assert [one["column"] for one in found["columns"]] == three["selection"]["selected"]
    assert {one["change"] for one in found["columns"]} == {"same"}


def test_what_entered_and_left_changes_the_exit_code(save, three, other_three):
    code, found = diff(save(three, "a.json"), save(other_three, "b.json"))
    old, new = (set(one["selection"]["selected"]) for one in (three, other_three))
    kinds = {one["column"]: one["change"] for one in found["columns"]}
    assert code == CHANGED
    assert {name for name, kind in kinds.items() if kind == "entered"} == new - old != set()
    assert {name for name, kind in kinds.items() if kind == "left"} == old - new
    gone = next(one for one in found["columns"] if one["column"] == "flavanoids")
    assert gone["is_gone"]
    assert gone["new"] is None
    assert gone["old"]["rank"] == 1
    assert gone["old"]["gain"] == pytest.approx(three["selection"]["steps"][0]["gain"])


def test_another_order_is_no_other_selection(save, three):
    swapped = json.loads(json.dumps(three))
    steps = swapped["selection"]["steps"]
    steps[0], steps[1] = steps[1], steps[0]
    code, found = diff(save(three, "a.json"), save(swapped, "b.json"))
    assert code == 0
    assert [one["change"] for one in found["columns"]] == ["moved", "moved", "same"]


def test_the_screen_names_every_change(save, three, other_three):
    result = run("diff", save(three, "a.json"), save(other_three, "b.json"))
    assert result.exit_code == CHANGED
    assert "The selection changed: " in result.stdout
    assert "The methods differ: JMI and CMIM." in result.stderr
    for line in result.stdout.splitlines():
        assert ("no longer in the table" in line) == line.startswith("flavanoids")


def test_a_comparison_and_a_selection_can_be_compared(save, three):
    compared = {
        "schema_version": SCHEMA_VERSION,
        "created": "2026-01-01",
        "data": three["data"],
        "selection": None,
        "comparison": {"recommendation": {"method": "JMI", "columns": three["selection"]["selected"]}},
    }
    code, found = diff(save(three, "a.json"), save(compared, "b.json"))
    assert (code, found["changed"]) == (0, False)


@pytest.mark.parametrize(
    "text",
    ["", "no JSON", "[" * 100_000, "{}", "[]", "null", '{"data": 1}', '{"schema_version": 1}', '{"selection": {"steps": [1]}, "data": {}}', "\xff\xfe"],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, save, three, text):
    path = tmp_path / "b.json"
    path.write_bytes(text.encode("latin-1"))
    assert "is not a result of this program" in refused("diff", save(three, "a.json"), path)


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, "1", [1]])
def test_other_versions_of_the_document_are_refused(version, save, three):
    path = save(three | {"schema_version": version}, "b.json")
    assert "has schema version" in refused("diff", save(three, "a.json"), path)


def test_a_device_is_not_read_to_its_end(monkeypatch, save, three):
    monkeypatch.setattr("entropick.cli.difference.MAX_MEGABYTES", 1)
    assert "is not a result of this program" in refused("diff", "/dev/zero", save(three, "new.json"))


def test_a_missing_file_is_named(tmp_path, save, three):
    assert "No such file" in refused("diff", save(three, "a.json"), tmp_path / "none.json")


def test_information_alone_comes_with_its_error(save, three):
    """The scale on which a change from month to month is large or small."""
    path, step = save(three, "a.json"), three["selection"]["steps"][0]
    _, found = diff(path, path)
    place = found["columns"][0]["new"]
    assert [place["alone"], place["alone_error"]] == [step["relevance"], step["relevance_error"]]
    result = run("diff", path, path)
    assert f"{step['relevance']:.4f} ± {step['relevance_error']:.4f}" in result.stdout
    for known in three["selection"]["steps"]:
        known["lead_error"] = 0.01234
    result = run("diff", save(three, "b.json"), path)
    assert f"{step['lead']:.4f} ± 0.0123" in result.stdout
