/**
 * Opens stores by address in Node, Bun and Deno: a directory, .zip, reference document (.json), Icechunk
 * repository, http(s) URL, or bucket. This is the package entry `wazarr/stores/open-store`; the command line
 * and `wazarr/jobs` open what they are given with it.
 * @module
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StoreError } from "../errors.js";
import { isBucket, isUrl, isZip, statOf } from "./addresses.js";
import type { BucketsOptions } from "./bucket-environment.js";
import { FileSystemStore } from "./file-system.js";
import { HttpStore } from "./http.js";
import { IcechunkStore } from "./icechunk.js";
import { ReferenceStore } from "./reference.js";
import type { Listable, Readable, Store } from "./store.js";
import { openerOfFiles, withinDirectory } from "./within-directory.js";
import { ZipStore } from "./zip.js";

/** Options of `openStore`. */
export interface OpenStoreOptions extends BucketsOptions {
  /**
   * Paths, and beginnings of URLs of this machine, that reference documents, Icechunk repositories and links
   * in those may name besides what is below their own folder.
   */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Opens the store at an address: "data.zarr", "data.zip", "https://example.com/data.zarr",
 * "s3://BUCKET/PREFIX", "gs://BUCKET/PREFIX", "az://CONTAINER/PREFIX". "icechunk:" before a directory, a URL
 * or a bucket means that it is an Icechunk repository. References are a ".json", or a folder of kerchunk's
 * ".parq" files. Credentials of buckets are those of the options, or of the environment.
 * @throws InvalidArgumentError, StoreError
 */
export async function openStore(store: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { allow } = options;
  const [, repository] = /^icechunk:(.+)$/.exec(store) ?? [];
  if (repository !== undefined && isBucket(repository))
    return IcechunkStore.open(await bucketAt(repository, options), { allow });
  if (repository !== undefined)
    return isUrl(repository)
      ? IcechunkStore.open(repository, { allow })
      : openIcechunk(new FileSystemStore(repository), allow);
  if (isBucket(store)) {
    const [, folder, name] = /^(\w+:\/\/[^/]+.*)\/([^/]+\.(?:zip|ozx))$/is.exec(store) ?? [];
    if (PARQUET.test(store)) return ReferenceStore.fromParquet(await bucketAt(store, options), { allow });
    return folder === undefined
      ? bucketAt(store, options)
      : new ZipStore(await bucketAt(folder, options), `/${name}`);
  }
  if (isUrl(store)) {
    if (/^[^?#]*\.(?:zip|ozx)(?:[?#]|$)/i.test(store)) return ZipStore.fromUrl(store);
    // A URL that ends in "/zarr.json" is not a reference document: it names a metadata document of a
    // hierarchy.
    if (PARQUET.test(store)) return ReferenceStore.fromParquet(store, { allow });
    const isReferences = /^[^?#]*(?<!\/zarr)\.json(?:[?#]|$)/i.test(store);
    return isReferences ? ReferenceStore.fromUrl(store, { allow }) : new HttpStore(store);
  }
  if (/\.json$/i.test(store) && (await statOf(store))?.isFile()) return openReferences(store, allow);
  if (await isZip(store)) return openZip(store);
  const directory = new FileSystemStore(store);
  if (await isParquet(directory)) {
    const open = openerOfFiles(directory.root, allow);
    return ReferenceStore.fromParquet(withinDirectory(directory, allow), { open, allow });
  }
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

/** Names of folders that kerchunk writes references to. */
const PARQUET = /^[^?#]*\.parq(?:uet)?\/?(?:[?#]|$)/i;

/** Whether a directory has references of kerchunk in Parquet: no metadata documents but one that says so. */
async function isParquet(directory: FileSystemStore): Promise<boolean> {
  const names = [".zmetadata", "zarr.json", ".zgroup", ".zarray"];
  const [metadata, ...others] = await Promise.all(names.map((name) => statOf(join(directory.root, name))));
  if (metadata?.isFile() !== true || others.some((other) => other !== undefined)) return false;
  return /"record_size"\s*:/.test(new TextDecoder().decode(await directory.get("/.zmetadata")));
}

async function bucketAt(address: string, options: BucketsOptions): Promise<Store> {
  return (await import("./bucket-environment.js")).openBucket(address, options);
}

function openZip(file: string): Readable & Listable {
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
