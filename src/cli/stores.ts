/**
 * Opens STORE of the command line: a directory, a .zip, a reference document, an Icechunk repository or an
 * http(s)
 * URL or a bucket.
 */

import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { FileSystemStore } from "../core/stores/files/file-system.js";
import { addressOfNode, CheckedStore, parseAddress, splitNode, withoutSecrets } from "../extend.js";
import { Location, type Store, type WritableStore, withMaybeConsolidatedMetadata } from "../index.js";
import { addressKind, isZip, openLocation, openStore, rewriteZip } from "../stores/addresses/open-store.js";
import { UsageError } from "./command.js";

/** A store and the path of a node in it, from the command line. */
export interface NodeName {
  readonly store: string;
  readonly path: string;
  /** The values of `--allow` (see OpenStoreOptions). */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Takes the node off an address: STORE|zarr:PATH.
 * @throws UsageError for STORE::PATH, whose "::" means something else in fsspec
 */
export function parseNodeName(text: string, allow?: readonly string[]): NodeName {
  const { store, path } = splitNode(text);
  // A path has no "]": the "::" of http://[::1]/ is in a host.
  const [, before, after] = /^(.+)::([^\]]*)$/.exec(parseAddress(store).address) ?? [];
  if (before !== undefined && after !== undefined)
    throw new UsageError(
      `${withoutSecrets(text)}: "::" does not name a node; write "${addressOfNode(withoutSecrets(before), after)}"`,
    );
  return { store, path, allow };
}

/** The node that the operands STORE [PATH] name. STORE is taken as it is if there is a PATH. */
export function nodeOfOperands([store = "", path]: readonly string[], allow?: readonly string[]): NodeName {
  return path === undefined ? parseNodeName(store, allow) : { store, path, allow };
}

/** Opens a node for reading. */
export async function openSource({ store, path, allow }: NodeName): Promise<Location> {
  return below(await openLocation(store, { allow }), path);
}

/**
 * Opens a node for reading it with all nodes below it. If the keys of its store cannot be listed,
 * consolidated metadata, if any, give the list of its nodes.
 */
export async function openHierarchy({ store, path, allow }: NodeName): Promise<Location> {
  const { store: opened, path: inside } = await openLocation(store, { allow });
  return below(new Location(await known(opened), inside), path);
}

/** Opens a store by its name alone, as jobs do: its keys count from the node. */
export async function openKnown(store: string, allow?: readonly string[]): Promise<Store> {
  return known(await openStore(store, { allow }));
}

const known = async (store: Store): Promise<Store> =>
  new CheckedStore(store).canList ? store : withMaybeConsolidatedMetadata(store);

/** STORE may name a node itself, as a document of STAC does: PATH counts from there. */
const below = (location: Location, path: string): Location => location.resolve(path.replace(/^\/+/, ""));

/** @throws UsageError unless `store` is a directory */
export function openDirectory(store: string): FileSystemStore {
  if (addressKind(store) !== "path" || !statSync(store, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--clean: expected a directory, got ${store}`);
  return new FileSystemStore(store);
}

/**
 * Runs `write` on a writable store. A .zip is rewritten (`rewriteZip`).
 * @throws UsageError for an address that cannot be written to
 */
export async function withTarget(
  { store, path }: NodeName,
  write: (location: Location<WritableStore>) => Promise<void>,
): Promise<void> {
  const kind = addressKind(store);
  if (kind === "bucket" && !(await isZip(store))) {
    await write(new Location(new CheckedStore(await openStore(store)).writable()).resolve(path));
    return;
  }
  if (kind !== "path")
    throw new UsageError(
      `expected a directory, a bucket or a local .zip to write to, got ${withoutSecrets(store)}`,
    );
  if (!(await isZip(store))) {
    await write(new Location(new FileSystemStore(store)).resolve(path));
    return;
  }
  await rewriteZip(store, (unpacked) => write(new Location(unpacked).resolve(path)));
}

/** Whether two nodes in directories, or at remote addresses, are the same, or one lies within the other. */
export async function areNested(a: NodeName, b: NodeName): Promise<boolean> {
  const isLocal = (node: NodeName): boolean => addressKind(node.store) === "path";
  if (isLocal(a) !== isLocal(b)) return false;
  const [first, second] = await Promise.all(
    [a, b].map((node) =>
      isLocal(node)
        ? realPath(resolve(node.store, `.${sep}${node.path}`))
        : [node.store, ...node.path.split("/").filter(Boolean)].join(sep),
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
