"""Holds docs/model.schema.json against the parser.

Usage: schema_test.py PROGRAM SOURCE_DIR, where PROGRAM is the freeplay command. Good models must
pass both. Of every model that is made from a good one by a change, the schema may refuse only what
the parser refuses, and must refuse what the parser refuses for its structure. Exits with 77 if
jsonschema 4 is not installed.
"""

import concurrent.futures
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
    r": (unknown (field|scheme|step|solver|rows|axial|inner|leaving|friction_law)\b|is missing|is empty|is (null|true|false|a number|a string|an array|an object);"
    r"|has (\d+ (elements?|rows|corners?);|no force|both|several)|.* is no (name|model name|parameter name)"
    r"|there is no joint type|is '.*'; \"|'.*' does not begin with a number|does not name two"
    r"|give (either |one of )?'|a torque has no point|is \S+; a whole number|is not enough in space)")

# What depends on the body that a load names, which a schema cannot know.
BEYOND_SCHEMA = re.compile(r": loads\[\d+\]\.force\S*: has 2 elements;")

# All fields there are, apart from alternatives and the other joints.
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
        {
            "name": "flat",
            "planar": True,
            "mass": 1,
            "inertia": {"zz": "0.3 kg m^2"},
            "position": [1, "2 m"],
            "orientation": "30 deg",
            "velocity": [0, "1 m/s", 0],
            "angular_velocity": "10 rpm",
        },
        {"name": "solid", "planar": False, "mass": 1, "inertia": {"box": [1, 1, 1]}},
    ],
    "loads": [
        {"body": "arm", "force": [0, "1 N", 0], "at": [0.25, 0, 0], "frame": "body"},
        {"body": "flat", "force": ["1 N", 0], "at": [0, "1 cm", 0]},
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
            "axial": "stops",
            "friction": 0.1,
            "restitution": "50 %",
        }
    ],
    "run": {
        "scheme": "gauss",
        "step": "gauss",
        "solver": "auto",
        "rows": "linearized",
        "theta": "60 %",
        "projection": True,
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
    (("loads", 1, "force"), [1, 0, 0]),
    (("loads", 1, "force"), {"times": [0, 1], "values": [[1, 0], [1, 0, 0]]}),
    (("loads", 2, "torque"), {"times": [], "values": []}),
    (("loads", 2, "torque"), {"times": [0], "values": [[0, 0]]}),
    (("loads", 2, "torque"), [0, 0]),
    (("bodies", 5, "orientation"), {"axis": [0, 0, 1], "angle": "30 deg"}),
    (("bodies", 5, "orientation"), [1, 0, 0, 1]),
    (("bodies", 5, "angular_velocity"), [0, 0, 1]),
    (("bodies", 5, "inertia"), {"box": [1, 1, 1]}),
    (("bodies", 5, "planar"), False),
    (("bodies", 6, "inertia"), {"zz": 1}),
    (("bodies", 6, "orientation"), "30 deg"),
    (("bodies", 6, "angular_velocity"), 1),
    (("bodies", 6, "position"), [1, 2]),
    (("joints", 0, "restitution"), 1.5),
    (("joints", 0, "between"), ["arm", "ground", "box"]),
    (("joints", 0, "pin", "x_axis"), [1, 1, 1]),
    (("run", "theta"), 1.5),
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


# Joints are tried between these bodies, which are all at the origin, and after these joints.
BODIES = [
    {"name": "a", "mass": 1, "inertia": {"sphere": {"radius": 1}}},
    {"name": "b", "mass": 1, "inertia": {"sphere": {"radius": 1}}},
    {"name": "p", "planar": True, "mass": 1, "inertia": {"zz": 1}},
    {"name": "s", "planar": True, "mass": 1, "inertia": {"zz": 1}},
]
AXIS = {"axis": [0, 0, 1]}
BEFORE = [
    {"type": "cylindrical", "name": "sleeve", "between": ["b", "ground"], "pin": AXIS, "length": 1},
    {"type": "prismatic", "name": "slide", "between": ["p", "ground"], "guide": {"axis": [1, 0, 0]}, "length": 1},
    {"type": "revolute", "name": "turn", "between": ["s", "ground"], "pin": AXIS},
]
LOOSE = {"friction": 0.2, "restitution": 0.5, "tangential_restitution": "30 %", "friction_law": "coulomb-contensou",
         "contact_radius": "2 mm"}

# Of every type first a joint with all the fields that go together, then others.
JOINTS = [
    {"type": "revolute", "between": ["a", "b"], "bore": AXIS, "pin": AXIS, "length": 0.1, "radius": 0.02,
     "clearance": "1 mm", "axial_clearance": "1 mm", "axial": "free", **LOOSE},
    {"type": "revolute", "between": ["a", "b"], "bore": AXIS, "length": 0.1},
    {"type": "revolute", "between": ["p", "s"], "bore": AXIS, "clearance": "1 mm"},
    {"type": "cylindrical", "between": ["a", "b"], "sleeve": AXIS, "pin": {"at": [0, 0, 1], **AXIS}, "length": 0.1,
     "radius": 0.02, "clearance": "1 mm", "pin_length": 5, "leaving": "allowed", **LOOSE},
    {"type": "cylindrical", "between": ["a", "b"], "sleeve": AXIS, "length": "10 cm"},
    {"type": "prismatic", "between": ["a", "b"], "slider": {**AXIS, "x_axis": [1, 0, 0]},
     "guide": {**AXIS, "x_axis": [1, 0, 0]}, "inner": "guide", "length": 0.1,
     "profile": {"regular": 3, "side": "20 mm"}, "clearance": "1 mm", "guide_length": 5, "leaving": "ends", **LOOSE},
    {"type": "prismatic", "between": ["a", "b"], "slider": AXIS, "length": 0.1,
     "profile": {"rectangle": [0.02, "30 mm"]}, "guide_profile": {"rectangle": [0.021, 0.031]}},
    {"type": "prismatic", "between": ["a", "b"], "slider": AXIS, "length": 0.1, "clearance": "1 mm",
     "profile": {"corners": [[0, 0], ["3 cm", 0], [0, 0.02]]}},
    {"type": "prismatic", "between": ["a", "b"], "slider": AXIS, "length": 0.1},
    {"type": "prismatic", "between": ["p", "s"], "slider": {"axis": [1, 0, 0]}, "length": 0.1, "width": 0.02,
     "clearance": "1 mm"},
    {"type": "spherical", "between": ["a", "b"], "ball": {"at": [0, 0, 0]}, "socket": [0, 0, 0], "radius": 0.02,
     "clearance": "1 mm", **LOOSE},
    {"type": "spherical", "between": ["p", "s"], "ball": [1, 0, 0]},
    {"type": "fixed", "between": ["a", "b"], "first": AXIS, "second": AXIS},
    {"type": "fixed", "between": ["p", "ground"], "second": AXIS},
    {"type": "planar", "between": ["a", "b"], "first": AXIS, "second": AXIS},
    {"type": "universal", "between": ["a", "b"], "first": AXIS, "second": AXIS},
    {"type": "distance", "between": ["a", "b"], "first": [0, 0, 0], "second": {"at": [1, 0, 0]}, "length": "1 m",
     "clearance": "1 mm", **LOOSE},
    {"type": "distance", "between": ["p", "ground"], "first": [0, 0, 0], "second": [1, 0, 0]},
    {"type": "point_on_line", "between": ["a", "b"], "point": [0, 0, 1], "line": AXIS, "clearance": "1 mm", **LOOSE},
    {"type": "point_on_line", "between": ["p", "s"], "line": {"axis": [1, 0, 0]}},
    {"type": "point_on_plane", "between": ["a", "b"], "point": [1, 1, 0], "plane": AXIS, "clearance": "1 mm", **LOOSE},
    {"type": "gear", "joints": ["sleeve", "slide"], "travel_per_turn": "5 mm"},
    {"type": "gear", "joints": ["sleeve", "turn"], "teeth": [20, -41]},
    {"type": "gear", "joints": ["slide", "sleeve"], "ratio": "=1/3"},
    {"type": "driver", "joint": "sleeve", "rotation": {"speed": "60 rpm"}},
    {"type": "driver", "joint": "sleeve", "translation": {"speed": "1 mm/s"}},
    {"type": "driver", "joint": "turn", "rotation": {"amplitude": "30 deg", "frequency": "2 Hz", "phase": 1}},
    {"type": "driver", "joint": "slide", "translation": {"times": [0, "100 ms", 1], "values": [0, "1 cm", 0.02]}},
    {"type": "plane_contact", "between": ["a", "b"], "point": {"at": [0, 0, 3], **AXIS}, "plane": AXIS, "radius": 1,
     **LOOSE},
    {"type": "plane_contact", "between": ["p", "ground"], "point": {"at": [0, 3, 0], "axis": [0, 0, 1]},
     "plane": {"axis": [0, 1, 0]}, "box": [1, "1 m", 0]},
    {"type": "sphere_contact", "between": ["a", "b"], "first": [3, 0, 0], "second": [0, 0, 0], "first_radius": 1,
     "second_radius": "1 m", **LOOSE},
    {"type": "cylinder_contact", "between": ["a", "b"], "point": [3, 0, 0], "cylinder": AXIS, "radius": 1,
     "cylinder_radius": 1, **LOOSE},
]

# What both refuse: a joint of JOINTS by its number, and what is added to it or put in place of its fields.
WRONG_JOINTS = [
    (0, {"axial": "fre"}),
    (0, {"profile": {"regular": 3, "side": 1}}),
    (0, {"restitution": 2}),
    (0, {"tangential_restitution": 2}),
    (0, {"friction_law": "amontons"}),
    (0, {"contact_radius": -1}),
    (3, {"leaving": "never"}),
    (5, {"inner": "a"}),
    (5, {"profile": {"regular": 2, "side": 1}}),
    (5, {"profile": {"regular": 65, "side": 1}}),
    (5, {"profile": {"regular": 3.5, "side": 1}}),
    (5, {"profile": {"regular": 3}}),
    (5, {"profile": {"regular": 3, "side": 1, "rectangle": [1, 1]}}),
    (5, {"profile": {"rectangle": [1, 0]}}),
    (5, {"profile": {"corners": [[0, 0], [1, 0]]}}),
    (5, {"profile": [[0, 0], [1, 0], [0, 1]]}),
    (10, {"ball": {"at": [0, 0, 0], "axis": [0, 0, 1]}}),
    (12, {"friction": 0.1}),
    (12, {"clearance": 0.1}),
    (21, {"between": ["a", "b"]}),
    (21, {"teeth": [1, 2]}),
    (21, {"joints": ["sleeve"]}),
    (22, {"teeth": [1.5, 2]}),
    (22, {"teeth": [1, 2, 3]}),
    (23, {"friction": 0}),
    (24, {"translation": {"speed": 1}}),
    (24, {"rotation": {"speed": 1, "amplitude": 1}}),
    (24, {"rotation": {"amplitude": 1}}),
    (24, {"rotation": {"times": [0], "values": [0]}}),
    (24, {"between": ["a", "b"]}),
    (28, {"box": [1, 1]}),
]


def model_with(joint):
    """A model whose last joint is the one given."""
    return {"bodies": BODIES, "joints": [*BEFORE, {"name": "tried", **joint}]}


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


def changed(original, path, value):
    model = copy.deepcopy(original)
    at(model, path[:-1])[path[-1]] = value
    return model


def without(original, path):
    model = copy.deepcopy(original)
    del at(model, path[:-1])[path[-1]]
    return model


def variants_of(original, paths):
    """Models that differ from the original at one of the paths."""
    for path in paths:
        yield f"without {path}", without(original, path)
        for value in STAND_INS:
            yield f"{path} = {value!r}", changed(original, path, value)
        if isinstance(at(original, path), dict) and path != ("parameters",):
            yield f"{path} with more", changed(original, (*path, "more"), 1)
        if isinstance(at(original, path), list):
            yield f"{path} longer", changed(original, path, at(original, path) + at(original, path)[:1])


def variants():
    yield from variants_of(FULL, places(FULL))
    yield "with more", changed(FULL, ("more",), 1)
    for path, value in CHANGES:
        yield f"{path} = {value!r}", changed(FULL, path, value)
    yield from joint_variants()


def joint_variants():
    """Changes within each field of JOINTS; those of equal fields of one type once."""
    seen = set()
    for joint in JOINTS:
        model, top = model_with(joint), ("joints", len(BEFORE))
        paths = [top]
        for key, value in at(model, top).items():
            if (joint["type"], key, str(value)) not in seen:
                paths += [(*top, key), *places(value, (*top, key))]
            seen.add((joint["type"], key, str(value)))
        for name, variant in variants_of(model, paths):
            yield f"{joint['type']}: {name}", variant


def documented_blocks():
    """All that is JSON in model-format.md."""
    text = (SOURCE / "docs" / "model-format.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield json.loads(block)


def documented_models():
    """The models in model-format.md; joints that stand alone are put between bodies at the origin."""
    for block in documented_blocks():
        if "bodies" in block:
            yield block
            continue
        joints = block if isinstance(block, list) else [block]
        names = {name for joint in joints for name in joint.get("between", ())} - {"ground"}
        bodies = [{"name": name, "mass": 1, "inertia": {"sphere": {"radius": 1}}} for name in sorted(names)]
        yield {"bodies": bodies, "joints": joints}


def good_models():
    yield "FULL", FULL
    for joint in JOINTS:
        yield str(joint), model_with(joint)
    for path in sorted((SOURCE / "examples").glob("*.json")):
        yield path.name, json.loads(path.read_text(encoding="utf-8"))
    for number, model in enumerate(documented_models()):
        yield f"model-format.md, block {number}", model


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
    names, models = zip(*variants())
    with concurrent.futures.ThreadPoolExecutor() as pool:
        refusals = list(pool.map(parser_refusal, models))
    for name, model, refusal in zip(names, models, refusals):
        is_valid = VALIDATOR.is_valid(model)
        if not is_valid and not refusal:
            problems.append(f"only the schema refuses: {name}")
        if is_valid and refusal and STRUCTURE.search(refusal) and not BEYOND_SCHEMA.search(refusal):
            problems.append(f"only the parser refuses: {name}: {refusal}")
        count += 1
        refused += not is_valid
    assert not problems, "\n".join(problems)
    return count, refused


def check_wrong_joints():
    for number, fields in WRONG_JOINTS:
        model = model_with({**JOINTS[number], **fields})
        assert parser_refusal(model), f"the parser accepts {JOINTS[number]} with {fields}"
        assert not VALIDATOR.is_valid(model), f"the schema accepts {JOINTS[number]} with {fields}"


def listed(path, value):
    """The names that the parser lists when it refuses a value or a key."""
    refusal = parser_refusal(changed(FULL, path, value))
    return re.search(r"[Pp]ossible: (.*)$", refusal or "").group(1).split(", ")


def check_choices():
    definitions = SCHEMA["$defs"]
    for key in ("scheme", "step", "solver", "rows"):
        assert definitions["run"]["properties"][key]["enum"] == listed(("run", key), "?"), key
    types = listed(("joints", 0, "type"), "?")
    assert definitions["joint"]["properties"]["type"]["enum"] == types
    for joint_type in types:
        fields = listed(("joints", 0), {"type": joint_type, "name": "j", "?": 1})
        assert list(definitions[joint_type]["properties"]) == fields, joint_type
    tried = {joint["type"] for joint in JOINTS}
    assert tried == set(types), f"not tried: {set(types) - tried}"
    documented = {joint["type"] for model in documented_models() for joint in model.get("joints", ())}
    assert documented == set(types), f"model-format.md has no sample of {set(types) - documented}"


def resolved(schema):
    """What a $ref refers to, together with what stands beside it, and the name of the first one."""
    name = schema.get("$ref", "").rpartition("/")[2]
    while "$ref" in schema:
        target = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return name, schema


def has_kind(schema, kind):
    """Whether the schema of a field is that of a kind in the words of `freeplay list --fields`."""
    name, schema = resolved(schema)
    if kind.startswith("choice: "):
        return schema.get("enum") == kind.removeprefix("choice: ").split(", ")
    if kind in ("frame", "point", "profile", "motion"):
        return name == kind
    if kind == "joint":
        return name == "joint_name"
    if kind == "number":
        return schema["type"] == ["number", "string"]
    count, element = {"vector": (3, "number"), "two counts": (2, "integer"), "two joints": (2, "string")}[kind]
    return schema["minItems"] == schema["maxItems"] == count and element in resolved(schema["items"])[1]["type"]


def check_fields():
    """Every field of every joint type has its kind and is required where it must be."""
    lines = subprocess.run([PROGRAM, "list", "--fields"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        field, kind, unit, need, _ = re.split(r"  +", line, maxsplit=4)
        joint_type, _, name = field.partition(".")
        definition = SCHEMA["$defs"][joint_type]
        assert has_kind(definition["properties"][name], kind), line
        assert (name in definition.get("required", ())) == (need == "required"), line
        assert unit in ("m", "rad", "1", "-"), line


def main():
    Draft202012Validator.check_schema(SCHEMA)
    check_good_models()
    check_choices()
    check_fields()
    check_wrong_joints()
    count, refused = check_variants()
    assert refused > count / 2, "the variants hardly differ from a good model"
    print(f"{count} variants, {refused} of them refused by schema and parser")


main()
