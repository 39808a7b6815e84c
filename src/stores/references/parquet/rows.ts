/**
 * Reads a file of references in Parquet by the npm package `hyparquet`: columns path, offset, size and raw, a
 * row for each chunk.
 */
import type { ColumnMetaData, FileMetaData, SchemaElement } from "hyparquet";
import {
  bloscKernels,
  bloscOperand,
  DECODE_WORKSPACE,
  decode,
  expectDecoded,
  loadBloscDecoders,
  loadKernels,
  loadZstdKernels,
  retryWithMissing,
  StoreError,
  UnsupportedError,
} from "../../../core/for-stores.js";
import type { FilePart } from "../document.js";
import { checkPages } from "./pages.js";
import { readStruct } from "./thrift.js";

/** Most rows of a file. */
const MOST_ROWS = 1_000_000;
/** Most bytes of all pages of a file when they are decompressed. */
const MOST_DECODED = 96 << 20;

/** Bytes. Larger pages are assembled outside of kernel memory, which never shrinks. */
const MOST_KERNEL_MEMORY = 64 << 20;

const COLUMNS = ["path", "offset", "size", "raw"];
/** Estimated bytes of memory for a row, without the strings and bytes that it refers to. */
const ROW_BYTES = 32;

/** What a row says of its chunk; undefined: the chunk is missing. */
type Reference = Uint8Array | (FilePart & { readonly url: string }) | undefined;

export interface Rows {
  readonly count: number;
  /** Estimated memory. */
  readonly byteLength: number;
  readonly at: (row: number) => Reference;
}

/** Loads what reads files. @throws UnsupportedError without `hyparquet` */
export async function loadReader(): Promise<(file: Uint8Array) => Promise<Rows>> {
  const parquet = await loadPackage();
  const kernels = await loadKernels();
  await loadZstdKernels(kernels);
  const within = (page: Uint8Array, byteLength: number, work: () => Uint8Array): Uint8Array => {
    if (byteLength > MOST_DECODED) throw new StoreError(`expected at most ${MOST_DECODED} bytes of a page`);
    const room = Math.min(byteLength + page.length + DECODE_WORKSPACE, MOST_KERNEL_MEMORY);
    return kernels.within(room, () => work().slice());
  };
  const zstd = (page: Uint8Array, byteLength: number): Uint8Array =>
    within(page, byteLength, () => decode(page, { kernels, byteLength, maximumByteLength: byteLength }));
  // Not hyparquet's own decoder, which never ends for some pages.
  const snappy = (page: Uint8Array, byteLength: number): Uint8Array =>
    within(page, byteLength, () => {
      const target = kernels.allocate(byteLength);
      const result = bloscKernels(kernels).snappy(target, bloscOperand(kernels, page));
      expectDecoded(result, byteLength, "snappy", "snappy", 0);
      return target;
    });
  const compressors = { ZSTD: zstd, SNAPPY: snappy };
  const codecs: ReadonlyMap<string, (page: Uint8Array, byteLength: number) => Uint8Array> = new Map([
    ...Object.entries(compressors),
    ["UNCOMPRESSED", (page) => page],
  ]);

  async function readRows(file: Uint8Array): Promise<Rows> {
    checkFooter(file);
    const metadata = parquet.parquetMetadata(file, { geoparquet: false });
    const count = rowsOf(metadata);
    const names = checkSchema(metadata.schema);
    if (isSnappy(metadata)) await loadBloscDecoders(kernels);
    const byteLength = checkColumns(file, metadata, codecs);
    const rows = await parquet.parquetReadObjects({
      file: {
        byteLength: file.length,
        slice: (start, end) => new Uint8Array(file.subarray(start, end)).buffer,
      },
      metadata,
      columns: COLUMNS.filter((name) => names.has(name)),
      compressors,
      utf8: false,
      geoparquet: false,
    });
    if (rows.length !== count) throw new StoreError(`expected ${count} rows, got ${rows.length}`);
    const references = rows.map((row) => referenceOf(row));
    return { count, byteLength: 2 * byteLength + ROW_BYTES * count, at: (row) => references[row] };
  }
  return (file) => retryWithMissing(kernels, () => readRows(file));
}

async function loadPackage() {
  try {
    return await import("hyparquet");
  } catch (cause) {
    throw new UnsupportedError(
      "references in Parquet are read by the package hyparquet: npm install hyparquet",
      {
        cause,
      },
    );
  }
}

/**
 * The footer, of the length that the last bytes but four say, before the file's last four, which are "PAR1".
 */
