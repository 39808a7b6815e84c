/**
 * Round trips of variable length with zarr-python 3.4 and 2.13, and of ZEP 7's layout with pyarrow, both
 * ways.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { dataTypeFromV2, withAllDataTypes } from "../../../src/data-types/registry.js";
import { create, get, open, set } from "../../../src/index.js";
import type { Json } from "../../../src/metadata/json.js";
import { base64FromBytes, bytesFromBase64 } from "../../interop/elements.js";
import { decodeStore, encodeStore } from "../../interop/wazarr.js";
import { GZIP } from "../../setup/codecs.js";
import {
  type Answers,
  ask,
  type EncodedStore,
  pyarrow,
  zarrPython2Variable,
  zarrPythonVariable,
} from "../../setup/python.js";
import { TEXTS, toBytes } from "./elements.js";

interface VariableCase {
  readonly name: string;
  readonly path: "/";
  readonly zarr_format: 2 | 3;
  readonly data_type: string;
  readonly object_codec?: string;
  /** Of the arrays of vlen-array; "<i4" unless given. */
  readonly array_dtype?: string;
  readonly shape: readonly number[];
  readonly chunk_shape: readonly number[];
  readonly shards?: readonly number[];
  readonly order: "C" | "F";
  readonly compressed: boolean;
  readonly endian?: "little" | "big";
  /** What lays out the chunks of ZEP 7; numpy unless given. */
  readonly builder?: "pyarrow";
  readonly fill_value: Json;
  readonly elements: readonly Json[];
}

const SHAPE = [4, 7];
const texts = Array.from({ length: 28 }, (_, i) => (i > 14 && i < 18 ? "" : (TEXTS[i % TEXTS.length] ?? "")));
const asBase64 = (text: string): string => base64FromBytes(toBytes(text));
const arrays = texts.map((_, i) => Array.from({ length: i % 5 }, (__, k) => k * 1000 - i));
const objects: readonly Json[] = texts.map(
  (text, i): Json =>
    [text, i, -i * 1000, i / 3, null, true, [text, [1, 2]], { a: i, "b c": [text] }][i % 8] ?? null,
);

const base = { path: "/", shape: SHAPE, chunk_shape: [2, 3], order: "C", compressed: false } as const;
const kinds = [
  { data_type: "string", object_codec: "vlen-utf8", fill_value: "", elements: texts },
  { data_type: "bytes", object_codec: "vlen-bytes", fill_value: "", elements: texts.map(asBase64) },
] as const;

const python3: VariableCase[] = kinds.flatMap((kind): VariableCase[] => [
  ...([2, 3] as const).flatMap((zarr_format) =>
    (["C", "F"] as const).map((order) => ({ ...base, ...kind, name: `order ${order}`, zarr_format, order })),
  ),
  { ...base, ...kind, name: "compressed", zarr_format: 3, compressed: true },
  { ...base, ...kind, name: "sharded", zarr_format: 3, shards: [4, 6] },
  { ...base, ...kind, name: "one dimension", zarr_format: 3, shape: [28], chunk_shape: [10] },
  { ...base, ...kind, name: "all empty", zarr_format: 3, elements: texts.map(() => "") },
]);
// zarr-python cannot write a scalar array of bytes.
python3.push({
  ...base,
  ...kinds[0],
  name: "scalar",
  zarr_format: 3,
  shape: [],
  chunk_shape: [],
  elements: texts.slice(9, 10),
});
python3.push({
  ...base,
  ...kinds[0],
  name: "custom fill value",
  zarr_format: 3,
  fill_value: "füll 😀",
  elements: texts.map((text, i) => (i % 7 < 3 ? "füll 😀" : text)),
});

const python2: VariableCase[] = [
  ...kinds,
  { data_type: "object", object_codec: "vlen-array", fill_value: null, elements: arrays },
  { data_type: "object", object_codec: "json2", fill_value: null, elements: objects },
  { data_type: "object", object_codec: "msgpack2", fill_value: null, elements: objects },
].flatMap((kind): VariableCase[] => {
  const common = { ...base, ...kind, fill_value: null, zarr_format: 2 } as const;
  const cases: VariableCase[] = [
    { ...common, name: "plain", shape: [28], chunk_shape: [7] },
    {
      ...common,
      name: "two dimensions",
      shape: [4, 6],
      elements: kind.elements.slice(0, 24),
      compressed: true,
    },
  ];
  // zarr 2 cannot pad the edges of chunks of arrays; nor does it read its own JSON in order F.
  if (kind.object_codec !== "vlen-array") cases.push({ ...common, name: "edges" });
  if (kind.data_type !== "object") cases.push({ ...common, name: "order F", order: "F" });
  return cases;
});

const numbers = Uint8Array.from({ length: 96 }, (_, i) => (i * 37) & 0x3f);
/** Of most types several; NaNs and texts that are none do not come up. */
const ARRAY_DTYPES = (
  "|b1 |i1 <i2 >i2 >i4 <i8 >i8 |u1 >u2 <u4 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16 " +
  "<M8[ns] >M8[s] <m8[us] |S3 |V5 <U2 >U2"
).split(" ");
for (const array_dtype of ARRAY_DTYPES) {
  const { itemSize } = (await withAllDataTypes(() => dataTypeFromV2(array_dtype))).dataType;
  // Booleans and characters are not any bytes.
  const bytes = /b1|U/.test(array_dtype)
    ? numbers.map((byte, i) => (i % itemSize === 0 ? byte & 1 : 0))
    : numbers;
  python2.push({
    ...base,
    name: `arrays of ${array_dtype}`,
    zarr_format: 2,
    data_type: "object",
    object_codec: "vlen-array",
    array_dtype,
    shape: [6],
    chunk_shape: [3],
    fill_value: null,
    elements: [1, 0, 3, 2, 0, 1].map((length) => base64FromBytes(bytes.subarray(0, length * itemSize))),
  });
}

