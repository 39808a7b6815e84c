/** `wazarr get`: elements of an array to an npy file, or as JSON. */

import { UnsupportedError } from "../../errors.js";
import { open, type Array as ZarrArray } from "../../index.js";
import { stringifyJson } from "../../metadata/json-text.js";

import { formatNpyHeader } from "../../npy/header.js";
import type { CommandLine } from "../arguments.js";
import {
  dataTypeJson,
  elementJson,
  elementsOf,
  parseSelection,
  type Reading,
  readSelection,
} from "../elements.js";
import { hasLabels, parseLabels } from "../labels.js";
import { createProgress, type Output, withOutput } from "../output.js";
import { openSource } from "../stores.js";
import { UsageError } from "../usage.js";

export async function get({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const out = options.get("out");
  const isNpy = typeof out === "string" && out.endsWith(".npy");
  if (typeof out !== "string" || !(isNpy || out.endsWith(".json") || out === "-")) {
    throw new UsageError(`expected --out FILE.npy, FILE.json or -, got ${out ?? "nothing"}`);
  }
  const select = options.get("select");
  const selection =
    typeof select === "string" && hasLabels(select)
      ? await parseLabels({ store, path }, select)
      : parseSelection(typeof select === "string" ? select : undefined);
  const array = await open(await openSource({ store, path }), { kind: "array" });
  const reading = readSelection(array, selection);
  // A type that npy cannot hold is said before the file is made.
  const header = isNpy ? formatNpyHeader(array.dataType, reading.shape) : undefined;
  const progress = createProgress("elements");
  try {
    await withOutput(out, (output) => {
      const counting = countElements(reading, progress.update);
      return header === undefined
        ? writeJson(output, array, counting)
        : writeNpy(output, array, counting, header);
    });
  } finally {
    progress.end();
  }
}

function countElements(reading: Reading, update: (done: number, total: number) => void): Reading {
  return {
    ...reading,
    async *slabs() {
      let done = 0;
      for await (const slab of reading.slabs()) {
        yield slab;
        done += slab.count;
        update(done, reading.count);
      }
    },
  };
}

async function writeNpy(
  output: Output,
  { dataType }: ZarrArray,
  reading: Reading,
  header: Uint8Array,
): Promise<void> {
  await output.write(header);
  for await (const { data } of reading.slabs()) {
    const bytes = dataType.bytesOf(data);
    if (bytes === undefined)
      throw new UnsupportedError(`npy cannot hold data type ${dataType.name}; write .json instead`);
    await output.write(bytes);
  }
}

/** Elements turned to text at a time. */
const PIECE = 1 << 14;

async function writeJson(output: Output, { dataType }: ZarrArray, reading: Reading): Promise<void> {
  const shape = stringifyJson(reading.shape);
  await output.write(`{"shape": ${shape}, "data_type": ${stringifyJson(dataTypeJson(dataType))}, "data": [`);
  let separator = "";
  let texts: string[] = [];
  const flush = async (): Promise<void> => {
    if (texts.length === 0) return;
    await output.write(separator + texts.join(", "));
    separator = ", ";
    texts = [];
  };
  for await (const { data } of reading.slabs()) {
    for (const element of elementsOf(data, dataType)) {
      texts.push(stringifyJson(elementJson(element, dataType)));
      if (texts.length === PIECE) await flush();
    }
  }
  await flush();
  await output.write("]}\n");
}
