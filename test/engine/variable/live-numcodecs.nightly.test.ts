/**
 * numcodecs' codecs of objects in v3. zarr-python 3 has none of them, so numcodecs itself makes the payloads
 * of chunks, and reads those that wazarr wrote: the bytes of a chunk between store and elements are the
 * codec's, whatever the format.
 */
import { describe, expect, it } from "vitest";
import { create, get, open, set } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { base64FromBytes, bytesFromBase64 } from "../../interop/elements.js";
import { askNumcodecs, type NumcodecsAnswer } from "../../setup/numcodecs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { TEXTS, toBytes } from "./elements.js";

type MapStore = Map<string, Uint8Array>;

const SHAPE = [4, 6];
const CHUNK_SHAPE = [2, 3];
const COUNT = 24;
const CHUNKS = [0, 1].flatMap((y) => [0, 1].map((x) => [y, x] as const));

/** A configuration in v3 without its `id`; `name` as metadata have it. */
interface Case {
  readonly name: string;
  readonly codec: JsonObject;
  readonly dtype: "string" | "bytes";
  readonly texts?: readonly string[];
}
const python = {
  ensure_ascii: true,
  check_circular: true,
  allow_nan: true,
  sort_keys: true,
  indent: null,
  strict: true,
};
const labels = ["a", "naïve café", "日本語", "end 😀"];
const CASES: readonly Case[] = [
  { name: "numcodecs.json2", codec: { id: "json2" }, dtype: "string" },
  {
    name: "json2",
    codec: { id: "json2", ...python, encoding: "utf-8", separators: [",", ":"] },
    dtype: "string",
  },
  { name: "json2", codec: { id: "json2", ensure_ascii: false, allow_nan: false }, dtype: "string" },
  { name: "numcodecs.msgpack2", codec: { id: "msgpack2" }, dtype: "string" },
  {
    name: "msgpack2",
    codec: { id: "msgpack2", raw: false, use_bin_type: true, use_single_float: false },
    dtype: "bytes",
  },
  { name: "vlen-utf8", codec: { id: "vlen-utf8" }, dtype: "string" },
  { name: "vlen-bytes", codec: { id: "vlen-bytes" }, dtype: "bytes" },
  {
    name: "numcodecs.categorize",
    codec: { id: "categorize", labels, dtype: "|O", astype: "|u1" },
    dtype: "string",
    texts: ["", ...labels],
  },
];

const elementsOf = ({ texts = TEXTS }: Case): string[] =>
  Array.from({ length: COUNT }, (_, i) => texts[(i * 5) % texts.length] ?? "");
const objectOf = ({ dtype }: Case, text: string) =>
  dtype === "bytes" ? { base64: base64FromBytes(toBytes(text)) } : text;

/** The elements of a chunk in C order, or with its dimensions the other way round. */
function chunkOf(elements: readonly string[], [y, x]: readonly [number, number], order: "C" | "F"): string[] {
  const [rows = 0, columns = 0] = CHUNK_SHAPE;
  return Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] =
      order === "C" ? [Math.floor(i / columns), i % columns] : [i % rows, Math.floor(i / rows)];
    return elements[(y * rows + row) * 6 + x * columns + column] ?? "";
  });
}

async function arrayOf(store: MapStore, { name, codec, dtype }: Case, order: "C" | "F") {
  const { id: _, ...configuration } = codec;
  return create(store, {
    shape: SHAPE,
    chunkShape: CHUNK_SHAPE,
    dtype,
    order,
    codecs: [{ name, configuration }],
  });
}

function payloadOf({ encoded, error: reason }: NumcodecsAnswer): Uint8Array {
  if (encoded === undefined) throw new Error(reason ?? "no answer");
  return bytesFromBase64(encoded);
}

const { python: python312, debian } = readOracles();
// What is installed for Python 3.12 has no msgpack.
const oracles = [
  {
    title: "numcodecs of Python 3.12",
    executable: python312?.executable,
    cases: CASES.filter(({ codec }) => codec.id !== "msgpack2"),
  },
  { title: "numcodecs of Debian", executable: debian?.executable, cases: CASES },
];
for (const { title, executable } of oracles) {
  if (executable === undefined) warnLoudly(`No ${title}: its payloads of v3 are SKIPPED.`);
}

for (const { title, executable = "", cases } of oracles) {
  describe.skipIf(executable === "")(title, () => {
    for (const each of cases) {
      for (const order of ["C", "F"] as const) {
        const elements = elementsOf(each);
        const data = each.dtype === "bytes" ? elements.map(toBytes) : elements;

        it(`it -> wazarr: ${each.name} of ${each.dtype}, order ${order}`, async () => {
          const shape = order === "C" ? CHUNK_SHAPE : CHUNK_SHAPE.toReversed();
          const answers = askNumcodecs(
            executable,
            CHUNKS.map((chunk) => ({
              codec: each.codec,
              objects: chunkOf(elements, chunk, order).map((text) => objectOf(each, text)),
              shape,
            })),
          );
          const store: MapStore = new Map();
          await arrayOf(store, each, order);
          for (const [i, [y, x]] of CHUNKS.entries()) store.set(`/c/${y}/${x}`, payloadOf(answers[i] ?? {}));
          const array = await open(store, { kind: "array" });
          for (let twice = 0; twice < 2; twice++) expect((await get(array)).data).toEqual(data);
          expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(data);
        });

        it(`wazarr -> it: ${each.name} of ${each.dtype}, order ${order}`, async () => {
          const store: MapStore = new Map();
          const array = await arrayOf(store, each, order);
          await set(array, null, Object({ data, shape: SHAPE }), { writeEmptyChunks: true });
          const answers = askNumcodecs(
            executable,
            CHUNKS.map(([y, x]) => ({
              codec: each.codec,
              encoded: base64FromBytes(store.get(`/c/${y}/${x}`) ?? new Uint8Array()),
              as_objects: true,
            })),
          );
          for (const [i, chunk] of CHUNKS.entries()) {
            const expected = chunkOf(elements, chunk, order).map((text) => objectOf(each, text));
            expect(answers[i]).toEqual({ objects: expected });
          }
        });
      }
    }
  });
}