const zep7: VariableCase[] = ["string", "binary", "large_string", "large_binary"].flatMap((data_type) =>
  (["little", "big"] as const).map(
    (endian): VariableCase => ({
      ...base,
      name: `${endian} endian`,
      zarr_format: 3,
      data_type,
      endian,
      fill_value: asBase64("fill"),
      elements: texts.map(asBase64),
    }),
  ),
);
// Chunks of the very buffers of pyarrow's arrays, those of nothing but empty elements among them.
for (const { name, ...each } of zep7.filter(({ endian }) => endian === "little")) {
  zep7.push({ ...each, name: "buffers of pyarrow", builder: "pyarrow" });
  const elements = texts.map((text, i) => asBase64(i < 14 ? "" : text));
  zep7.push({ ...each, name: "empty chunks of pyarrow", builder: "pyarrow", elements });
}

const isBytes = ({ data_type }: VariableCase): boolean => /bytes|binary/.test(data_type);

/** From what a case says to what wazarr takes and gives. */
function scalarOf(each: VariableCase, json: Json): unknown {
  if (each.array_dtype !== undefined) {
    return dataTypeFromV2(each.array_dtype).dataType.view(bytesFromBase64(String(json)));
  }
  if (isBytes(each)) return bytesFromBase64(String(json));
  if (each.endian !== undefined)
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesFromBase64(String(json)));
  return each.object_codec === "vlen-array" && Array.isArray(json) ? Int32Array.from(json.map(Number)) : json;
}

async function write(each: VariableCase): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const object = each.object_codec ?? "";
  const objectFilter =
    object === "vlen-array" ? { id: object, dtype: each.array_dtype ?? "<i4" } : { id: object };
  const dtype =
    each.data_type === "object"
      ? await withAllDataTypes(() => dataTypeFromV2("|O", object).dataType)
      : each.data_type;
  const array = await create(store, {
    shape: each.shape,
    chunkShape: each.chunk_shape,
    ...(each.shards && { shards: each.shards }),
    zarrFormat: each.zarr_format,
    dtype,
    order: each.order,
    endian: each.endian,
    fillValue: each.fill_value === null ? null : scalarOf(each, each.fill_value),
    codecs:
      each.zarr_format === 2
        ? { filters: [objectFilter], compressor: each.compressed ? { id: "zlib", level: 1 } : null }
        : [...(each.endian === undefined ? [] : ["bytes"]), ...(each.compressed ? [GZIP] : [])],
  });
  const data = each.elements.map((element) => scalarOf(each, element));
  await set(array, null, each.shape.length === 0 ? data[0] : { data, shape: each.shape });
  return store;
}

/** Elements as a case says them. */
function jsonOf(each: VariableCase, data: readonly unknown[]): unknown[] {
  return data.map((value) => {
    if (each.array_dtype !== undefined) {
      const bytes = dataTypeFromV2(each.array_dtype).dataType.bytesOf(value);
      return bytes && base64FromBytes(bytes);
    }
    if (value instanceof Uint8Array) return base64FromBytes(value);
    if (each.endian !== undefined && typeof value === "string") return asBase64(value);
    return value instanceof Int32Array ? Array.from(value) : value;
  });
}

const implementations = [
  { implementation: zarrPythonVariable(), cases: python3 },
  { implementation: zarrPython2Variable(), cases: python2 },
  { implementation: pyarrow(), cases: zep7 },
];

for (const { implementation, cases } of implementations) {
  describe.skipIf(implementation.executable === undefined)(implementation.title, () => {
    const written: EncodedStore[] = [];
    let answers: Answers | undefined;

    beforeAll(async () => {
      for (const each of cases) written.push(encodeStore(await write(each)));
      const read = written.map((store, i) => ({ store, path: "/", zarr_format: cases[i]?.zarr_format ?? 3 }));
      answers = await ask(implementation, { write: cases, read });
    });

    for (const [i, each] of cases.entries()) {
      const title = `v${each.zarr_format} ${each.data_type} ${each.object_codec ?? ""} ${each.name}`;

      it(`wazarr -> it: ${title}`, () => {
        const answer = answers?.read[i];
        if (answer === undefined || "error" in answer) throw new Error(answer?.error ?? "no answer");
        expect(JSON.parse(answer.data)).toEqual(each.elements);
      });

      it(`it -> wazarr: ${title}`, async () => {
        const answer = answers?.write[i];
        if (answer === undefined || "error" in answer) throw new Error(answer?.error ?? "no answer");
        const store = decodeStore(answer.store);
        const array = await open(store, { kind: "array" });
        const result: unknown = await get(array);
        const data = each.shape.length === 0 ? [result] : dataOf(result);
        expect(jsonOf(each, data)).toEqual(each.elements);
        if (each.data_type !== "object" && each.shape.length > 0) {
          const { data: column } = await get(array, null, { as: "column" });
          expect(jsonOf(each, column.toArray())).toEqual(each.elements);
        }
        const compressed = each.compressed || each.data_type === "object" || each.shards !== undefined;
        for (const [key, value] of Object.entries(written[i] ?? {})) {
          if (/zarr\.json|\.z(array|attrs)/.test(key)) continue;
          if (!compressed) expect(answer.store[key], key).toBe(value);
        }
      });
    }
  });
}

function dataOf(result: unknown): readonly unknown[] {
  if (typeof result === "object" && result !== null && "data" in result && Array.isArray(result.data))
    return result.data;
  throw new Error("expected an array");
}
