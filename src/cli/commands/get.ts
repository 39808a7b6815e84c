/** `wazarr get`: writes elements of an array to an npy file, or as JSON. */
import type { DataType } from "../../data-types/data-type.js";
import { UnsupportedError } from "../../errors.js";
import { type DimensionSelection, normaliseSelection, type Selection } from "../../grid/selection.js";
import {
  getChunk,
  get as getElements,
  open,
  read,
  type Slice,
  type Array as ZarrArray,
} from "../../index.js";
import { stringifyJson } from "../../metadata/json-text.js";
import { formatNpyHeader } from "../../npy/file.js";
import { product } from "../../shape.js";
import { type CommandLine, textOf, UsageError } from "../arguments.js";
import { createProgress, dataTypeJson, elementJson, elementsOf, type Output, withOutput } from "../output.js";
import { parseSelection } from "../selection.js";
import { openSource } from "../stores.js";

export async function get({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const out = textOf({ options }, "out");
  const isNpy = out?.endsWith(".npy");
  if (out === undefined || !(isNpy || out.endsWith(".json") || out === "-")) {
    throw new UsageError(`expected --out FILE.npy, FILE.json or -, got ${out ?? "nothing"}`);
  }
  const selection = await parseSelection({ store, path }, textOf({ options }, "select"));
  const array = await open(await openSource({ store, path }), { kind: "array" });
  const { dataType } = array;
  const { shape } = normaliseSelection(selection, array.shape);
  // Makes the header first: it throws for a data type that npy cannot hold, before the file is created.
  const header = isNpy ? formatNpyHeader(dataType, shape) : undefined;
  const progress = createProgress("elements");
  try {
    await withOutput(out, (output) => {
      const slabs = readSlabs(array, selection, (done) => progress.update(done, product(shape)));
      return header === undefined
        ? writeJson(output, dataType, shape, slabs)
        : writeNpy(output, dataType, header, slabs);
    });
  } finally {
    progress.end();
  }
}

/**
 * Yields the selected elements in C order, in slabs, because they may not fit into memory.
 * @param onRead called with the number of elements yielded so far
 * @returns slabs in the type of `data` of `get`
 */
async function* readSlabs(
  array: ZarrArray,
  selection: Selection,
  onRead: (elements: number) => void,
): AsyncGenerator<unknown, void, undefined> {
  const { dimensions, shape } = normaliseSelection(selection, array.shape);
  if (shape.length === 0) {
    // Yields data of one element, because `get` would return a scalar.
    const { data } =
      array.shape.length === 0
        ? await getChunk(array, [])
        : await getElements(array, dimensions.map(sliceOf));
    yield data;
    onRead(1);
    return;
  }
  let done = 0;
  for await (const { data, shape: extent } of read(array, selection)) {
    yield data;
    done += product(extent);
    onRead(done);
  }
}

function sliceOf({ start }: DimensionSelection): Slice {
  return { start, stop: start + 1, step: 1 };
}

async function writeNpy(
  output: Output,
  dataType: DataType,
  header: Uint8Array,
  slabs: AsyncIterable<unknown>,
): Promise<void> {
  await output.write(header);
  for await (const data of slabs) {
    const bytes = dataType.bytesOf(data);
    if (bytes === undefined)
      throw new UnsupportedError(`npy cannot hold data type ${dataType.name}; write .json instead`);
    await output.write(bytes);
  }
}

/** Number of elements converted to text before they are written. */
const PIECE = 1 << 14;

async function writeJson(
  output: Output,
  dataType: DataType,
  shape: readonly number[],
  slabs: AsyncIterable<unknown>,
): Promise<void> {
  await output.write(
    `{"shape": ${stringifyJson(shape)}, "data_type": ${stringifyJson(dataTypeJson(dataType))}, "data": [`,
  );
  let separator = "";
  let texts: string[] = [];
  const flush = async (): Promise<void> => {
    if (texts.length === 0) return;
    await output.write(separator + texts.join(", "));
    separator = ", ";
    texts = [];
  };
  for await (const data of slabs) {
    for (const element of elementsOf(data, dataType)) {
      texts.push(stringifyJson(elementJson(element, dataType)));
      if (texts.length === PIECE) await flush();
    }
  }
  await flush();
  await output.write("]}\n");
}
