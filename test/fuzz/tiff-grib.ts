/**
 * Mutations of TIFF and GRIB files. Whatever a file says, opening it, its documents and its chunks either
 * work or fail with an error of wazarr, within bounds.
 */
import { isZarrError } from "../../src/index.js";
import { openVirtual } from "../../src/stores/virtual/index.js";
import type { VirtualArray, VirtualGroup } from "../../src/stores/virtual/port.js";
import { fromBase64 } from "../core/codecs/harness.js";
import gribFixtures from "../fixtures/virtual/grib.json" with { type: "json" };
import tiffFixtures from "../fixtures/virtual/tiff.json" with { type: "json" };
import { mutate, type Random, random } from "./mutate.js";

interface Target {
  readonly name: string;
  readonly files: readonly Uint8Array[];
  /** Bytes at the beginning, and at the end, in which most changes are: those that are no samples. */
  readonly edge: number;
}

const filesOf = (cases: readonly { readonly file: string }[]): Uint8Array[] =>
  cases.map(({ file }) => fromBase64(file)).filter(({ length }) => length < 20_000);

export const TARGETS: readonly Target[] = [
  { name: "TIFF", files: filesOf(tiffFixtures.cases), edge: 400 },
  { name: "GRIB", files: filesOf(gribFixtures.cases), edge: 250 },
];

/** Most chunks of an array, and arrays of a file, that are read of one input. */
const MOST_CHUNKS = 4;
const MOST_ARRAYS = 12;

/** @throws Error with the input in base64 at the first one that fails with another error than wazarr's */
export async function fuzzFiles({ name, files, edge }: Target, inputs: number, seed: number) {
  const next = random(seed);
  let accepted = 0;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    for (let i = 0; i < inputs; i++) {
      const file = pick(files, next);
      const input = next(3) === 0 ? mutate(file, pick(files, next), next) : changed(file, edge, next);
      try {
        await readEverything(input);
        accepted++;
      } catch (error) {
        if (isZarrError(error)) continue;
        throw new Error(
          `${name}, seed ${seed}, input ${i}: ${error}: ${btoa(String.fromCharCode(...input))}`,
          {
            cause: error,
          },
        );
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { inputs, accepted };
}

async function readEverything(input: Uint8Array): Promise<void> {
  const store = await openVirtual({ store: new Map([["/file", input]]), key: "/file" });
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
      if (!isZarrError(error)) throw error;
    }
  };
  let arrays = 0;
  const readArray = async (array: VirtualArray): Promise<void> => {
    if (++arrays > MOST_ARRAYS) return;
    await array.document();
    let chunks = 0;
    for await (const coordinates of array.chunks()) {
      if (++chunks > MOST_CHUNKS) return;
      const chunk = await array.chunk(coordinates);
      if (chunk === undefined) throw new Error(`no chunk at ${coordinates.join()}, which is listed`);
      await attempt(() => store.bytesOf(chunk));
    }
  };
  const readGroup = async (group: VirtualGroup): Promise<void> => {
    await attempt(() => group.document());
    await attempt(async () => {
      for (const name of await group.names()) {
        await attempt(async () => {
          const node = await group.child(name);
          if (node === undefined) throw new Error(`no node ${name}, which is listed`);
          await (node.kind === "group" ? readGroup(node) : readArray(node));
        });
      }
    });
  };
  await readGroup(store.rootGroup);
  if (failures.length > 0) throw failures[0];
}

/** A copy with one to four other bytes, most of them near the beginning or the end. */
function changed(bytes: Uint8Array, edge: number, next: Random): Uint8Array {
  const copy = bytes.slice();
  const near = Math.min(edge, copy.length);
  for (let count = 1 + next(4); count > 0; count--) {
    const place = next(5);
    const at = place < 2 ? next(near) : place < 4 ? copy.length - 1 - next(near) : next(copy.length);
    copy[at] = next(3) === 0 ? next(4) : next(256);
  }
  return copy;
}

function pick<Item>(list: readonly Item[], next: Random): Item {
  const item = list[next(list.length)];
  if (item === undefined) throw new Error("expected something to choose from");
  return item;
}
