"""Holds docs/model.schema.json against the parser.

Usage: schema_test.py PROGRAM SOURCE_DIR, where PROGRAM is the freeplay command. Good models must
pass both. Of every model that is made from a good one by a change, the schema may refuse only what
the parser refuses, and must refuse what the parser refuses for its structure. Exits with 77 if
jsonschema 4 is not installed.
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: the Python package jsonschema (4 or later) is not installed")
    sys.exit(77)

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SCHEMA = json.loads((SOURCE / "docs" / "model.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

# Refusals that tell of structure: keys, types, numbers of elements, spelling of names and choices.
STRUCTURE = re.compile(
    r": (unknown (field|scheme|step|solver|rows)|is missing|is empty|is (null|true|false|a number|a string|an array|an object);"
    r"|has (\d+ (elements?|rows);|no force|both|several)|.* is no (name|model name|parameter name)"
    r"|there is no joint type|is '.*'; \"|'.*' does not begin with a number|does not name two"
    r"|give '|a torque has no point)")

# All fields there are, apart from alternatives.
FULL = {
    "$schema": "model.schema.json",
    "name": "everything",
    "description": "Every field once",
    "parameters": {"c": "0.1 mm", "m": 2, "R": "=20*$c + 1 cm", "_x1": "$c"},
    "gravity": [0, "-9.81 m/s^2", 0],
    "bodies": [
        {
            "name": "arm",
            "mass": "$m",
            "inertia": {"cylinder": {"radius": "$R", "length": 0.5, "axis": "x"}},
            "position": [0.25, 0, 0],
            "orientation": {"axis": [1, 0, 0], "angle": "0 deg"},
            "velocity": [0, 0, "1 mm/s"],
            "angular_velocity": [0, 0, "10 rpm"],
        },
        {
            "name": "ball-2",
            "mass": 1,
            "inertia": {"sphere": {"radius": 1}},
            "orientation": [1, 0, 0, 0],
        },
        {"name": "box", "mass": 1, "inertia": {"box": [1, 2, "3 mm"]}},
        {"name": "plate", "mass": 1, "inertia": {"principal": [1, 1, 2]}},
        {"name": "stone", "mass": 1, "inertia": {"matrix": [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]]}},
    ],
    "loads": [
        {"body": "arm", "force": [0, "1 N", 0], "at": [0.25, 0, 0], "frame": "body"},
        {"body": "box", "torque": {"times": [0, "1 s"], "values": [[0, 0, 0], [0, 0, "1 N m"]]}},
    ],
    "joints": [
        {
            "type": "revolute",
            "name": "hinge",
            "between": ["arm", "ground"],
            "bore": {"at": [-0.25, 0, 0], "axis": [0, 0, 1], "x_axis": [1, 0, 0]},
            "pin": {"axis": [0, 0, 1]},
            "length": "40 mm",
            "radius": "$R",
            "clearance": "$c",
            "axial_clearance": "$c",
        }
    ],
    "run": {
        "scheme": "gauss",
        "step": "gauss",
        "solver": "auto",
        "rows": "linearized",
        "h": "1 ms",
        "h_min": "0.1 ms",
        "h_max": "1 ms",
        "t_end": "1 s",
    },
}

# Values that stand in for each value of FULL in turn.
STAND_INS = [None, -5, "x", "5 kg", [], [0, 0, 0], {}]

# Changes that stand-ins do not reach: path and new value.
CHANGES = [
    (("bodies", 0, "name"), "ground"),
    (("bodies", 0, "name"), "two words"),
    (("bodies", 0, "name"), "x" * 61),
    (("bodies", 0, "inertia"), {"box": [1, 1, 1], "sphere": {"radius": 1}}),
    (("bodies", 0, "inertia"), {"box": [1, 1, 1, 1]}),
    (("bodies", 0, "inertia"), {"cylinder": {"radius": 1, "length": 1, "axis": "w"}}),
    (("bodies", 0, "orientation"), {"axis": [0, 0, 0], "angle": 1}),
    (("loads", 0), {"body": "arm", "force": [1, 0, 0], "torque": [1, 0, 0]}),
    (("loads", 0), {"body": "arm", "force": [1, 0, 0], "torque": [1, 0, 0], "at": [0, 0, 0]}),
    (("loads", 0), {"body": "arm", "torque": [1, 0, 0], "at": [0, 0, 0]}),
    (("loads", 0), {"body": "arm", "torque": [1, 0, 0], "frame": "body"}),
    (("loads", 0), {"body": "arm"}),
    (("loads", 0, "frame"), "global"),
    (("loads", 1, "torque"), {"times": [], "values": []}),
    (("joints", 0, "between"), ["arm", "ground", "box"]),
    (("joints", 0, "pin", "x_axis"), [1, 1, 1]),
    (("name",), "../x"),
    (("name",), "two words"),
    (("name",), "caf\u00e9 2.1"),
    (("name",), "x" * 61),
    (("parameters",), {"2c": 1}),
    (("parameters",), {"a b": 1}),
    (("parameters",), {"c": "0.1 mm", "m": 2, "R": 1, "x" * 61: 1}),
    (("parameters", "R"), " \t-.5e-3 m"),
    (("parameters", "R"), "+5 cm"),
    (("parameters", "R"), "-$c"),
]


def parser_refusal(model):
    """What the parser says against a model, None if it accepts it."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        path.write_text(json.dumps(model), encoding="utf-8")
        result = subprocess.run([PROGRAM, "check", path], capture_output=True, timeout=60)
    if result.returncode == 0:
        return None
    if result.returncode < 0:
        raise AssertionError(f"the parser died of signal {-result.returncode}: {model}")
    return result.stderr.decode("utf-8").strip() or "refused without a word"


