"""Writes src/virtual/grib/parameters.generated.ts: what eccodes calls the parameters and level types of GRIB.

    python3 -m venv venv && venv/bin/pip install eccodes eccodeslib
    venv/bin/python scripts/oracles/make_grib_parameters.py

eccodes is asked for the name of each number of WMO's tables, of those of NCEP and of ECMWF: at a pressure level, and
at levels and with statistics that give a number another name (2 m temperature, total precipitation).
"""

from importlib.metadata import version
from pathlib import Path

import eccodes as ec

OUT = Path(__file__).parents[2] / "src/virtual/grib/parameters.generated.ts"
INSTANT = -1
STATISTICS = [INSTANT, 0, 1, 2, 3, 4]
# Types of the first surface, and values at which parameters have names of their own; None: any other.
LEVELS = [(100, None), (1, None), (101, None), (103, 2), (103, 10), (103, 100), (103, None), (106, None), (8, None), (10, None), (200, None), (105, None), (102, None), (104, None), (108, None), (2, None), (160, None), (4, None), (7, None)]
CATEGORIES = {0: [*range(0, 8), *range(13, 22), 190, 191], 1: range(0, 3), 2: [0, 3, 4, 5], 3: [0, 1, 2, 5, 6], 4: range(0, 11), 10: [0, 1, 2, 3, 4, 191], 192: [128, 129, 130, 131, 132, 133, 140, 151, 162, 170, 171, 172, 173, 174, 180, 201, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 228, 230, 234, 235, 254]}
NAMES = ["shortName", "cfVarName", "name", "units", "cfName"]


def parameter(h, known):
    number = ec.codes_get(h, "paramId", int)
    if number == 0:
        return None
    if number not in known:
        texts = [ec.codes_get(h, key, str) for key in NAMES]
        short, variable, name, units, standard = ["" if each in ("unknown", "undef", "~") else each for each in texts]
        known[number] = [short, "" if variable == short else variable, name, units, standard]
    return number


def wanted(centre):
    """Numbers to ask for: of NCEP those that are its own, of ECMWF those of its tables in discipline 192."""
    for discipline, categories in CATEGORIES.items():
        for category in categories:
            for number in range(255):
                is_local = number >= 192 or category >= 190
                if centre == 98 if discipline == 192 else centre == (7 if is_local else 0):
                    yield discipline, category, number


# Who has no name in any of these has none in others.
PROBES = [(INSTANT, 100, None), (INSTANT, 1, None), (INSTANT, 103, 2), (INSTANT, 10, None), (INSTANT, 106, None), (1, 1, None), (0, 1, None)]


def second_edition(known):
    """Lines of "discipline.category.number": the parameter, and others by statistic, type and value of the level."""
    found = {}
    combinations = PROBES + [(s, *level) for s in STATISTICS for level in LEVELS if (s, *level) not in PROBES]
    for centre in (0, 7, 98):
        numbers = list(wanted(centre))
        for i, (statistic, kind, value) in enumerate(combinations):
            if i == len(PROBES):
                suffix = (centre,) if centre == 7 else ()
                numbers = [each for each in numbers if (*each, *suffix) in found]
            h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
            ec.codes_set(h, "tablesVersion", 28)
            ec.codes_set(h, "centre", centre)
            ec.codes_set(h, "productDefinitionTemplateNumber", 0 if statistic == INSTANT else 8)
            if statistic != INSTANT:
                ec.codes_set(h, "typeOfStatisticalProcessing", statistic)
            ec.codes_set(h, "typeOfFirstFixedSurface", kind)
            ec.codes_set(h, "typeOfSecondFixedSurface", 255)
            ec.codes_set(h, "scaleFactorOfFirstFixedSurface", 0)
            stated = 50000 if value is None and kind == 100 else 37 if value is None else value
            ec.codes_set(h, "scaledValueOfFirstFixedSurface", stated)
            for discipline, category, number in numbers:
                ec.codes_set(h, "discipline", discipline)
                ec.codes_set(h, "parameterCategory", category)
                ec.codes_set(h, "parameterNumber", number)
                param = parameter(h, known)
                if param is not None:
                    key = (discipline, category, number) + ((centre,) if centre == 7 else ())
                    found.setdefault(key, {})[(statistic, kind, value)] = param
            ec.codes_release(h)
    lines = []
    for key, by in sorted(found.items()):
        default = by.get((INSTANT, 100, None)) or max(by.values(), key=list(by.values()).count)
        others = [f"{s}:{k}:{'' if v is None else v}={p}" for (s, k, v), p in by.items() if p != default]
        # What a statistic gives at every level is said once.
        for statistic in STATISTICS[1:]:
            at_all = [by.get((statistic, kind, value)) for kind, value in LEVELS]
            if at_all[0] not in (None, default) and len(set(at_all)) == 1:
                others = [each for each in others if not each.startswith(f"{statistic}:")] + [f"{statistic}::={at_all[0]}"]
        lines.append(" ".join([".".join(str(each) for each in key), str(default), *others]))
    return lines


