/** What anndata read of a store, as scripts/oracles/make_anndata_fixtures.py writes it, and what wazarr reads. */
import { type AnnData, CategoricalArray, type Table, type TableData } from "../../../src/formats/anndata.js";

export interface ExpectedTable {
  readonly index: readonly string[];
  /** Missing values and NaN are null. */
  readonly columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
  /** Of categoricals, whether they are ordered. */
  readonly ordered: Readonly<Record<string, boolean>>;
}
export interface ExpectedMatrix {
  readonly kind: "dense" | "csr" | "csc";
  readonly shape: readonly [number, number];
  readonly values: readonly number[];
}
export interface Expected {
  readonly obs: ExpectedTable;
  readonly var: ExpectedTable;
  readonly matrices: Readonly<Record<string, ExpectedMatrix>>;
}
export interface Fixture {
  readonly files: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

export function storeOf({ files }: Fixture): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([key, value]) => [key, Buffer.from(value, "base64")]));
}

/** As Python's JSON has elements: numbers for bigints, null for NaN. */
export function plainOf(data: TableData): unknown[] {
  return Array.from<unknown>(data).map((value) => {
    if (typeof value === "bigint") return Number(value);
    return Number.isNaN(value) ? null : value;
  });
}

async function readTable(table: Table): Promise<ExpectedTable> {
  const read = await Promise.all(
    Object.values(await table.columns()).map(async (column) => ({
      name: column.name,
      data: await column.read(),
      // The second half of the rows alone.
      part: await column.read([column.length >> 1, column.length]),
    })),
  );
  for (const { name, data, part } of read) {
    const expected = JSON.stringify(plainOf(data).slice(table.length >> 1));
    if (JSON.stringify(plainOf(part)) !== expected) throw new Error(`part of ${name}`);
  }
  return {
    index: plainOf(await table.index.read()).map(String),
    columns: Object.fromEntries(
      read.map(({ name, data }) => [name, plainOf(data)]),
    ) as ExpectedTable["columns"],
    ordered: Object.fromEntries(
      read.flatMap(({ name, data }) => (data instanceof CategoricalArray ? [[name, data.isOrdered]] : [])),
    ),
  };
}

async function readMatrix(data: AnnData, path: string): Promise<ExpectedMatrix> {
  const matrix = await data.matrix(path);
  const { shape, kind } = matrix;
  const whole = await matrix.rows();
  const values = plainOf(whole.data).map(Number);
  const check = (name: string, found: unknown[], wanted: readonly number[]): void => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${name} of ${path}`);
  };
  const [rows, columns] = shape;
  const [row, column] = [rows >> 1, columns >> 1];
  const some = await matrix.rows([row, rows]);
  check("rows", plainOf(some.data), values.slice(row * columns));
  const others = await matrix.columns([column, columns]);
  check(
    "columns",
    plainOf(others.data),
    values.filter((_, i) => i % columns >= column),
  );
  if (matrix.kind !== "dense") {
    const { indptr, indices, data: stored } = await matrix.compressed();
    const sum = (list: Iterable<unknown>): number =>
      Array.from(list).reduce<number>((total, each) => total + Number(each), 0);
    if (sum(stored) !== sum(values) || indices.length !== indptr.at(-1)) throw new Error(`lines of ${path}`);
  }
  return { kind, shape, values };
}

/** @param expected says which matrices there are */
export async function read(data: AnnData, { matrices }: Expected): Promise<Expected> {
  const paths = Object.keys(matrices);
  const found = await Promise.all(paths.map((path) => readMatrix(data, path)));
  return {
    obs: await readTable(data.obs),
    var: await readTable(data.var),
    matrices: Object.fromEntries(paths.map((path, i) => [path, found[i] ?? never(path)])),
  };
}

function never(path: string): never {
  throw new Error(`no matrix ${path}`);
}
