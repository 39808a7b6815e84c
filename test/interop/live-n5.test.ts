/**
 * Blocks of N5 both ways, by `n5_default`: what wazarr writes other implementations of N5 read, and the other
 * way round.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { get, open, set } from "../../src/index.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { encodeJson } from "../../src/metadata/json-text.js";
import { BIG } from "../setup/codecs.js";
import {
  ask,
  type EncodedStore,
  type PythonImplementation,
  tensorStore,
  zarrPython2,
} from "../setup/python.js";
import { bytesFromHex, hexFromBytes } from "./elements.js";
import { decodeStore, encodeStore } from "./wazarr.js";

interface N5Case {
  readonly dimensions: readonly number[];
  readonly block_size: readonly number[];
  readonly data_type: string;
  readonly compression: JsonObject;
  readonly data: string;
}

const GZIP = { type: "gzip", level: 1, useZlib: false };
function n5Case(
  data_type: string,
  size: number,
  compression: JsonObject,
  dimensions: readonly number[],
  block_size: readonly number[],
): N5Case {
  const count = dimensions.reduce((product, length) => product * length, size);
  const data = hexFromBytes(Uint8Array.from({ length: count }, (_, i) => (i * 37 + (i >> 3)) & 0x3f));
  return { dimensions, block_size, data_type, compression, data };
}
const cases = [
  n5Case("int32", 4, { type: "raw" }, [5, 7], [3, 4]),
  n5Case("uint8", 1, GZIP, [13], [4]),
  n5Case("int16", 2, GZIP, [5, 4, 3], [2, 3, 3]),
  n5Case("float64", 8, GZIP, [4, 4], [4, 4]),
  n5Case("uint64", 8, { type: "raw" }, [3, 2, 2, 2], [2, 1, 2, 2]),
];

const implementations: readonly PythonImplementation[] = [
  { ...zarrPython2(), module: "n5_zarr_python_2" },
  { ...tensorStore(), module: "n5_tensorstore" },
];

function documents({ dimensions, block_size, data_type, compression }: N5Case): Map<string, Uint8Array> {
  const order = dimensions.map((_, i) => dimensions.length - 1 - i);
  const inner = [
    { name: "transpose", configuration: { order } },
    BIG,
    ...(compression.type === "gzip" ? [{ name: "gzip", configuration: { level: 1 } }] : []),
  ];
  const zarr = {
    zarr_format: 3,
    node_type: "array",
    shape: dimensions,
    data_type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: block_size } },
    chunk_key_encoding: { name: "v2", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [{ name: "n5_default", configuration: { codecs: inner } }],
    attributes: {},
  };
  const n5 = { n5: "2.0.0", dimensions, blockSize: block_size, dataType: data_type, compression };
  return new Map([
    ["/zarr.json", encodeJson(zarr)],
    ["/attributes.json", encodeJson(n5)],
  ]);
}

async function write(each: N5Case): Promise<EncodedStore> {
  const store = documents(each);
  const array = await open(store, { kind: "array" });
  const { dataType } = array;
  const bytes = bytesFromHex(each.data);
  const data = Array.from({ length: bytes.length / dataType.itemSize }, (_, i) =>
    dataType.readScalar(bytes.subarray(i * dataType.itemSize, (i + 1) * dataType.itemSize)),
  );
  await set<unknown, typeof store>(array, null, { data, shape: each.dimensions });
  return encodeStore(store);
}

describe.each(implementations)("$title ($module)", (implementation) => {
  describe.skipIf(implementation.executable === undefined)("blocks", () => {
    let answers: Awaited<ReturnType<typeof ask>>;
    beforeAll(async () => {
      const stores = await Promise.all(cases.map(write));
      answers = await ask(implementation, {
        write: cases,
        read: stores.map((store) => ({ store, path: "/", zarr_format: 3 })),
      });
    });
    it.each(cases.map((each, i) => ({ ...each, i })))(
      "$data_type $compression.type of $dimensions in $block_size",
      async ({ i, data, ...each }) => {
        expect(answers.read[i]).toMatchObject({ shape: each.dimensions, data });
        const theirs = answers.write[i];
        if (theirs === undefined || "error" in theirs) throw new Error(theirs?.error ?? "no answer");
        const store = decodeStore(theirs.store);
        for (const [key, value] of documents({ ...each, data })) store.set(key, value);
        const array = await open(store, { kind: "array" });
        const bytes = array.dataType.bytesOf((await get(array)).data) ?? new Uint8Array(0);
        expect(hexFromBytes(bytes)).toBe(data);
      },
    );
  });
});