def first_edition(known):
    """Lines of "table.number" (of centre 98: tables from 128), or "table.number.centre"."""
    lines = []
    for centre, tables in ((98, [1, 2, 3, 128, 129, 130, 131, 132, 140, 150, 151, 160, 162, 170, 171, 172, 173, 174, 180, 190, 200, 201, 210, 211, 228, 230, 234, 235]), (7, [2, 3, 129, 130, 131, 140, 141])):
        h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
        ec.codes_set(h, "centre", centre)
        for table in tables:
            ec.codes_set(h, "table2Version", table)
            for number in range(1, 256):
                ec.codes_set(h, "indicatorOfParameter", number)
                by = {}
                for kind, value in ((100, 500), (1, 0), (105, 2), (105, 10)):
                    ec.codes_set(h, "indicatorOfTypeOfLevel", kind)
                    ec.codes_set(h, "level", value)
                    param = parameter(h, known)
                    if param is not None:
                        by[(kind, value)] = param
                if not by:
                    continue
                default = by.get((100, 500)) or next(iter(by.values()))
                others = [f"{k}:{v}={p}" for (k, v), p in by.items() if p != default]
                suffix = "" if centre == 98 else f".{centre}"
                lines.append(" ".join([f"{table}.{number}{suffix}", str(default), *others]))
    return lines


def levels_of(sample, keys):
    found = {}
    h = ec.codes_grib_new_from_samples(sample)
    for first in range(1, 255):
        for second in [255, first] if len(keys) > 1 else [None]:
            ec.codes_set(h, keys[0], first)
            if second is not None:
                ec.codes_set(h, keys[1], second)
            name = ec.codes_get(h, "typeOfLevel", str)
            if name not in ("unknown", "undef"):
                found[f"{first}" if second in (None, 255) else f"{first}.{second}"] = name
    return " ".join(f"{key}={name}" for key, name in found.items())


def constant(name, comment, text):
    return f"/** {comment} */\nexport const {name} =\n  {text};\n"


if __name__ == "__main__":
    known = {}
    second = second_edition(known)
    first = first_edition(known)
    quote = lambda lines: "`" + "\n".join(lines).replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${") + "`"
    parameters = [f"{number}|" + "|".join(texts) for number, texts in sorted(known.items())]
    OUT.write_text(
        f"// Written by scripts/oracles/make_grib_parameters.py with eccodes {version('eccodes')}.\n\n"
        + constant("PARAMETERS", "Number, short name, name of the variable if it is another, name, units, standard name.", quote(parameters))
        + "\n" + constant("SECOND_EDITION", "Discipline, category and number: a parameter, and others by statistic, level type and level.", quote(second))
        + "\n" + constant("FIRST_EDITION", "Table and number: a parameter, and others by level type and level.", quote(first))
        + "\n" + constant("SECOND_LEVELS", "Types of the first surface, or of both.", quote([levels_of("regular_ll_sfc_grib2", ["typeOfFirstFixedSurface", "typeOfSecondFixedSurface"])]))
        + "\n" + constant("FIRST_LEVELS", "Types of levels.", quote([levels_of("regular_ll_sfc_grib1", ["indicatorOfTypeOfLevel"])]))
    )
