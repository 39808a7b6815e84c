/** The content of one file: reads parts of it, and replaces it. */
import {
  type AbsolutePath,
  checkByteLength,
  type RangeQuery,
  resolveRange,
  type StoreOptions,
  UnsupportedError,
} from "../../../core/for-stores.js";
import { changed } from "./failures.js";
import type { FileHandle, FileSnapshot } from "./handles.js";

/** The length and version of a file. */
export function stateOf({ size, lastModified }: FileSnapshot) {
  return { byteLength: size, version: `${lastModified} ${size}`, modified: lastModified };
}

/** @throws StoreError for parts that are too long; `changed` if the file was replaced */
export async function partsOf(
  file: FileSnapshot,
  key: AbsolutePath,
  ranges: readonly RangeQuery[] | undefined,
  { maximumBytes, signal }: StoreOptions,
): Promise<Uint8Array[]> {
  const extents = ranges ?? [{ offset: 0, length: file.size }];
  const spans = extents.map((range) => resolveRange(range, file.size));
  for (const { start, end } of spans) checkByteLength(end - start, maximumBytes, key);
  const parts = await Promise.all(
    spans.map(async ({ start, end }) => {
      const part = new Uint8Array(await file.slice(start, end).arrayBuffer());
      if (part.length !== end - start) throw changed();
      return part;
    }),
  );
  signal?.throwIfAborted();
  return parts;
}

/** Replaces the content of a file, or leaves it as it is. */
export async function replace(
  file: FileHandle,
  value: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (file.createWritable === undefined)
    throw new UnsupportedError(
      "this browser cannot write into folders: their files have no `createWritable`",
    );
  const writer = await file.createWritable();
  try {
    await writer.write(ownBuffer(value));
    signal?.throwIfAborted();
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {
      // A writer that failed is closed already.
    });
    throw error;
  }
}

/** Browsers refuse shared memory. */
function ownBuffer(value: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = value;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? buffer : new Uint8Array(value).buffer;
}
