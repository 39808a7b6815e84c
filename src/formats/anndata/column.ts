/** Columns of tables: plain arrays, categoricals, and arrays with a mask. */
import {
  CategoricalArray,
  type Codes,
  checkNames,
  isNumbers,
  type NamesOf,
  NullableArray,
} from "../../extend.js";
import {
  BoolArray,
  type DataOf,
  type DataTypeName,
  get,
  InvalidMetadataError,
  type Node,
  slice,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import type { Column } from "../../main/data-types.js";
import { arrayAt, attributesOf, encodingOf, lengthOf } from "./encoding.js";
import { checkRows, type ReadOptions, type Rows } from "./rows.js";

/** Options of `read` of a column. */
export interface ReadColumnOptions extends ReadOptions {
  /** Text as a `Column`, which Arrow shares without a copy; unless given, it is a list of strings. */
  readonly as?: "column" | undefined;
}
const OPTIONS: NamesOf<ReadColumnOptions> = { signal: true, as: true };

/** Elements of a column: those of a plain array as `get` returns them, or with categories or a mask. */
export type TableData = PlainData | CategoricalArray | NullableArray;
type PlainData = DataOf<DataTypeName> | Column;

/** What columns read. */
interface ColumnReader {
  readonly kind: TableColumn["kind"];
  readonly length: number;
  read(rows: Rows, options: ReadColumnOptions): Promise<TableData>;
}

/** A column of a table. It holds no elements; `read` reads them. */
export class TableColumn {
  /** Its name in the data frame. */
  readonly name: string;
  /** "categorical" reads a CategoricalArray, "nullable" a NullableArray, "plain" what `get` returns. */
  readonly kind: "plain" | "categorical" | "nullable";
  /** Number of rows. */
  readonly length: number;
  readonly #reader: ColumnReader;

  constructor(name: string, reader: ColumnReader) {
    this.name = name;
    this.kind = reader.kind;
    this.length = reader.length;
    this.#reader = reader;
  }

  /**
   * Reads rows, all unless given. Of a plain column: a typed array, BoolArray, list of strings or what else
   * `get` returns for the data type.
   * @throws InvalidSelectionError for rows that are not there; InvalidMetadataError for codes without a
   * category; and as `get`
   */
  async read(rows?: Rows, options: ReadColumnOptions = {}): Promise<TableData> {
    checkNames(options, "read", OPTIONS);
    return this.#reader.read(checkRows(rows, this.length), options);
  }
}

/** @throws InvalidMetadataError for a node that is not a column; UnsupportedError for an unknown encoding */
export async function columnOf(
  name: string,
  node: Node,
  signal: AbortSignal | undefined,
): Promise<TableColumn> {
  const encoding = encodingOf(node);
  if (node.kind === "array") {
    const categories = attributesOf(node).get("categories");
    // Before anndata 0.8 the codes named the array of categories.
    if (categories.isNull) return new TableColumn(name, plainReader(node));
    const folder = node.path.slice(0, node.path.lastIndexOf("/"));
    const values = await arrayAt(node.resolve(`${folder}/${categories.path()}`), signal);
    return new TableColumn(
      name,
      categoricalReader(node, values, attributesOf(values).get("ordered").json === true),
    );
  }
  if (encoding === "categorical") {
    const codes = await arrayAt(node.resolve("codes"), signal);
    const ordered = attributesOf(node).get("ordered");
    const isOrdered = !ordered.isNull && ordered.oneOf(true, false);
    return new TableColumn(
      name,
      categoricalReader(codes, await arrayAt(node.resolve("categories"), signal), isOrdered),
    );
  }
  if (encoding.startsWith("nullable-")) {
    const [values, mask] = await Promise.all([
      arrayAt(node.resolve("values"), signal),
      arrayAt(node.resolve("mask"), signal),
    ]);
    return new TableColumn(name, nullableReader(values, mask));
  }
  throw new UnsupportedError(`the encoding ${encoding || "of this group"} is not supported as a column`, {
    path: node.path,
  });
}

function plainReader(array: ZarrArray<DataTypeName>): ColumnReader {
  return { kind: "plain", length: lengthOf(array), read: (rows, options) => readPart(array, rows, options) };
}

async function readPart(
  array: ZarrArray<DataTypeName>,
  [start, stop]: Rows,
  { as, signal }: ReadColumnOptions,
): Promise<PlainData> {
  const selection = [slice(start, stop)];
  const isText = array.dataType.variable !== undefined;
  const { data } =
    as === "column" && isText
      ? await get(array, selection, { as, signal })
      : await get(array, selection, { signal });
  return data;
}

function categoricalReader(
  codes: ZarrArray<DataTypeName>,
  categories: ZarrArray<DataTypeName>,
  isOrdered: boolean,
): ColumnReader {
  lengthOf(categories);
  let values: Promise<readonly unknown[]> | undefined;
  return {
    kind: "categorical",
    length: lengthOf(codes),
    async read(rows, { signal }) {
      // Once for all parts of the column. What fails is read again.
      values ??= get(categories).then(
        ({ data }) => Array.from<unknown>(data),
        (error: unknown) => {
          values = undefined;
          throw error;
        },
      );
      const list = await values;
      const { data } = await get(codes, [slice(...rows)], { signal });
      const numbers = integersOf(data, codes.path);
      const wrong = numbers.findIndex((code) => code < -1 || code >= list.length);
      if (wrong !== -1)
        throw new InvalidMetadataError(
          `expected codes from -1 to ${list.length - 1}, got ${numbers[wrong]} in row ${rows[0] + wrong}`,
          { path: codes.path },
        );
      const small = numbers instanceof Float64Array ? Int32Array.from(numbers) : numbers;
      return new CategoricalArray(small, list, isOrdered);
    },
  };
}

/** Integers of other types as floats, so that a large one does not wrap to the code of another category. */
function integersOf(data: unknown, path: string): Codes | Float64Array {
  if (data instanceof Int8Array || data instanceof Int16Array || data instanceof Int32Array) return data;
  if (isNumbers(data) && !(data instanceof Float32Array) && !(data instanceof Float64Array))
    return Float64Array.from<number | bigint>(data, Number);
  throw new InvalidMetadataError("expected integers, the codes of categories", { path });
}

function nullableReader(values: ZarrArray<DataTypeName>, mask: ZarrArray<DataTypeName>): ColumnReader {
  const length = lengthOf(values);
  if (lengthOf(mask) !== length)
    throw new InvalidMetadataError(`expected a mask of ${length} elements, got ${lengthOf(mask)}`, {
      path: mask.path,
    });
  return {
    kind: "nullable",
    length,
    async read(rows, options) {
      const [data, { data: missing }] = await Promise.all([
        readPart(values, rows, options),
        get(mask, [slice(...rows)], { signal: options.signal }),
      ]);
      if (!(missing instanceof BoolArray))
        throw new InvalidMetadataError("expected booleans, a mask", { path: mask.path });
      return new NullableArray<unknown>(data, missing);
    },
  };
}
