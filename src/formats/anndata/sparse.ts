/** Sparse matrices: compressed by rows (CSR) or by columns (CSC), as scipy has them. */
import {
  checkNames,
  isBigInts,
  isNumbers,
  isNumberType,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  noItem,
} from "../../extend.js";
import {
  type DataTypeName,
  get,
  InvalidMetadataError,
  slice,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import { lengthOf } from "./encoding.js";
import { checkRows, READ, type ReadOptions, type Rows } from "./rows.js";

/** The arrays of a sparse matrix. */
interface SparseParts {
  readonly data: ZarrArray<DataTypeName>;
  readonly indices: ZarrArray<DataTypeName>;
  readonly indptr: ZarrArray<DataTypeName>;
}

/** Lines of a sparse matrix, rows of CSR or columns of CSC, without its zeros. */
export interface CompressedLines {
  /** Where each line begins in `indices` and `data`, from 0 on, and where the last one ends. */
  readonly indptr: Float64Array;
  /** The place of each element in its line. */
  readonly indices: Float64Array;
  /** The stored elements, line after line. */
  readonly data: Numbers;
}

/** A part of a matrix, with its zeros. */
export interface SparseMatrixPart {
  /** In rows, one after the other (C order). */
  readonly data: Numbers;
  /** Rows and columns of the part. */
  readonly shape: readonly [rows: number, columns: number];
}

/** Of a part with its zeros: the shape is in a document, and needs no stored elements. */
const MOST_ELEMENTS = 2 ** 28;
/** Stored elements that are read at once to find those of some lines across the storage order. */
const BLOCK = 2 ** 20;

/** A matrix of which only elements other than 0 are stored. */
export class SparseMatrix {
  /** "csr" is compressed by rows, and reads them fast; "csc" is compressed by columns. */
  readonly kind: "csr" | "csc";
  /** Rows and columns of the whole matrix. */
  readonly shape: readonly [rows: number, columns: number];
  /** How many elements are stored. */
  readonly storedCount: number;
  readonly #parts: SparseParts;
  readonly #type: NumberType;

  /**
   * @throws InvalidMetadataError for arrays that do not fit; UnsupportedError for elements that are no
   * numbers
   */
  constructor(kind: "csr" | "csc", shape: readonly [rows: number, columns: number], parts: SparseParts) {
    const { data, indices, indptr } = parts;
    const { name } = data.metadata.dataType;
    if (!isNumberType(name))
      throw new UnsupportedError(`expected a sparse matrix of numbers, got ${name}`, { path: data.path });
    this.kind = kind;
    this.shape = shape;
    this.storedCount = lengthOf(data);
    this.#parts = parts;
    this.#type = name;
    if (lengthOf(indices) !== this.storedCount)
      throw new InvalidMetadataError(`expected ${this.storedCount} indices, got ${lengthOf(indices)}`, {
        path: indices.path,
      });
    if (lengthOf(indptr) !== this.#lines + 1)
      throw new InvalidMetadataError(`expected ${this.#lines + 1} elements, got ${lengthOf(indptr)}`, {
        path: indptr.path,
      });
  }

  /**
   * Reads rows with their zeros, all unless given. Of CSC this reads the whole matrix.
   * @throws InvalidSelectionError; UnsupportedError for more than 2^28 elements; InvalidMetadataError for
   * indices that are none; and as `get`
   */
  rows(rows?: Rows, options: ReadOptions = {}): Promise<SparseMatrixPart> {
    return this.#read("rows", checkRows(rows, this.shape[0]), [0, this.shape[1]], options);
  }

  /**
   * Reads columns with their zeros, all unless given. Of CSR this reads the whole matrix.
   * @throws as `rows`
   */
  columns(columns?: Rows, options: ReadOptions = {}): Promise<SparseMatrixPart> {
    return this.#read("columns", [0, this.shape[0]], checkRows(columns, this.shape[1], "columns"), options);
  }

  /**
   * Reads lines as they are stored, rows of CSR or columns of CSC; all unless given.
   * @throws InvalidSelectionError; InvalidMetadataError for indices that are none; and as `get`
   */
  async compressed(lines?: Rows, options: ReadOptions = {}): Promise<CompressedLines> {
    checkNames(options, "compressed", READ);
    const [start, stop] = checkRows(lines, this.#lines, "lines");
    return this.#compressed([start, stop], await this.#starts([start, stop], options), options);
  }

  get #lines(): number {
    return this.kind === "csr" ? this.shape[0] : this.shape[1];
  }

  async #read(name: string, rows: Rows, columns: Rows, options: ReadOptions): Promise<SparseMatrixPart> {
    checkNames(options, name, READ);
    const [height, width] = [rows[1] - rows[0], columns[1] - columns[0]];
    if (height * width > MOST_ELEMENTS)
      throw new UnsupportedError(
        `expected at most ${MOST_ELEMENTS} elements with the zeros, got ${height} x ${width}; read fewer, or \`compressed\``,
        { path: this.#parts.data.path },
      );
    const data = new NUMBER_CLASSES[this.#type](height * width);
    const isByRows = this.kind === "csr";
    const [lines, across] = isByRows ? [rows, columns] : [columns, rows];
    const [ofLine, ofPlace] = isByRows ? [width, 1] : [1, width];
    const starts = await this.#starts(lines, options);
    for (const [from, to] of blocks(starts)) {
      const part = await this.#compressed(
        [lines[0] + from, lines[0] + to],
        starts.subarray(from, to + 1),
        options,
      );
      addTo(data, part, (line, place) => {
        const isIn = place >= across[0] && place < across[1];
        return isIn ? (from + line) * ofLine + (place - across[0]) * ofPlace : undefined;
      });
    }
    return { data, shape: [height, width] };
  }

  /** Where lines begin among the stored elements, and where the last one ends. */
  async #starts([start, stop]: Rows, { signal }: ReadOptions): Promise<Float64Array> {
    const { path } = this.#parts.indptr;
    const { data } = await get(this.#parts.indptr, [slice(start, stop + 1)], { signal });
    const starts = integersOf(data, path);
    for (const [i, each] of starts.entries()) {
      const before = i === 0 ? 0 : (starts[i - 1] ?? noItem(starts, i - 1));
      if (each < before || each > this.storedCount)
        throw new InvalidMetadataError(
          `expected an integer from ${before} to ${this.storedCount} at ${start + i}, got ${each}`,
          { path },
        );
    }
    return starts;
  }

  async #compressed([start]: Rows, starts: Float64Array, { signal }: ReadOptions): Promise<CompressedLines> {
    const first = starts[0] ?? noItem(starts, 0);
    const selection = [slice(first, starts.at(-1))];
    const [{ data }, { data: stored }] = await Promise.all([
      get(this.#parts.data, selection, { signal }),
      get(this.#parts.indices, selection, { signal }),
    ]);
    if (!isNumbers(data)) throw new TypeError("internal error: numbers that are in no typed array");
    const { path } = this.#parts.indices;
    const indices = integersOf(stored, path);
    const length = this.kind === "csr" ? this.shape[1] : this.shape[0];
    const wrong = indices.findIndex((place) => place < 0 || place >= length);
    if (wrong !== -1)
      throw new InvalidMetadataError(
        `expected integers from 0 to ${length - 1}, got ${indices[wrong]} at ${first + wrong}, of line ${start} or a later one`,
        { path },
      );
    return { indptr: starts.map((each) => each - first), indices, data };
  }
}

/** Ranges of lines with some million stored elements, or one line of more. */
function* blocks(starts: Float64Array): Generator<Rows> {
  let from = 0;
  for (let to = 1; to < starts.length; to++) {
    const next = starts[to + 1];
    if (next !== undefined && next - (starts[from] ?? noItem(starts, from)) <= BLOCK) continue;
    yield [from, to];
    from = to;
  }
}

function integersOf(data: unknown, path: string): Float64Array {
  if (!isNumbers(data) || data instanceof Float32Array || data instanceof Float64Array)
    throw new InvalidMetadataError("expected integers", { path });
  return Float64Array.from<number | bigint>(data, Number);
}

/** Adds elements of lines to a part with zeros; elements at the same place add up, as in scipy. */
function addTo(
  into: Numbers,
  { indptr, indices, data }: CompressedLines,
  placeOf: (line: number, place: number) => number | undefined,
): void {
  const each = (add: (at: number, i: number) => void): void => {
    for (let line = 0; line + 1 < indptr.length; line++) {
      const stop = indptr[line + 1] ?? noItem(indptr, line + 1);
      for (let i = indptr[line] ?? noItem(indptr, line); i < stop; i++) {
        const at = placeOf(line, indices[i] ?? noItem(indices, i));
        if (at !== undefined) add(at, i);
      }
    }
  };
  if (isBigInts(into) && isBigInts(data))
    each((at, i) => {
      into[at] = (into[at] ?? noItem(into, at)) + (data[i] ?? noItem(data, i));
    });
  else if (!isBigInts(into) && !isBigInts(data))
    each((at, i) => {
      into[at] = (into[at] ?? noItem(into, at)) + (data[i] ?? noItem(data, i));
    });
}
