/**
 * Reads npy files in pieces, and parses and formats their headers, versions 1.0, 2.0 and 3.0: magic, version,
 * length, and a Python dict with `descr`, `fortran_order` and `shape`.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
import { type FileHandle, open } from "node:fs/promises";
import {
  type DataType,
  InvalidMetadataError,
  isZarrError,
  type Kernels,
  loadKernels,
  Member,
  planCopy,
  product,
  StoreError,
  withAllDataTypes,
} from "../../core/for-formats.js";
import { formatDescr, type NpyElements, parseDescr } from "./descr.js";
import { parsePythonLiteral, pythonTuple } from "./python-literal.js";

export interface NpyHeader extends NpyElements {
  readonly shape: readonly number[];
  /** "F": the first dimension varies fastest. */
  readonly order: "C" | "F";
  /** Offset of the elements in bytes from the start of the file. */
  readonly dataOffset: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/**
 * Bytes at the start of a file that contain the length of the header: magic, version, and a length of 2 or 4
 * bytes.
 */
const PREAMBLE_BYTES = 12;
/**
 * Limit of the header: more than the fields of any real struct need. A hostile file may claim up to 4 GiB.
 */
const MAXIMUM_HEADER_BYTES = 1 << 20;

/**
 * Offset of the elements in bytes, which is also the length that `parseNpyHeader` needs.
 * @param bytes at least the first `PREAMBLE_BYTES` of the file
 * @throws InvalidMetadataError for bytes that are not an npy file
 */
