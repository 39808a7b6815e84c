/**
 * Chunks that offsets of 32 bits cannot describe. In Node only: a browser does not give 2 GiB of memory that
 * nobody touches.
 */
import { constants } from "node:buffer";
import { expect, it } from "vitest";
import { create, get, isZarrError, set } from "../../../src/index.js";

const SIZE = 2 ** 31;
/** Zeros that the system gives page by page, so that none is ever there. */
const zeros = (length: number): Uint8Array => new Uint8Array(length);

it.each([
  ["string", "bytes"],
  ["binary", "bytes"],
  ["string", "vlen-utf8"],
  ["bytes", "vlen-bytes"],
  ["large_string", "vlen-utf8"],
  ["string", "zarrs.vlen_v2"],
])("2 GiB in one chunk of %s are refused by %s, with advice", async (dtype, codec) => {
  expect(constants.MAX_LENGTH).toBeGreaterThan(SIZE);
  const array = await create(new Map(), { shape: [1], dtype, codecs: [codec] });
  const column = { offsets: BigInt64Array.of(0n, BigInt(SIZE)), data: zeros(SIZE) };
  const error: unknown = await set(array, null, column).catch((reason: unknown) => reason);
  if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
  expect(error.message).toMatch(/less than 2 GiB .* smaller chunks, or large_string or large_binary/);
  expect([error.codec, error.chunk]).toEqual([codec, [0]]);
});

it("lists that no engine has are refused, with advice", async () => {
  const array = await create(new Map(), { shape: [2 ** 33], dtype: "string" });
  const error: unknown = await get(array).catch((reason: unknown) => reason);
  if (!isZarrError(error, "InvalidArgumentError")) throw error;
  expect(error.message).toMatch(/cannot make a list of 8589934592 elements; read less at a time/);
});

it("offsets of 64 bits describe them, read and written", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [2], dtype: "large_binary", codecs: ["bytes"] });
  const data = zeros(SIZE + 5);
  data[SIZE] = 7;
  await set(array, null, { offsets: BigInt64Array.of(0n, BigInt(SIZE), BigInt(SIZE + 5)), data });
  expect(store.get("/c/0")).toHaveLength(64 + SIZE + 5);
  const { data: column } = await get(array, null, { as: "column" });
  expect([column.byteLengthOf(0), column.byteLengthOf(1)]).toEqual([SIZE, 5]);
  expect(column.get(1)).toEqual(Uint8Array.of(7, 0, 0, 0, 0));
  expect(column.data.buffer).toBe(store.get("/c/0")?.buffer);
});
