/** `wazarr get`: prints elements of an array, or writes them to a file. */

import { type Command, type CommandLine, UsageError } from "../command.js";
import { ALLOW } from "../common-options.js";
import { type Elements, openElements } from "../get/elements.js";
import { FORMATS } from "../get/formats.js";
import { parseSelection, SELECTION } from "../get/selection.js";
import { shapeOf } from "../get/slabs.js";
import { tableInColour, tableOf } from "../get/table.js";
import { print, withHeldOutput } from "../output.js";
import { withOutputFile } from "../output-file.js";
import { product } from "../product.js";
import { nodeOfOperands } from "../stores.js";
import { createProgress } from "../text/progress.js";

type Format = keyof typeof FORMATS | "table";

const isFormat = (name: string): name is Format => name === "table" || Object.hasOwn(FORMATS, name);

export const get: Command = {
  name: "get",
  summary: "prints elements of an array, or writes them to a file",
  operands: ["STORE", "[PATH]"],
  description: [
    "Without --out and --format, it prints a table, with the first and last elements of long dimensions. Elements are decoded by the CF conventions, as wazarr info and the viewer show them: packed numbers are unpacked, missing values are NaN, times are dates. In v2 the fill value of an array with named dimensions is a missing value, in v3 only the attribute _FillValue is.",
    "Formats: json is an object with shape, data_type, units and all elements in one list; lists is nested JSON lists; csv has a row for each element, with its labels; npy is NumPy's format. 64-bit integers in JSON are strings of digits; NaN and Infinity are strings.",
  ],
  options: {
    ...SELECTION,
    format: {
      type: "string",
      choices: ["table", ...Object.keys(FORMATS)],
      help: "The format. Default: that of the file name in --out.",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "Writes a .json, .csv or .npy file; - writes to standard output, as JSON without --format. The file appears only when it is complete.",
    },
    overwrite: { type: "flag", help: "Replaces an existing file." },
    raw: { type: "flag", help: "Gives elements as they are stored, not decoded." },
    allow: ALLOW,
  },
  examples: [
    "wazarr get temperature.zarr t2m",
    'wazarr get temperature.zarr t2m --select "time=2026-08-01,lat=40:60" --out august.csv',
    'wazarr get temperature.zarr t2m --select "lat=47.3,lon=-7.5" --nearest --wrap lon=360',
    'wazarr get terrain.zarr heights --select "0:10,::2" --format lists',
  ],
  run: getElements,
};

async function getElements(line: CommandLine): Promise<void> {
  const out = line.text("out");
  const format = formatOf(line.text("format"), out);
  const selection = parseSelection(line);
  const name = nodeOfOperands(line.operands, line.list("allow"));
  const elements = await openElements(name, selection, line.flag("raw"));
  if (format === "table") {
    const columns = process.stdout.columns ?? DEFAULT_COLUMNS;
    const text = await tableOf(elements, columns);
    await (out === undefined || out === "-"
      ? print(text, tableInColour)
      : withOutputFile(out, { overwrite: line.flag("overwrite") }, (output) => output.write(text)));
    return;
  }
  const isToTerminal = (out === undefined || out === "-") && process.stdout.isTTY;
  if (isToTerminal) checkForTerminal(elements, format);
  const progress = createProgress("elements");
  const total = product(shapeOf(elements));
  const write = (output: Parameters<(typeof FORMATS)[typeof format]>[1]): Promise<void> =>
    FORMATS[format](elements, output, (count) => progress.update(count, total));
  try {
    await (out === undefined || out === "-"
      ? withHeldOutput(write)
      : withOutputFile(out, { overwrite: line.flag("overwrite") }, write));
  } finally {
    progress.end();
  }
}

/** Columns of a table, unless the terminal says how many it has. */
const DEFAULT_COLUMNS = 100;

/** @throws UsageError for a file name that does not give a format */
function formatOf(format: string | undefined, out: string | undefined): Format {
  if (format !== undefined && isFormat(format)) return format;
  if (out === undefined) return "table";
  if (out === "-") return "json";
  const extension = /\.(npy|json|csv)$/i.exec(out)?.[1]?.toLowerCase() ?? "";
  if (isFormat(extension)) return extension;
  throw new UsageError(
    `--out: expected FILE.npy, FILE.json, FILE.csv or -, or a --format with it, got ${out}`,
  );
}

/** Elements that a terminal gets at most. */
const MOST_ON_TERMINAL = 10_000;

/** @throws UsageError for output that is too long for a terminal */
function checkForTerminal(elements: Elements, format: Format): void {
  const count = product(shapeOf(elements));
  if (format !== "npy" && count <= MOST_ON_TERMINAL) return;
  const what = format === "npy" ? "bytes" : `${count.toLocaleString("en")} elements`;
  throw new UsageError(
    `cannot print ${what} of format ${format} to a terminal; select fewer, or write a file with --out`,
  );
}
