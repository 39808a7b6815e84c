/** An npy file on disk, read in pieces. */
import { type FileHandle, open } from "node:fs/promises";
import { InvalidMetadataError, isZarrError, StoreError } from "../errors.js";
import { planCopy } from "../kernels/copy-plan.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import { product } from "../shape.js";
import { type NpyElements, type NpyHeader, npyDataOffset, PREAMBLE_BYTES, parseNpyHeader } from "./header.js";

export interface NpyFile extends NpyHeader {
  /** Elements `start` to `start + count` in the order of the file, in memory order each. */
  read(start: number, count: number): Promise<Uint8Array>;
}

/**
 * Runs `use` on an open file.
 * @throws InvalidMetadataError for a file that is no npy file, or ends too early; UnsupportedError for Python objects;
 *   StoreError when it cannot be read
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
 * Elements of an npy file to elements in memory order: little-endian, without padding.
 * @param bytes whole elements as the file has them
 * @returns as many elements, in the order of the file; `bytes` itself when they are in memory order already
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
