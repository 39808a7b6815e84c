/** The browser's caches of answers: their names say what and whose values are in them. */

/** Whose values, and of which store. */
export interface CacheName {
  /** The name that the application gave, or the URL without its query. */
  readonly place: string;
  /** What else tells one user's values from another's: query, credentials, scope. Not stored as it is. */
  readonly variants: readonly string[];
}

/** Users and queries of one place whose answers are kept. Signatures, for one, are new each time. */
const MOST_VARIANTS = 8;

/** The cache of this name. What other variants of its place have kept goes when there are too many. */
export async function openCache(name: CacheName): Promise<Cache> {
  const { caches } = globalThis;
  const place = `wazarr ${name.place}`;
  const isPlain = name.variants.every((variant) => variant === "");
  if (isPlain) return caches.open(place);
  const bytes = new TextEncoder().encode(JSON.stringify(name.variants));
  const full = `${place} ${(await digestOf(bytes)).slice(0, 32)}`;
  const cache = await caches.open(full);
  // In the order in which they were made.
  const others = (await caches.keys()).filter(
    (each) => each.startsWith(`${place} `) && /^[0-9a-f]{32}$/.test(each.slice(place.length + 1)),
  );
  for (const old of others.slice(0, -MOST_VARIANTS)) if (old !== full) await caches.delete(old);
  return cache;
}

/** The SHA-256 digest, in hexadecimal digits. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
