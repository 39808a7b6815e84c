/**
 * Opens the store at an address: a directory, .zip, reference document, Icechunk repository, file of another
 * format, http(s) URL, or bucket.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { openStore } from "wazarr/stores/open-store";
 *
 * const store = await openStore("s3://bucket/climate.zarr"); // or "data.zip", "repository|icechunk:"
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 *
 * The command line and `wazarr/jobs` open their arguments with it.
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import type { Location, Store } from "../../core/for-stores.js";
import { StoreError, shownAddress } from "../../core/for-stores.js";
import { pathOfFileUrl } from "../../core/for-stores-in-node.js";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import { type Opener, openerOfBuckets } from "../buckets/within-buckets.js";
import type { OpenedFile } from "../file-ranges/addressed-files.js";
import { IcechunkStore } from "../icechunk/icechunk.js";
import type { Revision } from "../icechunk/references.js";
import { ReferenceStore } from "../references/reference.js";
import { ZipStore } from "../zip/zip.js";
import type { Address } from "./addresses.js";
import { openInside } from "./inside.js";
import { statOf } from "./local-addresses.js";
import { type AssetLocation, locate, type Places } from "./locate.js";
import { type OpenStoreOptions, openRemote } from "./open-remote.js";
import { checkOpenStoreOptions, givenAddress } from "./open-store-arguments.js";
import { namedReach, ownReach } from "./reach.js";
import { checkWithin, openerOfFiles, withinDirectory } from "./within-directory.js";

export { rewriteZip } from "../zip/rewrite.js";
export { type AddressKind, addressKind } from "./addresses.js";
export { isZip } from "./local-addresses.js";
export { AssetLocation } from "./locate.js";
export type { OpenStoreOptions } from "./open-remote.js";
export { withinDirectory } from "./within-directory.js";

/**
 * Opens the store at an address: "data.zarr", "data.zip", "https://example.com/data.zarr",
 * "s3://BUCKET/PREFIX", "gs://BUCKET/PREFIX", "az://CONTAINER/PREFIX". References are a ".json", or a folder
 * of kerchunk's ".parq" files. Segments after "|" say what is there, whatever its name is, and lead into it:
 * "|zip:PATH", "|icechunk://branch.NAME/", "|kerchunk:", "|virtual:", "|stac:ASSET", "|zarr3:PATH" (see
 * docs/stores-addresses.md). The keys of the store count from the last path. Credentials of buckets are those
 * of the options, or of the environment.
 * @example
 * ```ts
 * const store = await openStore("s3://bucket/data.zarr", { region: "eu-central-1" });
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * ```
 * @param store a path or an address, or a URL object (http, https or file)
 * @throws InvalidArgumentError, StoreError; NotFoundError for a branch, tag or snapshot that does not exist
 */
export async function openStore(store: string | URL, options: OpenStoreOptions = {}): Promise<Store> {
  const { store: whole, path } = await openLocation(store, options);
  return path === "/" ? whole : openInside(whole, { archives: [], path, zarrFormat: undefined });
}

/**
 * Opens the store that an address names as a whole, and gives the place of the node in it: what `open` and
 * `openDataset` take. They find the consolidated metadata of the whole store, which `openStore` of a node
 * hides. Of an asset of STAC, an `AssetLocation`, which has the document, too.
 * @example
 * ```ts
 * const authorize = ({ url }) => (url.hostname.endsWith(".windows.net") ? { url: `${url}?${token}` } : {});
 * const ds = await openDataset(await openLocation("https://example.com/item.json|stac:zarr", { authorize }));
 * ```
 * @throws as `openStore`
 */
export async function openLocation(
  address: string | URL,
  options: OpenStoreOptions = {},
): Promise<Location | AssetLocation> {
  checkOpenStoreOptions(options);
  const reach = ownReach(options);
  return locate(givenAddress(address), {
    rootOf: localRoot,
    open: async (each, json) =>
      each.place === "path" ? openPath(each, options, json) : openRemote(each, options, reach, json),
    file: async ({ place, address: file }) => (place === "path" ? localFile(file) : reach.file(file)),
    named: (document, buckets) => placesOf(document, buckets, options),
  });
}

/** What a document may name: of files of this machine, those below its folder and those in `allow`. */
function placesOf(document: Address, buckets: BucketsOptions, options: OpenStoreOptions): Places {
  const isLocal = document.place === "path";
  const reach = namedReach(isLocal ? undefined : document.address, buckets, options);
  return {
    rootOf: localRoot,
    async open(each) {
      if (each.place !== "path") return openRemote(each, options, reach);
      if (!isLocal)
        throw new StoreError(
          `${shownAddress(document.address)} names a file of this machine, which a document elsewhere may not`,
        );
      await checkWithin(resolve(each.address), dirname(resolve(document.address)), options.allow);
      return openPath(each, options);
    },
    file: async () => undefined,
    named: undefined,
  };
}

async function localFile(file: string): Promise<OpenedFile | undefined> {
  if ((await statOf(file))?.isFile() !== true) return undefined;
  return { store: new FileSystemStore(dirname(resolve(file))), key: `/${basename(file)}` };
}

const localRoot = (root: string): string => (/^file:/i.test(root) ? pathOfFileUrl(root) : root);

async function openPath(
  { form, isExplicit, address, revision }: Address,
  options: OpenStoreOptions,
  json?: unknown,
): Promise<Store> {
  const { allow } = options;
  if (form === "icechunk") return openRepository(new FileSystemStore(address), options, revision);
  const status = await statOf(address);
  if (form === "zip" && (isExplicit || status?.isDirectory() !== true))
    return new ZipStore(new FileSystemStore(dirname(resolve(address))), `/${basename(address)}`);
  if (form === "virtual" && (isExplicit || status?.isDirectory() !== true)) {
    const { openFile } = await import("../virtual/open-file.js");
    const whole = resolve(address);
    const store = new FileSystemStore(dirname(whole));
    return openFile({ store, key: `/${basename(whole)}`, name: address, address: whole });
  }
  if (form === "references" && (isExplicit || status?.isFile() === true)) {
    const folder = dirname(resolve(address));
    const access = { allow, open: await openerIn(folder, options) };
    if (json !== undefined) return new ReferenceStore(json, access);
    return ReferenceStore.fromStore(new FileSystemStore(folder), `/${basename(address)}`, access);
  }
  const directory = new FileSystemStore(address);
  if (await isParquet(directory)) {
    const open = await openerIn(directory.root, options);
    return ReferenceStore.fromParquet(withinDirectory(directory, allow), { allow, open });
  }
  return (await isIcechunk(address)) ? openRepository(directory, options) : directory;
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

/** Whether a directory has references of kerchunk in Parquet: no metadata documents but one that says so. */
async function isParquet(directory: FileSystemStore): Promise<boolean> {
  const names = [".zmetadata", "zarr.json", ".zgroup", ".zarray"];
  const [metadata, ...others] = await Promise.all(names.map((name) => statOf(join(directory.root, name))));
  if (metadata?.isFile() !== true || others.some((other) => other !== undefined)) return false;
  return /"record_size"\s*:/.test(new TextDecoder().decode(await directory.get("/.zmetadata")));
}

/** What a document in a local folder may name: files below the folder, and what `allow` has. */
async function openerIn(folder: string, { allow, ...buckets }: OpenStoreOptions): Promise<Opener> {
  const openFile = openerOfFiles(folder, allow);
  const openObject = await openerOfBuckets(undefined, allow, buckets);
  return (address) => openFile(address) ?? openObject(address);
}
