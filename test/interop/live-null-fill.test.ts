/**
 * v2 arrays with `fill_value: null`: what zarr-python 3 and wazarr read where there is no chunk. zarr-python
 * 2 leaves it to chance.
 */
import { describe, expect, it } from "vitest";
import { get, open } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { ask, zarrPython } from "../setup/python.js";
import { encodeStore } from "./wazarr.js";

const NAT = "0000000000000080";
const DTYPES: readonly (readonly [dtype: unknown, element: string])[] = [
  ["|b1", "00"],
  ["|u1", "00"],
  ["<i4", "00000000"],
  [">i8", "00".repeat(8)],
  ["<f2", "0000"],
  ["<f8", "00".repeat(8)],
  [">c8", "00".repeat(8)],
  ["|S3", "00".repeat(3)],
  ["<U2", "00".repeat(8)],
  ["|V3", "00".repeat(3)],
  ["<M8[ns]", NAT],
  [">M8[10s]", NAT],
  ["<M8", NAT],
  ["<m8[s]", NAT],
  [">m8[us]", NAT],
  // A struct is all zeros, times in it too.
  [
    [
      ["a", "<i4"],
      ["t", "<M8[s]"],
    ],
    "00".repeat(12),
  ],
];

function storeOf(dtype: unknown): Map<string, Uint8Array> {
  const zarray = {
    zarr_format: 2,
    shape: [2],
    chunks: [2],
    dtype,
    compressor: null,
    fill_value: null,
    order: "C",
    filters: null,
  };
  return new Map([["/.zarray", new TextEncoder().encode(JSON.stringify(zarray))]]);
}

async function elementsOf(store: Map<string, Uint8Array>): Promise<string> {
  const array = await open(store, { kind: "array" });
  const bytes = array.dataType.bytesOf((await get(array)).data) ?? new Uint8Array();
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

it.each(DTYPES)("%j", async (dtype, element) => {
  const store = storeOf(dtype);
  expect((await open(store, { kind: "array" })).fillValue).toBeNull();
  expect(await elementsOf(store)).toBe(element.repeat(2));
  // A format without null says what they are.
  const v3 = new Map<string, Uint8Array>();
  await copyNode(store, v3, { zarrFormat: 3 });
  expect(await elementsOf(v3)).toBe(element.repeat(2));
});

const implementation = zarrPython();

describe("zarr-python 3", () => {
  it.skipIf(implementation.executable === undefined)("reads the same", async () => {
    const read = DTYPES.map(([dtype]) => ({
      store: encodeStore(storeOf(dtype)),
      path: "/",
      zarr_format: 2 as const,
    }));
    const answers = await ask(implementation, { write: [], read });
    expect(answers.read.map((answer) => ("data" in answer ? answer.data : answer))).toEqual(
      DTYPES.map(([, element]) => element.repeat(2)),
    );
  });
});
