/**
 * Opens stores by address in Node, Bun and Deno: a directory, .zip, reference document (.json), Icechunk
 * repository, http(s) URL, or bucket. This is the package entry `wazarr/stores/open-store`; the command line
 * and `wazarr/jobs` open what they are given with it.
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { describe, InvalidArgumentError } from "../errors.js";
import { checkNames, type NamesOf } from "../option-names.js";
import { addressKind, addressOf, isBucket, isUrl, isZip, statOf } from "./addresses.js";
import type { BucketsOptions } from "./bucket-environment.js";
import { FileSystemStore } from "./file-system.js";
import { HttpStore } from "./http.js";
import type { Revision } from "./icechunk/references.js";
import { IcechunkStore } from "./icechunk.js";
import { ReferenceStore } from "./reference.js";
import type { Listable, Readable, Store } from "./store.js";
import { type Opener, openerOfBuckets } from "./within-buckets.js";
import { openerOfFiles, withinDirectory } from "./within-directory.js";
import { ZipStore } from "./zip.js";

export { type AddressKind, addressKind, isZip } from "./addresses.js";
export { rewriteZip } from "./rewrite-zip.js";
export { withinDirectory } from "./within-directory.js";

/** Options of `openStore`. */
export interface OpenStoreOptions extends BucketsOptions {
  /**
   * Paths, beginnings of URLs of this machine, and beginnings of addresses of buckets ("s3://BUCKET/PREFIX",
   * or "s3://" for all) that reference documents, Icechunk repositories and links in those may name besides
   * what is below their own folder, or in their own bucket. Buckets that are named here are read with
   * credentials, others from their public addresses.
   */
  readonly allow?: readonly string[] | undefined;
}

const OPTIONS: NamesOf<OpenStoreOptions> = { s3: true, gcs: true, azure: true, allow: true };

/**
 * Opens the store at an address: "data.zarr", "data.zip", "https://example.com/data.zarr",
 * "s3://BUCKET/PREFIX", "gs://BUCKET/PREFIX", "az://CONTAINER/PREFIX". "icechunk:" before a directory, a URL
 * or a bucket means that it is an Icechunk repository; it may end in "@BRANCH", "@tag:TAG" or
 * "@snapshot:ID". "zip:" before an address means an archive whatever its name is. References are a ".json",
 * or a folder of kerchunk's ".parq" files. Credentials of buckets are those of the options, or of the
 * environment.
 * @param store a path or an address, or a URL object (http, https or file)
 * @throws InvalidArgumentError, StoreError; NotFoundError for a branch, tag or snapshot that does not exist
 */
export async function openStore(store: string | URL, options: OpenStoreOptions = {}): Promise<Store> {
  checkOptions(options);
  const address = addressOf(store);
  const [, prefix, named] = /^(icechunk|zip):(.+)$/s.exec(address) ?? [];
  if (named !== undefined) return prefix === "zip" ? openZip(named, options) : openNamed(named, options);
  if (await isZip(address)) return openZip(address, options);
  if (isBucket(address)) return openBucket(address, options);
  if (isUrl(address)) return openUrl(address, options);
  return openLocal(address, options);
}

function checkOptions(options: OpenStoreOptions): void {
  for (const kind of ["branch", "tag", "snapshot"])
    if (Object.hasOwn(Object(options), kind))
      throw new InvalidArgumentError(
        `openStore has no option "${kind}": the address ends in it, "icechunk:data@${kind === "branch" ? "" : `${kind}:`}NAME"`,
      );
  checkNames(options, "openStore", OPTIONS);
  const { allow = [] } = options;
  if (!Array.isArray(allow))
    throw new InvalidArgumentError(`openStore: allow: expected a list of addresses, got ${describe(allow)}`);
}

async function openUrl(url: string, { allow, ...buckets }: OpenStoreOptions): Promise<Store> {
  const isParquet = PARQUET.test(url);
  if (!isParquet && !REFERENCES.test(url)) return new HttpStore(url);
  const given = { allow, open: await openerOfBuckets(undefined, allow, buckets) };
  return isParquet ? ReferenceStore.fromParquet(url, given) : ReferenceStore.fromUrl(url, given);
}

