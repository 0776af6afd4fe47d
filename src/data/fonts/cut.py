"""Cuts Inter to the glyphs that reports need and writes the files beside this script.

    python cut.py FOLDER      FOLDER holds Inter-Regular.otf and Inter-SemiBold.otf (Debian's fonts-inter, 3.19)

Needs fontTools and brotli. Changes, because Inter's licence has no reserved font name: family renamed to
"Ethogram Sans"; digits and punctuation of numbers point at their tabular forms (no chart backend turns on `tnum`);
contextual alternates dropped (text is data: `->` must stay two characters); ascent - descent set to 1.24 em, the
ratio that plotters assumes.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).parent
FAMILY = "Ethogram Sans"
# Inter SemiBold is registered as Bold, since charts know two weights.
CUTS = [("Inter-Regular.otf", "Regular", 400), ("Inter-SemiBold.otf", "Bold", 700)]
SIGNS = "−±×·–—‘’“”…≤≥≈≠∞→←↑↓▲▼●○■◆✓✗•⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉€\u00a0\u2009\ufffd"
TABULAR = "0123456789+−.,:%()/<>=±"


def wanted():
    ranges = [(0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF)]
    return [code for low, high in ranges for code in range(low, high + 1)] + [ord(sign) for sign in SIGNS]


def tabular_forms(font):
    table = font["GSUB"].table
    lookups = {i for record in table.FeatureList.FeatureRecord if record.FeatureTag == "tnum"
               for i in record.Feature.LookupListIndex}
    forms = {}
    for index in sorted(lookups):
        for sub in table.LookupList.Lookup[index].SubTable:
            forms.update(getattr(sub, "ExtSubTable", sub).mapping)
    return forms


def point_at_tabular(font):
    forms = tabular_forms(font)
    for cmap in font["cmap"].tables:
        if cmap.isUnicode():
            for sign in TABULAR:
                glyph = cmap.cmap.get(ord(sign))
                if glyph in forms:
                    cmap.cmap[ord(sign)] = forms[glyph]


def set_line_height(font):
    em = font["head"].unitsPerEm
    extra = round(1.24 * em) - (font["hhea"].ascent - font["hhea"].descent)
    font["hhea"].ascent += extra // 2
    font["hhea"].descent -= extra - extra // 2
    font["hhea"].lineGap = 0


def rename(font, style, weight):
    plain = FAMILY.replace(" ", "")
    names = {1: FAMILY, 2: style, 3: f"{plain}-{style}", 4: f"{FAMILY} {style}", 6: f"{plain}-{style}"}
    table = font["name"]
    table.names = [name for name in table.names if name.nameID in (0, 5, 13, 14)]
    for number, text in names.items():
        table.setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = 0x20 if style == "Bold" else 0x40
    font["head"].macStyle = 1 if style == "Bold" else 0
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [f"{plain}-{style}"]
        cff.topDictIndex[0].FullName = f"{FAMILY} {style}"
        cff.topDictIndex[0].FamilyName = FAMILY
        cff.topDictIndex[0].Weight = style


def cut(source, style, weight):
    font = TTFont(source)
    point_at_tabular(font)
    options = subset.Options(layout_features=["kern", "mark", "mkmk"], name_IDs=["*"], hinting=False,
                             notdef_outline=True, drop_tables=["meta", "DSIG", "GDEF"])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted())
    cutter.subset(font)
    set_line_height(font)
    rename(font, style, weight)
    name = f"EthogramSans-{style}"
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.save(HERE / f"{name}.otf")
    font.flavor = "woff2"
    font.save(HERE / f"{name}.woff2")


for file, style, weight in CUTS:
    cut(pathlib.Path(sys.argv[1]) / file, style, weight)
