/**
 * Opens STORE of the command line: a directory, a .zip, a reference document, an Icechunk repository or an
 * http(s)
 * URL or a bucket.
 */

import { renameSync, statSync } from "node:fs";
import { mkdtemp, open as openFile, readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Location, type Store, type WritableStore, withMaybeConsolidatedMetadata } from "../index.js";
import { isBucket, isRemote, isZip, statOf } from "../stores/addresses.js";
import { canList, listPrefix } from "../stores/capabilities.js";
import { checkWritable } from "../stores/check-store.js";
import { FileSystemStore } from "../stores/file-system.js";
import { lockFile } from "../stores/files/locks.js";
import { openStore } from "../stores/open-store.js";
import { shownAddress } from "../stores/shown.js";
import { packZip } from "../stores/zip.js";
import { UsageError } from "./command.js";

/** A store and the path of a node in it, from the command line. */
export interface NodeName {
  readonly store: string;
  readonly path: string;
  /** The values of `--allow` (see OpenStoreOptions). */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Splits SRC[::PATH]. A path contains no "]", so that the "::" in a URL such as http://[::1]/ is not a
 * separator.
 */
export function parseNodeName(text: string, allow?: readonly string[]): NodeName {
  const [, store = text, path = ""] = /^(.+)::([^\]]*)$/.exec(text) ?? [];
  return { store, path: path.startsWith("/") ? path : `/${path}`, allow };
}

/** The node that the operands STORE [PATH] name. STORE is taken as it is if there is a PATH. */
export function nodeOfOperands([store = "", path]: readonly string[], allow?: readonly string[]): NodeName {
  return path === undefined ? parseNodeName(store, allow) : { store, path, allow };
}

/** Opens a node for reading. */
export async function openSource({ store, path, allow }: NodeName): Promise<Location> {
  return new Location(await openStore(store, { allow })).resolve(path);
}

/** Opens a node for reading it with all nodes below it. */
export async function openHierarchy({ store, path, allow }: NodeName): Promise<Location> {
  return new Location(await openKnown(store, allow)).resolve(path);
}

/** Opens a store. If its keys cannot be listed, consolidated metadata, if any, give the list of its nodes. */
export async function openKnown(store: string, allow?: readonly string[]): Promise<Store> {
  const opened = await openStore(store, { allow });
  return canList(opened) ? opened : withMaybeConsolidatedMetadata(opened);
}

/** @throws UsageError unless `store` is a directory */
export function openDirectory(store: string): FileSystemStore {
  if (isRemote(store) || !statSync(store, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`expected a directory, which alone may have temporary files, got ${store}`);
  return new FileSystemStore(store);
}

/**
 * Runs `write` on a writable store. A .zip is rewritten: its values are copied to a temporary directory
 * beside it, which is packed into a new archive; after success this replaces the old one. Others that rewrite
 * it wait meanwhile.
 * @throws UsageError for an address that cannot be written to
 */
export async function withTarget(
  { store, path }: NodeName,
  write: (location: Location<WritableStore>) => Promise<void>,
): Promise<void> {
  if (isBucket(store) && !(await isZip(store))) {
    await write(new Location(checkWritable(await openStore(store), "/")).resolve(path));
    return;
  }
  if (isRemote(store))
    throw new UsageError(
      `expected a directory, a bucket or a local .zip to write to, got ${shownAddress(store)}`,
    );
  if (!(await isZip(store))) {
    await write(new Location(new FileSystemStore(store)).resolve(path));
    return;
  }
  const file = resolve(store);
  const lock = await lockFile(file, file);
  try {
    await rewriteArchive(file, path, write, () => lock.check(file));
  } finally {
    await lock.unlock();
  }
}

/** @param check called immediately before the archive is replaced */
async function rewriteArchive(
  file: string,
  path: string,
  write: (location: Location<WritableStore>) => Promise<void>,
  check: () => void,
): Promise<void> {
  const prefix = `.${basename(file)}.wazarr-`;
  // Nobody else rewrites the archive now, so these are of writers that died. The name ends in six characters
  // of `mkdtemp`.
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(prefix) && name.length === prefix.length + 6)
      await rm(join(dirname(file), name), { recursive: true, force: true });
  const folder = await mkdtemp(join(dirname(file), prefix));
  try {
    const unpacked = new FileSystemStore(join(folder, "store"));
    if ((await statOf(file)) !== undefined) await copyKeys(await openStore(file), unpacked);
    await write(new Location(unpacked).resolve(path));
    const packed = join(folder, "packed");
    const output = await openFile(packed, "w");
    try {
      for await (const bytes of packZip(unpacked)) await output.writeFile(bytes);
      await output.sync();
    } finally {
      await output.close();
    }
    check();
    renameSync(packed, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyKeys(from: Store, to: FileSystemStore): Promise<void> {
  for (const key of await listPrefix(from, "/")) {
    const value = await from.get(key);
    if (value !== undefined) await to.set(key, value);
  }
}

/** Whether two nodes in directories, or at remote addresses, are the same, or one lies within the other. */
export async function areNested(a: NodeName, b: NodeName): Promise<boolean> {
  if (isRemote(a.store) !== isRemote(b.store)) return false;
  const [first, second] = await Promise.all(
    [a, b].map(({ store, path }) =>
      isRemote(store)
        ? [store, ...path.split("/").filter(Boolean)].join(sep)
        : realPath(resolve(store, `.${sep}${path}`)),
    ),
  );
  if (first === undefined || second === undefined) return false;
  return `${first}${sep}`.startsWith(`${second}${sep}`) || `${second}${sep}`.startsWith(`${first}${sep}`);
}

/** The real path, with links followed as far as the path exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