export function npyDataOffset(bytes: Uint8Array): number {
  if (bytes.length < PREAMBLE_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new InvalidMetadataError("expected an npy file, which begins with \\x93NUMPY, got other bytes");
  }
  const [major = 0, minor = 0] = bytes.subarray(6, 8);
  if (major < 1 || major > 3 || minor !== 0) {
    throw new InvalidMetadataError(`expected npy version 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const dataOffset = major === 1 ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true);
  if (dataOffset > MAXIMUM_HEADER_BYTES) {
    throw new InvalidMetadataError(
      `expected an npy header below ${MAXIMUM_HEADER_BYTES} bytes, got ${dataOffset}`,
    );
  }
  return dataOffset;
}

/**
 * @param bytes the start of the file, at least up to the elements
 * @throws InvalidMetadataError, UnknownDataTypeError, UnsupportedError for Python objects
 */
export async function parseNpyHeader(bytes: Uint8Array): Promise<NpyHeader> {
  const dataOffset = npyDataOffset(bytes);
  const isFirstVersion = bytes[6] === 1;
  if (bytes.length < dataOffset) {
    throw new InvalidMetadataError(
      `expected an npy header of ${dataOffset} bytes, got a file of ${bytes.length}`,
    );
  }
  const text = decode(bytes.subarray(isFirstVersion ? 10 : 12, dataOffset), bytes[6] === 3);
  const header = new Member(parsePythonLiteral(text.trimEnd()), {});
  const elements = await withAllDataTypes(() => header.get("descr").check(parseDescr));
  const shape = header.get("shape").shape();
  const order = header.get("fortran_order").oneOf(true, false) ? "F" : "C";
  if (!Number.isSafeInteger(product(shape) * elements.fileItemSize)) {
    throw new InvalidMetadataError(
      `expected less than 2^53 bytes of elements, got shape [${shape.join(", ")}]`,
    );
  }
  return { ...elements, shape, order, dataOffset };
}

/**
 * Decodes the header: UTF-8 in version 3, otherwise Latin-1, which TextDecoder would decode as windows-1252.
 */
function decode(bytes: Uint8Array, isUtf8: boolean): string {
  if (!isUtf8) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidMetadataError("expected an npy header in UTF-8, got other bytes", { cause });
  }
}

/**
 * Formats the header for little-endian elements in C order, which follow directly. Like numpy it uses version
 * 1.0 if possible and pads the header so that the elements start at a multiple of 64 bytes.
 * @throws UnsupportedError for a data type that numpy does not have
 */
export function formatNpyHeader(dataType: DataType, shape: readonly number[]): Uint8Array {
  const text = `{'descr': ${formatDescr(dataType)}, 'fortran_order': False, 'shape': ${pythonTuple(shape.map(String))}, }`;
  const isLatin = /^[\0-\xff]*$/.test(text);
  const encoded = isLatin
    ? Uint8Array.from(text, (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
  const padded = (preamble: number): number => Math.ceil((preamble + encoded.length + 1) / 64) * 64;
  const version = !isLatin ? 3 : padded(10) - 10 < 65536 ? 1 : 2;
  const preamble = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(padded(preamble)).fill(0x20);
  bytes.set(MAGIC);
  bytes.set([version, 0], 6);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, bytes.length - preamble, true);
  else view.setUint32(8, bytes.length - preamble, true);
  bytes.set(encoded, preamble);
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}

export interface NpyFile extends NpyHeader {
  /**
   * Reads elements `start` to `start + count` (exclusive) in file order. Each element is little-endian
   * without padding.
   */
  read(start: number, count: number): Promise<Uint8Array>;
}

/**
 * Opens a file, runs `use` on it and closes it.
 * @throws InvalidMetadataError for a file that is not an npy file or is truncated; UnsupportedError for
 * Python objects; StoreError for a file that cannot be opened
 */
export async function withNpyFile(path: string, use: (file: NpyFile) => Promise<void>): Promise<void> {
  const handle = await openFile(path);
  try {
    const header = await readHeader(handle, path);
    const { size } = await handle.stat();
    const expected = header.dataOffset + product(header.shape) * header.fileItemSize;
    if (size < expected) {
      throw new InvalidMetadataError(
        `${path}: expected ${expected} bytes for shape [${header.shape.join(", ")}], got ${size}`,
      );
    }
    const kernels = await loadKernels();
    await use({
      ...header,
      async read(start, count) {
        const position = header.dataOffset + start * header.fileItemSize;
        return toMemoryOrder(header, await readAt(handle, position, count * header.fileItemSize), kernels);
      },
    });
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (cause) {
    throw new StoreError(`cannot open ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

async function readHeader(handle: FileHandle, path: string): Promise<NpyHeader> {
  try {
    const dataOffset = npyDataOffset(await readAt(handle, 0, PREAMBLE_BYTES));
    return await parseNpyHeader(await readAt(handle, 0, dataOffset));
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw new InvalidMetadataError(`${path}: ${error.message}`, { cause: error });
  }
}

/** Reads `byteLength` bytes, or fewer at the end of the file. */
async function readAt(handle: FileHandle, position: number, byteLength: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(byteLength);
  let done = 0;
  while (done < byteLength) {
    const { bytesRead } = await handle.read(bytes, done, byteLength - done, position + done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

/**
 * Converts elements of an npy file to memory order: little-endian, without padding.
 * @param bytes whole elements in the form of the file
 * @returns the same number of elements in file order; `bytes` itself if they are already in memory order
 */
export function toMemoryOrder(
  { dataType, fileItemSize, runs }: NpyElements,
  bytes: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  if (fileItemSize === dataType.itemSize && runs.every(({ swapUnit }) => swapUnit === 1)) return bytes;
  const count = bytes.length / fileItemSize;
  const elements = new Uint8Array(count * dataType.itemSize);
  if (count === 0) return elements;
  for (const run of runs) {
    const plan = planCopy({
      shape: [count, run.count],
      targetStrides: [dataType.itemSize, run.width],
      sourceStrides: [fileItemSize, run.width],
      width: run.width,
      swapUnit: run.swapUnit,
    });
    kernels.copy(plan, elements, run.memoryOffset, bytes, run.fileOffset);
  }
  return elements;
}