function checkFooter(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = file.length - 8;
  if (end < 4 || view.getUint32(end + 4, true) !== 0x31524150)
    throw new StoreError('expected "PAR1" at the end: the file is truncated, or not Parquet');
  const length = view.getUint32(end, true);
  if (length > end) throw new StoreError(`a footer of ${length} bytes in a file of ${file.length}`);
  readStruct(new DataView(file.buffer, file.byteOffset, end), end - length);
}

function rowsOf({ num_rows: all, row_groups: groups }: FileMetaData): number {
  const count = groups.reduce((sum, group) => sum + wholeNumber(group.num_rows, "rows of a group"), 0);
  if (count !== wholeNumber(all, "rows"))
    throw new StoreError(`expected ${all} rows in groups, got ${count}`);
  if (count > MOST_ROWS) throw new StoreError(`expected at most ${MOST_ROWS} rows, got ${count}`);
  return count;
}

const isSnappy = ({ row_groups: groups }: FileMetaData): boolean =>
  groups.some(({ columns }) => columns.some(({ meta_data: about }) => about?.codec === "SNAPPY"));

/** @returns the names of the columns */
function checkSchema([root, ...columns]: readonly SchemaElement[]): ReadonlyMap<string, SchemaElement> {
  const isFlat = columns.every(
    ({ type, num_children: children, repetition_type: repetition }) =>
      type !== undefined && !children && (repetition === "REQUIRED" || repetition === "OPTIONAL"),
  );
  const byName = new Map(columns.map((column) => [column.name, column]));
  const required = ["path", "offset", "size"].filter((name) => !byName.has(name));
  const isAllRaw = byName.has("raw") && required.length === 3;
  if (!isFlat || root?.num_children !== columns.length || byName.size !== columns.length)
    throw new StoreError("expected flat columns, got nested ones");
  if (required.length > 0 && !isAllRaw)
    throw new StoreError(`expected the columns ${COLUMNS.join(", ")}, got ${[...byName.keys()].join(", ")}`);
  return byName;
}

/** @returns how many bytes the pages of all columns that are read have when they are decompressed */
function checkColumns(
  file: Uint8Array,
  { schema, row_groups: groups }: FileMetaData,
  codecs: ReadonlyMap<string, (page: Uint8Array, byteLength: number) => Uint8Array>,
): number {
  let decoded = 0;
  for (const { columns, num_rows } of groups) {
    const names = columns.map(({ meta_data: about }) => about?.path_in_schema.join("."));
    if (names.length !== schema.length - 1 || names.some((name, i) => name !== schema[i + 1]?.name))
      throw new StoreError("expected each column once in a group of rows, in the order of the schema");
    for (const [i, { meta_data: about }] of columns.entries()) {
      const element = schema[i + 1];
      if (about === undefined || element === undefined || !COLUMNS.includes(element.name)) continue;
      const decompress = codecs.get(about.codec);
      if (decompress === undefined)
        throw new StoreError(`expected zstd, snappy or no compression, got ${about.codec}`);
      const { start, end } = extentOf(about, file.length);
      const isOptional = element.repetition_type === "OPTIONAL";
      const rows = Number(num_rows);
      const pages = { bytes: file.subarray(start, end), rows, isOptional, decompress };
      decoded += checkPages(pages, MOST_DECODED - decoded);
    }
  }
  return decoded;
}

function extentOf(about: ColumnMetaData, most: number): { readonly start: number; readonly end: number } {
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size: size } = about;
  const start = wholeNumber(dictionary || data, "offset of a column");
  const end = start + wholeNumber(size, "bytes of a column");
  if (end > most) throw new StoreError(`a column at bytes ${start} to ${end} of a file of ${most}`);
  return { start, end };
}

function referenceOf({ path, offset, size, raw }: Readonly<Record<string, unknown>>): Reference {
  // As in fsspec, data in the file go before a path.
  if (raw instanceof Uint8Array) return raw;
  if (raw !== null && raw !== undefined) throw new StoreError("raw: expected bytes");
  if (path === null || path === undefined) return undefined;
  const url = path instanceof Uint8Array ? new TextDecoder().decode(path) : path;
  if (typeof url !== "string") throw new StoreError("path: expected a string");
  const extent = { offset: wholeNumber(offset, "offset"), length: wholeNumber(size, "size") };
  return extent.offset === 0 && extent.length === 0 ? { url } : { url, extent };
}

function wholeNumber(value: unknown, what: string): number {
  const number = typeof value === "bigint" || typeof value === "number" ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new StoreError(`${what}: expected a whole number from 0 to 2^53-1, got ${String(value)}`);
}
