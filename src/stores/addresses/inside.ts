/** What the segments of an address lead to within its store: archives in it, and a node. */
import {
  type AbsolutePath,
  canList,
  type Listable,
  listDir,
  listPrefix,
  type Readable,
  readRange,
  type Store,
  type StoreOptions,
} from "../../core/for-stores.js";
import type { Address } from "./addresses.js";

/** @throws StoreError for an archive that cannot be read, when it is first read */
export async function openInside(
  store: Store,
  { archives, path, zarrFormat }: Pick<Address, "archives" | "path" | "zarrFormat">,
): Promise<Store> {
  let found = store;
  for (const archive of archives) {
    const { ZipStore } = await import("../zip/zip.js");
    found = new ZipStore(found, archive);
  }
  return path === "/" && zarrFormat === undefined ? found : nodeView(found, path, zarrFormat);
}

/** Names of the documents of the other version: those of version 3 for an address of version 2. */
const OTHER: Readonly<Record<2 | 3, RegExp>> = {
  2: /\/zarr\.json$/,
  3: /\/\.(?:zarray|zgroup|zattrs|zmetadata)$/,
};

/**
 * Views what is below a path as a read-only store, without the documents of the other version of Zarr if the
 * address says a version.
 */
function nodeView(store: Store, path: AbsolutePath, zarrFormat: 2 | 3 | undefined): Store {
  const other = zarrFormat === undefined ? undefined : OTHER[zarrFormat];
  const isHidden = (key: string): boolean => other?.test(key) ?? false;
  const outer = (key: AbsolutePath): AbsolutePath => (path === "/" ? key : `${path}${key}`);
  const inner = (key: AbsolutePath): AbsolutePath => `/${key.slice(path === "/" ? 1 : path.length + 1)}`;
  const readable: Readable = {
    ...(store.kind === undefined ? {} : { kind: store.kind }),
    get: (key, options) => (isHidden(key) ? undefined : store.get(outer(key), options)),
    getRange: (key, range, options) =>
      isHidden(key) ? undefined : readRange(store, outer(key), range, options),
  };
  if (!canList(store)) return readable;
  const keysBelow = async (prefix: AbsolutePath, options?: StoreOptions): Promise<AbsolutePath[]> =>
    (await listPrefix(store, outer(prefix), options)).filter((key) => !isHidden(key)).map(inner);
  const listable: Listable = {
    list: (options) => keysBelow("/", options),
    listPrefix: keysBelow,
    async listDir(prefix, options) {
      const { keys, prefixes } = await listDir(store, outer(prefix), options);
      return { keys: keys.filter((key) => !isHidden(key)).map(inner), prefixes: prefixes.map(inner) };
    },
  };
  return { ...readable, ...listable };
}
