/** Versions of values that are in memory, and of files. */

const identities = new WeakMap<Uint8Array, number>();
let count = 0;

/** A number that no other array has: a value that was replaced is another array. It keeps nothing in memory. */
export function identityOf(value: Uint8Array): number {
  let identity = identities.get(value);
  if (identity === undefined) {
    identity = count++;
    identities.set(value, identity);
  }
  return identity;
}

/**
 * What tells one content of a file from another: who replaces a file as a whole makes a new inode; who writes into it changes its times,
 * if not to the millisecond.
 */
export function fileVersion(status: {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}): string {
  return `${status.ino} ${status.mtimeMs} ${status.ctimeMs}`;
}
