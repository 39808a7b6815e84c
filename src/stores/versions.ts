/** Versions of values that are in memory. */

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
