/** Matrices, dense or sparse, of which rows and columns are read as typed arrays. */
import { checkNames, isJsonArray, itemAt } from "../../extend.js";
import {
  type DataOf,
  type DataTypeName,
  get,
  InvalidMetadataError,
  type Node,
  slice,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import { arrayAt, attributesOf, encodingOf } from "./encoding.js";
import { checkRows, READ, type ReadOptions, type Rows } from "./rows.js";
import { SparseMatrix } from "./sparse.js";

/** A part of a matrix, with its zeros. */
export interface MatrixPart {
  /** In rows, one after the other (C order). */
  readonly data: DataOf<DataTypeName>;
  /** Rows and columns of the part. */
  readonly shape: readonly [rows: number, columns: number];
}

/** A matrix whose every element is stored. */
export class DenseMatrix {
  /** Stored as one array of all elements. */
  readonly kind = "dense";
  /** The array of the elements. */
  readonly array: ZarrArray<DataTypeName>;
  /** Rows and columns of the whole matrix. */
  readonly shape: readonly [rows: number, columns: number];

  /** @throws InvalidMetadataError for an array of other than two dimensions */
  constructor(array: ZarrArray<DataTypeName>) {
    const [rows, columns, ...others] = array.shape;
    if (rows === undefined || columns === undefined || others.length > 0)
      throw new InvalidMetadataError(`expected two dimensions, got shape [${array.shape.join(", ")}]`, {
        path: array.path,
      });
    this.array = array;
    this.shape = [rows, columns];
  }

  /** Reads rows, all unless given. @throws InvalidSelectionError, and as `get` */
  async rows(rows?: Rows, options: ReadOptions = {}): Promise<MatrixPart> {
    checkNames(options, "rows", READ);
    const [start, stop] = checkRows(rows, this.shape[0]);
    const { data } = await get(this.array, [slice(start, stop), null], { signal: options.signal });
    return { data, shape: [stop - start, this.shape[1]] };
  }

  /** Reads columns, all unless given. @throws InvalidSelectionError, and as `get` */
  async columns(columns?: Rows, options: ReadOptions = {}): Promise<MatrixPart> {
    checkNames(options, "columns", READ);
    const [start, stop] = checkRows(columns, this.shape[1], "columns");
    const { data } = await get(this.array, [null, slice(start, stop)], { signal: options.signal });
    return { data, shape: [this.shape[0], stop - start] };
  }
}

/** A matrix of `X`, `layers`, `obsm` and the like. */
export type Matrix = DenseMatrix | SparseMatrix;

/**
 * @throws InvalidMetadataError for a node that is no matrix, and parts that do not fit; UnsupportedError for
 * another encoding
 */
export async function matrixOf(node: Node, signal: AbortSignal | undefined): Promise<Matrix> {
  if (node.kind === "array") return new DenseMatrix(node);
  const encoding = encodingOf(node);
  if (encoding !== "csr_matrix" && encoding !== "csc_matrix")
    throw new UnsupportedError(`expected a matrix, got the encoding ${encoding || "of no matrix"}`, {
      path: node.path,
    });
  const shape = attributesOf(node).get("shape");
  if (!isJsonArray(shape.json) || shape.json.length !== 2) throw shape.invalid("two lengths");
  const lengths = shape.list().map((length) => length.integer());
  const [data, indices, indptr] = await Promise.all([
    arrayAt(node.resolve("data"), signal),
    arrayAt(node.resolve("indices"), signal),
    arrayAt(node.resolve("indptr"), signal),
  ]);
  const kind = encoding === "csr_matrix" ? "csr" : "csc";
  return new SparseMatrix(kind, [itemAt(lengths, 0), itemAt(lengths, 1)], { data, indices, indptr });
}