def places(value, path=()):
    """Paths to all values within a value; of several numbers in a row to the first."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        if key in (1, 2, 3) and not isinstance(value[key], (dict, list)):
            continue
        yield (*path, key)
        yield from places(value[key], (*path, key))


def at(model, path):
    for key in path:
        model = model[key]
    return model


def changed(path, value):
    model = copy.deepcopy(FULL)
    at(model, path[:-1])[path[-1]] = value
    return model


def without(path):
    model = copy.deepcopy(FULL)
    del at(model, path[:-1])[path[-1]]
    return model


def variants():
    """Models that differ from FULL in one place."""
    for path in places(FULL):
        yield f"without {path}", without(path)
        for value in STAND_INS:
            yield f"{path} = {value!r}", changed(path, value)
        if isinstance(at(FULL, path), dict) and path != ("parameters",):
            yield f"{path} with more", changed((*path, "more"), 1)
        if isinstance(at(FULL, path), list):
            yield f"{path} longer", changed(path, at(FULL, path) + at(FULL, path)[:1])
    yield "with more", changed(("more",), 1)
    for path, value in CHANGES:
        yield f"{path} = {value!r}", changed(path, value)


def documented_models():
    """The complete models in model-format.md."""
    text = (SOURCE / "docs" / "model-format.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if block.startswith("{") and '"bodies"' in block:
            yield json.loads(block)


def good_models():
    yield "FULL", FULL
    for path in sorted((SOURCE / "examples").glob("*.json")):
        yield path.name, json.loads(path.read_text(encoding="utf-8"))
    documented = list(documented_models())
    assert documented, "model-format.md has no complete model"
    for number, model in enumerate(documented):
        yield f"model-format.md, model {number}", model


def check_good_models():
    for name, model in good_models():
        errors = [error.message for error in VALIDATOR.iter_errors(model)]
        assert not errors, f"the schema refuses {name}: {errors}"
        refusal = parser_refusal(model)
        assert refusal is None, f"the parser refuses {name}: {refusal}"


def check_variants():
    """Returns how many variants there were, and how many of them both refuse."""
    count = refused = 0
    problems = []
    for name, model in variants():
        refusal = parser_refusal(model)
        is_valid = VALIDATOR.is_valid(model)
        if not is_valid and not refusal:
            problems.append(f"only the schema refuses: {name}")
        if is_valid and refusal and STRUCTURE.search(refusal):
            problems.append(f"only the parser refuses: {name}: {refusal}")
        count += 1
        refused += not is_valid
    assert not problems, "\n".join(problems)
    return count, refused


def listed(path, value):
    """The names that the parser lists when it refuses a value or a key."""
    refusal = parser_refusal(changed(path, value))
    return re.search(r"[Pp]ossible: (.*)$", refusal or "").group(1).split(", ")


def check_choices():
    definitions = SCHEMA["$defs"]
    for key in ("scheme", "step", "solver", "rows"):
        assert definitions["run"]["properties"][key]["enum"] == listed(("run", key), "?"), key
    types = listed(("joints", 0, "type"), "?")
    assert definitions["joint"]["properties"]["type"]["enum"] == types
    for joint_type in types:
        model_joint = {"type": joint_type, "name": "j", "between": ["arm", "ground"], "?": 1}
        fields = listed(("joints", 0), model_joint)
        assert list(definitions[joint_type]["properties"]) == fields, joint_type


def main():
    Draft202012Validator.check_schema(SCHEMA)
    check_good_models()
    check_choices()
    count, refused = check_variants()
    assert refused > count / 2, "the variants hardly differ from a good model"
    print(f"{count} variants, {refused} of them refused by schema and parser")


main()
