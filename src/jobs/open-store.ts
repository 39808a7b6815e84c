/**
 * Opens stores by name in Node, Bun and Deno: a directory, .zip, reference document (.json), Icechunk
 * repository, or http(s) URL.
 */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StoreError } from "../errors.js";
import { FileSystemStore } from "../stores/file-system.js";
import { HttpStore } from "../stores/http.js";
import { IcechunkStore } from "../stores/icechunk.js";
import { ReferenceStore } from "../stores/reference.js";
import type { Listable, Readable, Store } from "../stores/store.js";
import { ZipStore } from "../stores/zip.js";
import { openerOfFiles, withinDirectory } from "./within-directory.js";

export interface OpenStoreOptions {
  /**
   * Paths, and beginnings of URLs of this machine, that reference documents, Icechunk repositories and links
   * in those may name besides what is below their own folder.
   */
  readonly allow?: readonly string[] | undefined;
}

/**
 * The default of `open` in the options of plans and tasks. A name "icechunk:<directory or URL>" forces an
 * Icechunk repository.
 */
export async function openStore(store: string, { allow }: OpenStoreOptions = {}): Promise<Store> {
  const [, repository] = /^icechunk:(.+)$/.exec(store) ?? [];
  if (repository !== undefined)
    return isUrl(repository)
      ? IcechunkStore.open(repository, { allow })
      : openIcechunk(new FileSystemStore(repository), allow);
  if (isUrl(store)) {
    if (/^[^?#]*\.zip(?:[?#]|$)/i.test(store)) return ZipStore.fromUrl(store);
    // A URL that ends in "/zarr.json" is not a reference document: it names a metadata document of a
    // hierarchy.
    const isReferences = /^[^?#]*(?<!\/zarr)\.json(?:[?#]|$)/i.test(store);
    return isReferences ? ReferenceStore.fromUrl(store, { allow }) : new HttpStore(store);
  }
  if (/\.json$/i.test(store) && (await statOf(store))?.isFile()) return openReferences(store, allow);
  if (await isZip(store)) return openZip(store);
  const directory = new FileSystemStore(store);
  return (await isIcechunk(store)) ? openIcechunk(directory, allow) : directory;
}

/**
 * Links in the repository do not lead out of it, and virtual chunks are local files only below it, unless
 * `allow` says so.
 */
function openIcechunk(directory: FileSystemStore, allow: OpenStoreOptions["allow"]): Promise<IcechunkStore> {
  const open = openerOfFiles(directory.root, allow);
  return IcechunkStore.open(withinDirectory(directory, allow), { open, allow });
}

/**
 * Whether a directory is an Icechunk repository. Metadata documents rule that out: a hierarchy may have a
 * group "snapshots".
 */
async function isIcechunk(directory: string): Promise<boolean> {
  const names = ["snapshots", "repo", "refs", "zarr.json", ".zgroup", ".zarray"];
  const [snapshots, repository, refs, ...documents] = await Promise.all(
    names.map((name) => statOf(join(directory, name))),
  );
  if (documents.some((document) => document !== undefined)) return false;
  return snapshots?.isDirectory() === true && (repository?.isFile() === true || refs?.isDirectory() === true);
}

export const isUrl = (store: string): boolean => /^https?:\/\//i.test(store);

export async function isZip(store: string): Promise<boolean> {
  return /\.zip$/i.test(store) && !((await statOf(store))?.isDirectory() ?? false);
}

export async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    return undefined;
  }
}

export function openZip(file: string): Readable & Listable {
  const path = resolve(file);
  return new ZipStore(new FileSystemStore(dirname(path)), `/${basename(path)}`);
}

/**
 * Opens a local reference document. It may name local files below its folder, and those that `allow` names.
 */
async function openReferences(file: string, allow: OpenStoreOptions["allow"]): Promise<ReferenceStore> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(`cannot read the reference document ${file}: ${reason}`, { cause });
  }
  return new ReferenceStore(document, { open: openerOfFiles(dirname(resolve(file)), allow), allow });
}
