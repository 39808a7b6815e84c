/** Streams of Arrow: read back by apache-arrow, in batches, of arrays and of columns of AnnData. */

import { readFileSync } from "node:fs";
import * as arrow from "apache-arrow";
import { expect, test } from "vitest";
import { openAnnData } from "../../src/formats/anndata.js";
import { type ArrowSource, arrowStream } from "../../src/formats/arrow.js";
import { create, root, set } from "../../src/index.js";
import { type Fixture, plainOf, storeOf } from "./anndata/expected.js";

const store = new Map<string, Uint8Array>();
await create(store);
const create1 = async (name: string, dtype: "int32" | "float64" | "string" | "bool", data: unknown[]) => {
  const array = await create(root(store).resolve(name), { shape: [data.length], chunkShape: [4], dtype });
  await set(array, null, Object({ data, shape: [data.length] }));
  return array;
};
const id = await create1(
  "id",
  "int32",
  Array.from({ length: 10 }, (_, i) => i),
);
const depth = await create1(
  "depth",
  "float64",
  Array.from({ length: 10 }, (_, i) => i / 2),
);
const name = await create1(
  "name",
  "string",
  Array.from({ length: 10 }, (_, i) => `n${i}`),
);
const flag = await create1(
  "flag",
  "bool",
  Array.from({ length: 10 }, (_, i) => i % 3 === 0),
);

async function pieces(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const piece of stream) found.push(piece);
  return found;
}
const tableOf = (bytes: readonly Uint8Array[]): arrow.Table => arrow.tableFromIPC(Buffer.concat(bytes));

test("arrays become columns of one table, in batches", async () => {
  const bytes = await pieces(arrowStream({ id, depth, name, flag }, { batchRows: 4 }));
  // Three batches, the first with the schema, and the end.
  expect(bytes.length).toBe(4);
  const table = tableOf(bytes);
  expect(table.batches.map(({ numRows }) => numRows)).toEqual([4, 4, 2]);
  expect(table.schema.fields.map(String)).toEqual([
    "id: Int32",
    "depth: Float64",
    "name: Utf8",
    "flag: Bool",
  ]);
  expect(table.toArray().map((row) => ({ ...row }))).toEqual(
    Array.from({ length: 10 }, (_, i) => ({ id: i, depth: i / 2, name: `n${i}`, flag: i % 3 === 0 })),
  );
});

test("a batch is read when it is asked for, and the last is the end", async () => {
  const asked: (readonly [number, number])[] = [];
  const source: ArrowSource = {
    length: 5,
    read: async (rows) => {
      asked.push(rows);
      return new Int32Array(rows[1] - rows[0]);
    },
  };
  const stream = arrowStream({ source }, { batchRows: 2 });
  expect(asked).toEqual([]);
  await stream.next();
  expect(asked).toEqual([[0, 2]]);
  await stream.next();
  expect(asked).toEqual([
    [0, 2],
    [2, 4],
  ]);
  await stream.return();
  expect(asked.length).toBe(2);
});

test("columns of AnnData: categoricals share a dictionary, missing values are null", async () => {
  const { chunked }: { chunked: Fixture } = JSON.parse(readFileSync("test/fixtures/anndata.json", "utf8"));
  const { obs, var: variables } = await openAnnData(storeOf(chunked));
  for (const table of [obs, variables]) {
    const columns = { index: table.index, ...(await table.columns()) };
    const read = tableOf(await pieces(arrowStream(columns, { batchRows: 7 })));
    expect(read.numRows).toBe(table.length);
    for (const [name, column] of Object.entries(columns)) {
      const values = Array.from(read.getChild(name) ?? [], (each) =>
        typeof each === "bigint" ? Number(each) : each,
      );
      expect([name, values]).toEqual([name, plainOf(await column.read())]);
    }
  }
  const kinds = Object.values(await obs.columns()).map(({ kind }) => kind);
  expect(new Set(kinds).size).toBeGreaterThan(1);
});

test("a table without rows has a schema", async () => {
  const none = await create(root(store).resolve("none"), { shape: [0], dtype: "int16" });
  const table = tableOf(await pieces(arrowStream({ none })));
  expect([table.numRows, table.schema.fields.map(String)]).toEqual([0, ["none: Int16"]]);
});

test("what cannot be a table says so", async () => {
  const plane = await create(root(store).resolve("plane"), { shape: [2, 2], dtype: "int16" });
  const other = await create(root(store).resolve("other"), { shape: [3], dtype: "int16" });
  const first = (...given: Parameters<typeof arrowStream>) => arrowStream(...given).next();
  await expect(first({})).rejects.toThrow("columns: expected arrays by their names, got {}");
  await expect(first({ plane })).rejects.toThrow("expected one dimension of plane, got shape [2, 2]");
  await expect(first({ id, other })).rejects.toThrow(
    "columns: expected the same length of all, got 10 of id and 3 of other",
  );
  await expect(first({ id }, { batchRows: 0 })).rejects.toThrow(
    "batchRows: expected an integer of 1 or more",
  );
  // @ts-expect-error: a list is no column
  await expect(first({ id: [1, 2] })).rejects.toThrow("expected an array or an object with length and read");
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(first({ id }, { signal })).rejects.toThrow("enough");
});
