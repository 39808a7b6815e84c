/** Stores that are wrong on purpose: typed errors, no traps and no memory for what is not there. */
import { expect, test } from "vitest";
import { openAnnData, openSpatialData } from "../../../src/formats/anndata.js";
import { create, isZarrError, type JsonObject, root, set } from "../../../src/index.js";
import { type DataTypeText } from "../../../src/main/data-types.js";

type Elements = Int8Array | Int32Array | Float32Array | BigInt64Array;
const DATAFRAME = { "encoding-type": "dataframe", "encoding-version": "0.2.0", _index: "_index" };

/** A store of two observations and three variables. */
async function annotated(changes: Readonly<Record<string, JsonObject>> = {}) {
  const store = new Map<string, Uint8Array>();
  await create(store, { attributes: { "encoding-type": "anndata" } });
  for (const [name, length] of [
    ["obs", 2],
    ["var", 3],
  ] as const) {
    const attributes = { ...DATAFRAME, "column-order": ["a"], ...changes[name] };
    await create(root(store).resolve(name), { attributes });
    await put(
      store,
      `${name}/_index`,
      "string",
      Array.from({ length }, (_, i) => `${name}${i}`),
    );
    await put(store, `${name}/a`, "int32", new Int32Array(length));
  }
  return store;
}

async function put(
  store: Map<string, Uint8Array>,
  path: string,
  dtype: DataTypeText,
  data: Elements | string[] | boolean[],
  attributes: JsonObject = {},
): Promise<void> {
  const options = { shape: [data.length], dtype, attributes, overwrite: true };
  const array = await create(root(store).resolve(path), options);
  await set(array, null, Object({ data, shape: [data.length] }));
}

async function sparse(
  attributes: JsonObject,
  indptr: readonly number[],
  indices: readonly number[],
  count = indices.length,
): Promise<Map<string, Uint8Array>> {
  const store = await annotated();
  const all = { "encoding-type": "csr_matrix", shape: [2, 3], ...attributes };
  await create(root(store).resolve("X"), { attributes: all });
  await put(store, "X/indptr", "int64", BigInt64Array.from(indptr, BigInt));
  await put(store, "X/indices", "int32", Int32Array.from(indices));
  await put(store, "X/data", "float32", new Float32Array(count).fill(1));
  return store;
}

test("elements at the same place add up, as in scipy", async () => {
  const data = await openAnnData(await sparse({}, [0, 3, 4], [1, 1, 2, 0]));
  expect((await (await data.matrix("X")).rows()).data).toEqual(Float32Array.of(0, 2, 1, 1, 0, 0));
});

test.each<[string, JsonObject, number[], number[], RegExp, number?]>([
  ["an index beyond", {}, [0, 1, 2], [0, 3], /from 0 to 2, got 3 at 1/],
  ["a negative index", {}, [0, 1, 2], [0, -1], /from 0 to 2, got -1/],
  ["lines that end before they begin", {}, [0, 2, 1], [0, 1], /from 2 to 2 at 2, got 1/],
  ["lines beyond the elements", {}, [0, 1, 3], [0, 1], /from 1 to 2 at 2, got 3/],
  ["a line of 2^60", {}, [0, 1, 2 ** 60], [0, 1], /from 1 to 2 at 2/],
  ["negative lines", {}, [-1, 1, 2], [0, 1], /from 0 to 2 at 0, got -1/],
  ["too few lines", {}, [0, 2], [0, 1], /expected 3 elements, got 2/],
  ["too few indices", {}, [0, 1, 2], [0, 1], /expected 3 indices, got 2/, 3],
  ["one length", { shape: [2] }, [0, 1, 2], [0, 1], /expected two lengths/],
  ["a fraction", { shape: [2, 0.5] }, [0, 1, 2], [0, 1], /expected an integer from 0/],
  ["columns without end", { shape: [2, 2 ** 50] }, [0, 1, 2], [0, 1], /expected 2 x 3 elements in X/],
  ["another encoding", { "encoding-type": "coo_matrix" }, [0, 1, 2], [0, 1], /encoding coo_matrix/],
])("sparse: %s", async (_, attributes, indptr, indices, message, count) => {
  const read = async () => {
    const data = await openAnnData(await sparse(attributes, indptr, indices, count));
    return (await data.matrix("X")).rows();
  };
  await expect(read()).rejects.toThrow(message);
  await expect(read()).rejects.toSatisfy((error: unknown) => isZarrError(error));
});

test("columns that are stated and not stored take no memory", async () => {
  const store = await sparse({}, [0, 1, 2], [0, 1]);
  const attributes = { "encoding-type": "csr_matrix", shape: [2, 2 ** 50] };
  await create(root(store).resolve("obsp"), {});
  for (const [key, value] of [...store])
    if (key.startsWith("/X/")) store.set(key.replace("/X/", "/obsp/w/"), value);
  await create(root(store).resolve("obsp/w"), { attributes }).catch(() => undefined);
  const document = new TextEncoder().encode(
    JSON.stringify({ zarr_format: 3, node_type: "group", attributes }),
  );
  store.set("/obsp/w/zarr.json", document);
  const matrix = await (await openAnnData(store)).matrix("obsp/w");
  await expect(matrix.rows([0, 1])).rejects.toThrow(
    "expected at most 268435456 elements with the zeros, got 1 x 1125899906842624; read fewer",
  );
  expect((await matrix.columns([0, 2])).data).toEqual(Float32Array.of(1, 0, 0, 1));
});

