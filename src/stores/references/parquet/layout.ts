/**
 * kerchunk's layout of references in Parquet: ".zmetadata" has the metadata documents and how many references
 * a file has, and NAME/refs.K.parq those of the chunks K * record_size to (K + 1) * record_size - 1 of an
 * array, in C order.
 * https://fsspec.github.io/kerchunk/spec.html#parquet-references
 */
import {
  type AbsolutePath,
  at,
  describe,
  encodeJson,
  gridCoordinates,
  isJsonArray,
  isJsonObject,
  type Json,
  parseJson,
  StoreError,
} from "../../../core/for-stores.js";

export const DOCUMENT = "/.zmetadata";

const MOST_DIMENSIONS = 64;

export interface ChunkedArray {
  /** Key of the array, without a "/" at its end. */
  readonly path: AbsolutePath;
  /** Chunks along each dimension. */
  readonly grid: readonly number[];
  readonly chunkCount: number;
  readonly separator: string;
}

export interface Layout {
  readonly recordSize: number;
  readonly documents: ReadonlyMap<AbsolutePath, Uint8Array>;
  /** By path. */
  readonly arrays: ReadonlyMap<string, ChunkedArray>;
}

/** @throws StoreError for a document that is not of this layout */
export function parseLayout(bytes: Uint8Array): Layout {
  const json = parseJson(bytes, { key: DOCUMENT });
  const { metadata, record_size: recordSize }: Readonly<Record<string, Json>> = isJsonObject(json)
    ? json
    : {};
  if (!isJsonObject(metadata) || !isCount(recordSize) || recordSize === 0)
    throw refusal('expected {"metadata": {...}, "record_size": N}, as kerchunk writes it');
  const documents = new Map<AbsolutePath, Uint8Array>();
  const arrays = new Map<string, ChunkedArray>();
  for (const [name, document] of Object.entries(metadata)) {
    if (name.split("/").some((segment) => segment === "" || segment === "." || segment === ".."))
      throw refusal(`expected a key, got ${describe(name)}`);
    documents.set(`/${name}`, encodeJson(document));
    const [, path] = /^(.+)\/\.zarray$/s.exec(name) ?? [];
    if (path !== undefined) arrays.set(`/${path}`, arrayAt(`/${path}`, document));
  }
  return { recordSize, documents, arrays };
}

function arrayAt(path: AbsolutePath, document: Json): ChunkedArray {
  const { shape, chunks, dimension_separator: separator = "." } = isJsonObject(document) ? document : {};
  const isRight =
    isJsonArray(shape) && isJsonArray(chunks) && shape.length === chunks.length && shape.every(isCount);
  if (!isRight || shape.length > MOST_DIMENSIONS || !(separator === "." || separator === "/"))
    throw refusal(`${path}/.zarray: expected shape and chunks, got ${describe(document)}`);
  const grid = shape.map((length, d) => {
    const chunk = chunks[d];
    if (!isCount(length) || !isCount(chunk) || chunk === 0)
      throw refusal(`${path}/.zarray: expected chunks of 1 or more, got ${describe(chunk)}`);
    return Math.ceil(length / chunk);
  });
  const chunkCount = grid.reduce((product, count) => product * count, 1);
  if (!isCount(chunkCount)) throw refusal(`${path}/.zarray: expected at most 2^53-1 chunks, got more`);
  return { path, grid, chunkCount, separator };
}

/** The array of a chunk, and the number of the chunk in it; undefined for another key. */
export function chunkAt(
  { arrays }: Layout,
  key: AbsolutePath,
): { readonly array: ChunkedArray; readonly number: number } | undefined {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const array = arrays.get(key.slice(0, end));
    if (array === undefined) continue;
    const number = chunkNumber(array, key.slice(end + 1));
    return number === undefined ? undefined : { array, number };
  }
  return undefined;
}

function chunkNumber({ grid, separator }: ChunkedArray, name: string): number | undefined {
  if (grid.length === 0) return name === "0" ? 0 : undefined;
  const parts = name.split(separator);
  if (parts.length !== grid.length) return undefined;
  let number = 0;
  for (const [d, count] of grid.entries()) {
    const part = at(parts, d);
    const index = /^(?:0|[1-9]\d{0,15})$/.test(part) ? Number(part) : count;
    if (index >= count) return undefined;
    number = number * count + index;
  }
  return number;
}

/** The keys of all chunks, in C order. */
export function* chunkKeys({ path, grid, separator }: ChunkedArray): Generator<AbsolutePath> {
  if (grid.length === 0) yield `${path}/0`;
  else for (const index of gridCoordinates(grid)) yield `${path}/${index.join(separator)}`;
}

const isCount = (json: Json | undefined): json is number =>
  typeof json === "number" && Number.isSafeInteger(json) && json >= 0;

const refusal = (message: string) => new StoreError(`references in Parquet: ${message}`, { key: DOCUMENT });
