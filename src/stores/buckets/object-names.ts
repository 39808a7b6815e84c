/** Names of objects: what a store's keys become in a bucket, and the keys of the names in a listing. */
import { type AbsolutePath, InvalidArgumentError, relativeKey, StoreError } from "../../core/for-stores.js";

/** The prefix that a store's names begin with, from the path of an address. @throws InvalidArgumentError */
export function prefixOf(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  if (trimmed === "") return "";
  try {
    return `${relativeKey(`/${trimmed}`)}/`;
  } catch {
    throw new InvalidArgumentError(
      `expected the path of an address without empty, "." or ".." segments, got ${JSON.stringify(trimmed)}`,
    );
  }
}

/**
 * The name of an object as a path of a URL. It is escaped as signatures of S3 are made of it: some servers
 * sign what they receive, and refuse a path that only means the same.
 */
export const pathOf = (name: string): string =>
  encodeURIComponent(name)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Keys of names. Names that are not keys, such as those of empty "folders", are left out.
 * @param prefix what all names of the store begin with
 * @param directory the prefix of keys that was listed
 * @throws StoreError for a name that was not asked for
 */
export function keysOf(names: readonly string[], prefix: string, directory: AbsolutePath): AbsolutePath[] {
  return names.flatMap((name) => {
    const key: AbsolutePath = `/${name.slice(prefix.length)}`;
    if (!name.startsWith(prefix) || !key.startsWith(directory))
      throw new StoreError(
        `the listing names ${JSON.stringify(name.slice(0, 100))}, which was not asked for`,
        { key: directory },
      );
    return isKey(key) ? [key] : [];
  });
}

function isKey(key: string): boolean {
  try {
    relativeKey(key);
    return true;
  } catch {
    return false;
  }
}
