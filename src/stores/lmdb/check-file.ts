/** Looks at the file of a database before LMDB does. */
import { closeSync, openSync, readSync } from "node:fs";
import { StoreError } from "../../core/for-stores.js";

/** LMDB's magic number and data format version, in the first page of a database. */
const MAGIC = 0xbeefc0de;
const FORMAT = 2;

/**
 * Checks the file header, because LMDB crashes the process when it opens another kind of file or format.
 * @throws StoreError
 */
export function checkFile(path: string): void {
  const head = Buffer.alloc(32);
  let length: number;
  try {
    const descriptor = openSync(path, "r");
    try {
      length = readSync(descriptor, head);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is missing or not readable: LMDB reports that itself.
    return;
  }
  if (length === 0 || (head.readUInt32LE(24) === MAGIC && head.readUInt32LE(28) === FORMAT)) return;
  const problem =
    head.readUInt32LE(16) === MAGIC
      ? "one of a released LMDB, which the lmdb package cannot read"
      : "something else";
  throw new StoreError(`expected a database of the lmdb package, got ${problem}: ${path}`);
}