test.each<[string, JsonObject, RegExp]>([
  ["no columns", { "column-order": "a" }, /expected a list, got "a"/],
  ["a column that leads out", { "column-order": ["../../x"] }, /a path below the group/],
  ["no index", { _index: null }, /expected a string/],
  ["a missing index", { _index: "none" }, /no node of AnnData at this path/],
  ["another encoding", { "encoding-type": "recarray" }, /expected the encoding dataframe, got recarray/],
])("tables: %s", async (_, changes, message) => {
  await expect(openAnnData(await annotated({ obs: changes }))).rejects.toThrow(message);
});

test("columns: categoricals, masks and lengths that do not fit", async () => {
  const names = ["beyond", "negative", "long", "texts", "mask", "short", "unknown", "missing", "wrapped"];
  const store = await annotated({ obs: { "column-order": ["a", ...names] } });
  const group = (name: string, encoding: string) =>
    create(root(store).resolve(`obs/${name}`), { attributes: { "encoding-type": encoding, ordered: false } });
  for (const [name, codes] of [
    ["beyond", [0, 2]],
    ["negative", [0, -2]],
    ["long", [0, 1, 0]],
  ] as const) {
    await group(name, "categorical");
    await put(store, `obs/${name}/codes`, "int8", Int8Array.from(codes));
    await put(store, `obs/${name}/categories`, "string", ["x", "y"]);
  }
  await group("wrapped", "categorical");
  await put(store, "obs/wrapped/codes", "int64", BigInt64Array.of(0n, 2n ** 32n));
  await put(store, "obs/wrapped/categories", "string", ["x", "y"]);
  await group("texts", "categorical");
  await put(store, "obs/texts/codes", "string", ["0", "1"]);
  await put(store, "obs/texts/categories", "string", ["x", "y"]);
  await group("mask", "nullable-integer");
  await put(store, "obs/mask/values", "int32", new Int32Array(2));
  await put(store, "obs/mask/mask", "int8", new Int8Array(2));
  await group("short", "nullable-boolean");
  await put(store, "obs/short/values", "bool", [true, false]);
  await put(store, "obs/short/mask", "bool", [true]);
  await group("unknown", "awkward-array");
  const { obs } = await openAnnData(store);
  const read = async (name: string) => (await obs.column(name)).read();
  await expect(read("beyond")).rejects.toThrow("expected codes from -1 to 1, got 2 in row 1");
  await expect(read("negative")).rejects.toThrow("expected codes from -1 to 1, got -2 in row 1");
  await expect(read("wrapped")).rejects.toThrow("expected codes from -1 to 1");
  await expect(read("long")).rejects.toThrow("expected 2 rows, got 3 of column long");
  await expect(read("texts")).rejects.toThrow("expected integers, the codes of categories");
  await expect(read("mask")).rejects.toThrow("expected booleans, a mask");
  await expect(read("short")).rejects.toThrow("expected a mask of 2 elements, got 1");
  await expect(read("unknown")).rejects.toThrow("the encoding awkward-array is not supported as a column");
  await expect(read("missing")).rejects.toThrow("no node of AnnData at this path");
  await expect(read("b")).rejects.toThrow('no column "b"; the columns are a, beyond');
  const a = await obs.column("a");
  for (const rows of [
    [0, 3],
    [-1, 1],
    [1, 0],
    [0.5, 1],
  ] as const)
    await expect(a.read(rows)).rejects.toThrow("rows: expected [start, stop] from 0 to 2, got");
});

test("groups that are something else", async () => {
  const store = new Map<string, Uint8Array>();
  await expect(openAnnData(store)).rejects.toThrow("no node of AnnData at this path");
  await create(store, { attributes: { spatialdata_attrs: { version: "0.2" } } });
  const sample = await openSpatialData(store);
  expect(sample.names).toEqual({ images: [], labels: [], points: [], shapes: [], tables: [] });
  await expect(sample.table("t")).rejects.toThrow('no "t" in "tables"; there are none');
  const data = await openAnnData(await annotated());
  await expect(data.matrix("X")).rejects.toThrow("no node of AnnData at this path");
  await expect(data.matrix("../X")).rejects.toThrow('path: expected one such as "X" or "layers/counts"');
  await expect(data.matrix("obs")).rejects.toThrow("expected a matrix, got the encoding dataframe");
  await expect(data.matrix("obs/a")).rejects.toThrow("expected two dimensions, got shape [2]");
});

test("categories in a group of their own, as anndata wrote them before 0.8", async () => {
  const store = await annotated({ obs: { "column-order": ["old"] } });
  await put(store, "obs/old_categories", "string", ["x", "y"], { ordered: true });
  for (const [key, value] of [...store])
    store.set(key.replace("/obs/old_categories/", "/obs/__categories/old/"), value);
  await put(store, "obs/old", "int8", Int8Array.of(1, -1), { categories: "__categories/old" });
  const { obs } = await openAnnData(store);
  const old = await (await obs.column("old")).read();
  expect([...old]).toEqual(["y", null]);
  expect(old).toMatchObject({ isOrdered: true });
});
