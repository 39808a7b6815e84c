/** Arrays of one dimension as a stream of Arrow: a table, read and sent in batches of rows. */
import * as arrow from "apache-arrow";
import { checkNames, describe, itemAt, type NamesOf } from "../../extend.js";
import {
  type DataTypeName,
  get,
  InvalidArgumentError,
  type Store,
  slice,
  Array as ZarrArray,
} from "../../index.js";
import { toArrowVector } from "./vectors.js";

/** A column that is no array: one of `wazarr/anndata`, or any object with these members. */
export interface ArrowSource {
  /** Number of rows. */
  readonly length: number;
  /** Reads rows, from the first to one beyond the last, as `toArrowVector` takes them. */
  read(
    rows: readonly [start: number, stop: number],
    options: { readonly as: "column"; readonly signal?: AbortSignal | undefined },
  ): Promise<unknown>;
}

/** Options of `arrowStream`. */
export interface ArrowStreamOptions {
  /** Rows of a batch; unless given, those of whole chunks of the largest, 65,536 or more. */
  readonly batchRows?: number | undefined;
  /** Aborts the reads; the stream ends with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
const OPTIONS: NamesOf<ArrowStreamOptions> = { batchRows: true, signal: true };

const LEAST_ROWS = 2 ** 16;

/**
 * Reads arrays of the same length as a table, and writes it as an IPC stream of Arrow. A batch is read when
 * it is asked for, so memory holds one of them.
 * @example
 * ```ts
 * const time = await open(root(store).resolve("time"), { kind: "array" });
 * for await (const bytes of arrowStream({ time })) console.log(bytes.length);
 * ```
 * @param columns arrays of one dimension, or sources, by the names of their columns
 * @returns bytes of the stream: the schema with the first batch, each further batch, and the end
 * @throws InvalidArgumentError for no columns, other values, and columns of other lengths; UnsupportedError
 * for elements that Arrow has no type for; and as `get`
 */
export async function* arrowStream(
  columns: Readonly<Record<string, ZarrArray<DataTypeName, Store> | ArrowSource>>,
  options: ArrowStreamOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  checkNames(options, "arrowStream", OPTIONS);
  const { signal } = options;
  const sources = sourcesOf(columns);
  const rows = rowsOf(sources);
  const { batchRows = batchOf(columns) } = options;
  if (!Number.isSafeInteger(batchRows) || batchRows < 1)
    throw new InvalidArgumentError(`batchRows: expected an integer of 1 or more, got ${describe(batchRows)}`);
  const bytes = new Pieces();
  const writer = new arrow.RecordBatchStreamWriter();
  let schema: arrow.Schema | undefined;
  // An empty table has a schema, too.
  for (let start = 0; start < rows || schema === undefined; start += batchRows) {
    const stop = Math.min(start + batchRows, rows);
    const vectors = await Promise.all(
      sources.map(async ([, source]) =>
        toArrowVector(await source.read([start, stop], { as: "column", signal })),
      ),
    );
    if (schema === undefined) {
      const fields = sources.map(([name], i) => new arrow.Field(name, itemAt(vectors, i).type, true));
      schema = new arrow.Schema(fields);
      writer.reset(bytes, schema);
    }
    const children = vectors.map(({ data }) => itemAt(data, 0));
    const type = new arrow.Struct(schema.fields);
    const length = stop - start;
    writer.write(new arrow.RecordBatch(schema, arrow.makeData({ type, length, nullCount: 0, children })));
    yield bytes.take();
  }
  writer.finish();
  yield bytes.take();
}

/** What a writer has written since it was last taken. */
class Pieces extends arrow.AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(value: Uint8Array): void {
    this.#pieces.push(value);
  }

  /** A copy: the elements may be in memory of a store. */
  take(): Uint8Array {
    const joined = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    return joined;
  }
}

function sourcesOf(columns: Parameters<typeof arrowStream>[0]): [name: string, source: ArrowSource][] {
  const isObject = typeof columns === "object" && columns !== null && !(columns instanceof ZarrArray);
  const entries = isObject ? Object.entries(columns) : [];
  if (entries.length === 0)
    throw new InvalidArgumentError(`columns: expected arrays by their names, got ${describe(columns)}`);
  return entries.map(([name, column]) => {
    if (column instanceof ZarrArray) return [name, sourceOf(name, column)];
    if (typeof column?.read === "function" && Number.isSafeInteger(column.length)) return [name, column];
    throw new InvalidArgumentError(
      `columns: expected an array or an object with length and read for ${name}, got ${describe(column)}`,
    );
  });
}

function sourceOf(name: string, array: ZarrArray<DataTypeName, Store>): ArrowSource {
  const [length, ...others] = array.shape;
  if (length === undefined || others.length > 0)
    throw new InvalidArgumentError(
      `columns: expected one dimension of ${name}, got shape [${array.shape.join(", ")}]`,
    );
  const isText = array.dataType.variable !== undefined;
  return {
    length,
    async read([start, stop], { as, signal }) {
      const selection = [slice(start, stop)];
      const { data } = await (isText
        ? get(array, selection, { as, signal })
        : get(array, selection, { signal }));
      return data;
    },
  };
}

function rowsOf(sources: readonly (readonly [name: string, source: ArrowSource])[]): number {
  const [first, { length }] = itemAt(sources, 0);
  const other = sources.find(([, source]) => source.length !== length);
  if (other === undefined) return length;
  throw new InvalidArgumentError(
    `columns: expected the same length of all, got ${length} of ${first} and ${other[1].length} of ${other[0]}`,
  );
}

function batchOf(columns: Parameters<typeof arrowStream>[0]): number {
  const chunks = Object.values(columns).map((column) => {
    const regular = column instanceof ZarrArray && column.metadata.chunkGrid.name === "regular";
    return regular ? itemAt(column.chunks, 0) : 1;
  });
  const longest = Math.max(1, ...chunks);
  return longest * Math.ceil(LEAST_ROWS / longest);
}