async function openBucket(address: string, { allow, ...buckets }: OpenStoreOptions): Promise<Store> {
  if (PARQUET.test(address)) {
    const open = await openerOfBuckets(address, allow, buckets);
    return ReferenceStore.fromParquet(await bucketAt(address, buckets), { allow, open });
  }
  if (!REFERENCES.test(address)) return bucketAt(address, buckets);
  const [folder, name] = splitName(address);
  const open = await openerOfBuckets(folder, allow, buckets);
  return ReferenceStore.fromStore(await bucketAt(folder, buckets), `/${name}`, { allow, open });
}

async function openLocal(path: string, options: OpenStoreOptions): Promise<Store> {
  const { allow } = options;
  if (/\.json$/i.test(path) && (await statOf(path))?.isFile()) {
    const folder = dirname(resolve(path));
    const open = await openerIn(folder, options);
    return ReferenceStore.fromStore(new FileSystemStore(folder), `/${basename(path)}`, { allow, open });
  }
  const directory = new FileSystemStore(path);
  if (await isParquet(directory)) {
    const open = await openerIn(directory.root, options);
    return ReferenceStore.fromParquet(withinDirectory(directory, allow), { allow, open });
  }
  return (await isIcechunk(path)) ? openRepository(directory, options) : directory;
}

/**
 * Opens a repository in a directory. Links in it do not lead out of it, and virtual chunks are local files
 * only below it, unless `allow` says so.
 */
async function openRepository(
  directory: FileSystemStore,
  options: OpenStoreOptions,
  revision: Revision = {},
): Promise<IcechunkStore> {
  const { allow } = options;
  const open = await openerIn(directory.root, options);
  return IcechunkStore.open(withinDirectory(directory, allow), { ...revision, allow, open });
}

/** Opens an Icechunk repository, at a revision if its address ends in one. */
async function openNamed(address: string, options: OpenStoreOptions): Promise<IcechunkStore> {
  const { repository, revision } = await revisionOf(address);
  const { allow, ...buckets } = options;
  if (!isBucket(repository) && !isUrl(repository))
    return openRepository(new FileSystemStore(repository), options, revision);
  const folder = isBucket(repository) ? repository : undefined;
  const source = folder === undefined ? repository : await bucketAt(folder, buckets);
  const open = await openerOfBuckets(folder, allow, buckets);
  return IcechunkStore.open(source, { ...revision, allow, open });
}

/**
 * What is after the last "@" of an address is a revision, unless it is in the host of a URL
 * (`abfs://CONTAINER@ACCOUNT...`), or a directory has that name.
 */
async function revisionOf(
  address: string,
): Promise<{ readonly repository: string; readonly revision: Revision }> {
  const [, repository, kind = "branch:", name] = /^([^?#]*)@(tag:|snapshot:)?([^@/?#]+)$/.exec(address) ?? [];
  const isHost = repository !== undefined && /^\w+:\/\/[^/]*$/.test(repository);
  if (
    repository === undefined ||
    isHost ||
    (addressKind(address) === "path" && (await statOf(address)) !== undefined)
  )
    return { repository: address, revision: {} };
  return { repository, revision: { [kind.slice(0, -1)]: name } };
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
/** Names of reference documents: "/zarr.json" is a metadata document of a hierarchy. */
const REFERENCES = /^[^?#]*(?<!\/zarr)\.json(?:[?#]|$)/i;

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

async function openZip(address: string, options: BucketsOptions): Promise<Readable & Listable> {
  if (isUrl(address)) return ZipStore.fromUrl(address);
  const [folder, name] = splitName(isBucket(address) ? address : resolve(address));
  const store = isBucket(address) ? await bucketAt(folder, options) : new FileSystemStore(folder);
  return new ZipStore(store, `/${name}`);
}

/** The folder that a name is in, and the name. */
function splitName(address: string): readonly [folder: string, name: string] {
  const [, folder, name] = /^(\w+:\/\/[^/]+.*)\/([^/]+)$/s.exec(address) ?? [];
  return folder === undefined || name === undefined ? [dirname(address), basename(address)] : [folder, name];
}

/** What a document in a local folder may name: files below the folder, and what `allow` has. */
async function openerIn(folder: string, { allow, ...buckets }: OpenStoreOptions): Promise<Opener> {
  const openFile = openerOfFiles(folder, allow);
  const openObject = await openerOfBuckets(undefined, allow, buckets);
  return (address) => openFile(address) ?? openObject(address);
}
