"""Writes src/tables/*.ts: the colours of matplotlib and cmocean, and of ColorBrewer as matplotlib has it.

    python -m venv /tmp/tables && /tmp/tables/bin/pip install matplotlib==3.10.8 cmocean==4.0.3
    /tmp/tables/bin/python packages/colors/scripts/make_tables.py

A scale is a string in base64: the red, green and blue of each colour from the lowest to the highest. Scales
of 256 colours are continuous; shorter ones are for categories.
"""
import base64
from pathlib import Path

import cmocean
import matplotlib
import numpy as np

FOLDER = Path(__file__).parents[1] / "src" / "tables"
BREWER = (
    "Blues BrBG BuGn BuPu GnBu Greens Greys OrRd Oranges PRGn PiYG PuBu PuBuGn PuOr PuRd Purples RdBu RdGy RdPu"
    " RdYlBu RdYlGn Reds Spectral YlGn YlGnBu YlOrBr YlOrRd Accent Dark2 Paired Pastel1 Pastel2 Set1 Set2 Set3"
).split()


def table(colors, name):
    lut = colors(np.arange(colors.N))[:, :3]
    assert colors.N == 256 or colors.N < 32 or name.startswith("twilight"), (name, colors.N)
    if 256 < colors.N:
        lut = colors(np.linspace(0, 1, 256))[:, :3]
    return base64.b64encode(np.rint(lut * 255).astype(np.uint8).tobytes()).decode()


def write(family, source, scales):
    lines = [f"/** Made by scripts/make_tables.py from {source}. */"]
    lines.append(f"export const {family.upper()}: Readonly<Record<string, string>> = {{")
    lines += [f'  {name}: "{table(colors, name)}",' for name, colors in sorted(scales.items())]
    (FOLDER / f"{family}.ts").write_text("\n".join([*lines, "};", ""]))
    return f"  {family}: [\n" + "".join(f'    "{name}",\n' for name in sorted(scales)) + "  ],\n"


every = {name: matplotlib.colormaps[name] for name in matplotlib.colormaps if not name.endswith("_r")}
aliases = {"grey", "gist_grey", "gist_yerg", "Grays", "gist_gray", "gist_yarg"}
own = {n: c for n, c in every.items() if n not in BREWER and n not in aliases and not n.startswith("cmo.")}
brewer = {name: every[name] for name in BREWER}
ocean = {name: colors for name, colors in cmocean.cm.cmap_d.items() if not name.endswith(("_r", "_i", "_r_i"))}
here = f"matplotlib {matplotlib.__version__}"
names = write("matplotlib", here, own)
names += write("cmocean", f"cmocean {cmocean.__version__}", ocean)
names += write("colorbrewer", f"{here}, which has those of ColorBrewer", brewer)
head = "/** Made by scripts/make_tables.py: the names of all scales. Each has a reverse, with `_r` after its name. */\n"
(FOLDER / "names.ts").write_text(f"{head}export const colorNames = {{\n{names}}} as const;\n")
