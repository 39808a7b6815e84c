/**
 * Local files that documents and links may lead to: those below the directory that the user named, and what
 * the user allowed.
 */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AbsolutePath,
  invalid,
  type Listable,
  type Readable,
  relativeKey,
  relativePrefix,
  StoreError,
  type StoreOptions,
  shownAddress,
} from "../../core/for-stores.js";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import type { OpenedFile } from "../references/reference.js";

/**
 * Wraps a directory's store: it resolves each key's real path and refuses links that lead out of the
 * directory.
 * @param allow paths of directories and files that links may lead to
 */
export function withinDirectory(
  store: FileSystemStore,
  allow: readonly string[] = [],
): Readable & Pick<Listable, "list" | "listPrefix" | "listDir"> {
  if (!(store instanceof FileSystemStore)) throw invalid("withinDirectory", "a FileSystemStore", store);
  return confined(store, [store.root, ...pathsOf(allow)]);
}

/**
 * Makes the option `open` of a document in a folder. It opens local files below the folder and below the
 * paths in `allow`; relative addresses start at the folder.
 */
export function openerOfFiles(
  folder: string,
  allow: readonly string[] = [],
): (address: string) => OpenedFile | undefined {
  const places = [folder, ...pathsOf(allow)];
  return (address) => {
    const isUrl = /^file:/i.test(address);
    if (!isUrl && /^[a-z][a-z0-9+.-]+:/i.test(address)) return undefined;
    const path = isUrl ? pathOf(address) : resolve(folder, address);
    return { store: confined(new FileSystemStore(dirname(path)), places), key: `/${basename(path)}` };
  };
}

/** The paths among prefixes, some of which may be URLs of other schemes. */
function pathsOf(allow: readonly string[]): string[] {
  if (!Array.isArray(allow)) throw invalid("allow", "a list", allow);
  return allow
    .filter((prefix) => /^file:/i.test(prefix) || !/^[a-z][a-z0-9+.-]+:/i.test(prefix))
    .map((prefix) => (/^file:/i.test(prefix) ? pathOf(prefix) : resolve(prefix)));
}

/** @throws StoreError for a file: URL of another machine, and for one with encoded slashes */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(`${JSON.stringify(shownAddress(url))} is not a file of this machine: ${reason}`, {
      cause,
    });
  }
}

/**
 * Checks a path that a document names: it leads to what is below a folder, or to a place in `allow`.
 * @throws StoreError for other paths, and for links that lead out
 */
export async function checkWithin(
  path: string,
  folder: string,
  allow: readonly string[] = [],
): Promise<void> {
  const places = [folder, ...pathsOf(allow)];
  await checkPath(path, places, await realPaths(places));
}

const realPaths = (places: readonly string[]): Promise<string[]> =>
  Promise.all(places.map((place) => realpath(place).catch(() => place)));

async function checkPath(
  path: string,
  places: readonly string[],
  inside: readonly string[],
  key?: AbsolutePath,
): Promise<void> {
  // First the path as it is written: on Windows looking up a path of another machine sends it the user's
  // credentials.
  if (!isWithin(path, [...places, ...inside]))
    throw new StoreError(
      `${path} is outside of ${places[0]}, and only what is below that is read; --allow, or the option \`allow\`, names further places`,
      { key, code: "EACCES" },
    );
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined && !isWithin(found, inside))
    throw new StoreError(
      `a link leads out of ${places[0]}, to ${found}; --allow, or the option \`allow\`, names further places`,
      { key, code: "EACCES" },
    );
}

function confined(
  store: FileSystemStore,
  places: readonly string[],
): ReturnType<typeof withinDirectory> & Pick<FileSystemStore, "root"> {
  const real = realPaths(places);
  async function check(key: AbsolutePath): Promise<void> {
    const path = join(store.root, key.endsWith("/") ? relativePrefix(key) : relativeKey(key));
    await checkPath(path, places, await real, key);
  }
  return {
    root: store.root,
    async get(key, options?: StoreOptions) {
      await check(key);
      return store.get(key, options);
    },
    async getRange(key, range, options?: StoreOptions) {
      await check(key);
      return store.getRange(key, range, options);
    },
    async getParts(key, ranges, options) {
      await check(key);
      return store.getParts(key, ranges, options);
    },
    list: (options) => store.list(options),
    listPrefix: (prefix, options) => store.listPrefix(prefix, options),
    async listDir(prefix, options) {
      await check(prefix);
      return store.listDir(prefix, options);
    },
  };
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(place.endsWith(sep) ? place : place + sep));
}
