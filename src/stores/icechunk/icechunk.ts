/**
 * Reads Icechunk repositories.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { IcechunkStore } from "wazarr/stores/icechunk";
 *
 * const store = await IcechunkStore.open("https://example.com/repository", { branch: "main" });
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */

import {
  type AbsolutePath,
  BoundedCache,
  checkNames,
  checkStore,
  type DirectoryListing,
  directoryOf,
  keysBelow,
  type Listable,
  type NamesOf,
  NetworkStore,
  type RangeQuery,
  type Readable,
  type ReadBytes,
  StoreError,
  type StoreOptions,
  untilAborted,
} from "../../core/for-stores.js";
import { HttpStore } from "../../core/stores/http/http.js";
import { pageUrl, resolveUri } from "../file-ranges/address-urls.js";
import {
  AddressedFiles,
  type AddressedValue,
  FILE_OPTIONS,
  type FileOptions,
  httpOptions,
  type OpenedFile,
} from "../file-ranges/addressed-files.js";
import { type Containers, containersOf, expandAddress, needsContainers, urlOfAddress } from "./addresses.js";
import type { IcechunkCommit } from "./commit.js";
import { readConfig } from "./config-yaml.js";
import { nameOfId } from "./files.js";
import { type Manifest, readManifest } from "./manifests.js";
import { findSnapshot, history, type Revision, readReferences } from "./references.js";
import { readRepository } from "./repository.js";
import { type Node, readSnapshot } from "./snapshots.js";
import { ManifestWalks } from "./walks.js";

export type { IcechunkCommit } from "./commit.js";

/** The address of a chunk file of the repository; addresses of other files are URLs. */
const OWN_CHUNK = /^\/chunks\/[0-9A-Z]{20}$/;

/** Options of `IcechunkStore.open`. */
export interface IcechunkOptions extends Revision, FileOptions {
  /** Aborts the requests that open the repository. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<IcechunkOptions> = {
  ...FILE_OPTIONS,
  branch: true,
  tag: true,
  snapshot: true,
  asOf: true,
  signal: true,
};

/**
 * Bounds of the cache of decoded manifests: their number and total bytes. The newest manifest stays whatever
 * its size.
 */
const MOST_MANIFESTS = 64;
const MOST_MANIFEST_BYTES = 256 << 20;

/**
 * Reads the hierarchy of one snapshot of an Icechunk repository (formats 1 and 2). A snapshot never changes:
 * to see a later commit to the branch, open another store. Chunks are in the repository, in its manifests, or
 * in other files (virtual chunks). Addresses in buckets (`s3:`, `gs:`, `az:`, `abfs:`) are read without
 * credentials from the endpoints that the repository's configuration has, or else from the public ones,
 * unless `open` opens them. A virtual file that changed since its chunks were committed is a StoreError.
 *
 * @throws StoreError for damaged or missing files, UnsupportedError for features of later versions
 */
export class IcechunkStore extends NetworkStore implements Listable {
  /** The snapshot's id, which is the name of its file. */
  readonly snapshot: string;
  readonly #walks: ManifestWalks;
  readonly #source: Readable;
  readonly #files: AddressedFiles;
  readonly #readContainers: () => Promise<Containers>;
  /** Where virtual files are, as the repository's configuration says, once an address needs it. */
  #containers: Containers = [];
  #readingContainers: Promise<void> | undefined;
  /** Nodes by path, in the order of paths. */
  readonly #nodes: ReadonlyMap<string, Node>;
  #contents: ReturnType<IcechunkStore["contents"]> | undefined;
  /** Cached manifests by id, the least recently used first. */
  readonly #manifests = new BoundedCache<string, Promise<Manifest>>({
    entries: MOST_MANIFESTS,
    bytes: MOST_MANIFEST_BYTES,
  });

  private constructor(
    source: Readable,
    snapshot: string,
    nodes: readonly Node[],
    readContainers: () => Promise<Containers>,
    options: IcechunkOptions,
  ) {
    super();
    this.snapshot = snapshot;
    this.#walks = new ManifestWalks(`/snapshots/${snapshot}`);
    this.#source = source;
    this.#nodes = new Map(nodes.map((node) => [node.path, node]));
    const trusted = source instanceof HttpStore ? [source.url.origin] : [];
    const open = (address: string): OpenedFile | undefined =>
      OWN_CHUNK.test(address) ? { store: source, key: `/${address.slice(1)}` } : options.open?.(address);
    this.#readContainers = readContainers;
    this.#files = new AddressedFiles({ ...options, open }, trusted, (address) =>
      urlOfAddress(address, this.#containers),
    );
  }

  /**
   * Opens a snapshot by branch, tag or id. @param repository its URL (http(s), `s3:`, `gs:`), or a store that
   * has its files
   * @throws NotFoundError when the repository, branch, tag or snapshot does not exist, or none is as old as
   * `asOf`
   */
  static async open(
    repository: string | URL | Readable,
    options: IcechunkOptions = {},
  ): Promise<IcechunkStore> {
    checkNames(options, "IcechunkStore.open", OPTIONS);
    const isUrl = typeof repository === "string" || repository instanceof URL;
    const { branch, tag, snapshot: id, asOf, signal, ...files } = options;
    const source = isUrl
      ? new HttpStore(resolveUri(String(repository), pageUrl()), httpOptions(files))
      : repository;
    checkStore(source);
    const found = await findSnapshot(source, options, { signal });
    const { snapshot } = found;
    const nodes = await readSnapshot(source, snapshot, { signal });
    const readContainers = async (): Promise<Containers> => {
      const known = found.repository === undefined ? await readRepository(source) : found.repository;
      return containersOf(known ? known.configuration() : await readConfig(source));
    };
    return new IcechunkStore(source, snapshot, nodes, readContainers, options);
  }

  protected override async readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined> {
    const found = await this.#find(key, options);
    // A snapshot never changes, so its id is the version of all its values.
    return found && { ...(await this.#files.read(found, range, key, options)), version: this.snapshot };
  }

  /** Whether a key exists in this version. */
  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return (await this.#find(key, options)) !== undefined;
  }

  /**
   * Ids of snapshots by the names of all branches, as they are now.
   * @throws UnsupportedError for a repository of format 1 in a store that cannot be listed, such as HttpStore
   */
  branches(options?: StoreOptions): Promise<ReadonlyMap<string, string>> {
    return readReferences(this.#source, "branch", options);
  }

  /** Ids of snapshots by the names of all tags, as they are now. @throws as `branches` */
  tags(options?: StoreOptions): Promise<ReadonlyMap<string, string>> {
    return readReferences(this.#source, "tag", options);
  }

  /**
   * The commit of this snapshot and those before it, newest first. A repository of format 1 takes one request
   * per commit, during the iteration.
   * @throws NotFoundError when the snapshot expired
   */
  history(options?: StoreOptions): AsyncIterableIterator<IcechunkCommit> {
    return history(this.#source, { snapshot: this.snapshot, repository: undefined }, options);
  }

  /** All nodes of the snapshot, without listing. Always the same list: copy it to change it. */
  contents(): { path: AbsolutePath; kind: "array" | "group" }[] {
    this.#contents ??= Array.from(this.#nodes.values(), ({ path, kind }) => ({ path, kind }));
    return this.#contents;
  }

  list(options?: StoreOptions): Promise<AbsolutePath[]> {
    return this.listPrefix("/", options);
  }

  /**
   * Lists keys below a prefix. It reads the manifests of all arrays there, since only manifests name the
   * chunks.
   */
  async listPrefix(prefix: AbsolutePath, options?: StoreOptions): Promise<AbsolutePath[]> {
    const keys: AbsolutePath[] = [];
    const ids = new Set<string>();
    for (const node of this.#nodes.values()) {
      const base: AbsolutePath = node.path === "/" ? "/" : `${node.path}/`;
      keys.push(`${base}zarr.json`);
      // Chunk keys begin with the array's path: skip arrays outside the prefix.
      if (node.kind === "group" || !(base.startsWith(prefix) || prefix.startsWith(base))) continue;
      // Two arrays of one id would both have all chunks of that id, and so would a thousand.
      const name = nameOfId(node.id);
      if (ids.has(name))
        throw new StoreError(`a damaged snapshot of Icechunk: node id ${name} twice`, {
          key: `/snapshots/${this.snapshot}`,
        });
      ids.add(name);
      for (const id of new Set(node.array?.manifests.map((manifest) => manifest.id))) {
        for (const chunk of (await this.#manifest(id, options)).chunks(node.id))
          keys.push(`${base}${["c", ...chunk].join("/")}`);
      }
    }
    return keysBelow(new Set(keys), prefix);
  }

  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    return directoryOf(await this.listPrefix(prefix, options), prefix);
  }

  async #find(key: AbsolutePath, options: StoreOptions | undefined): Promise<AddressedValue | undefined> {
    return this.#documentOf(key) ?? (await this.#chunkOf(key, options));
  }

  #documentOf(key: AbsolutePath): Uint8Array | undefined {
    if (!key.endsWith("/zarr.json")) return undefined;
    return this.#nodes.get(key.slice(0, -"/zarr.json".length) || "/")?.document;
  }

  async #chunkOf(key: AbsolutePath, options: StoreOptions | undefined): Promise<AddressedValue | undefined> {
    // Icechunk's chunk keys are ".../c/0/1", and ".../c" for a scalar.
    const [found, path, digits = ""] = /^(.*)\/c((?:\/\d+)*)$/.exec(key) ?? [];
    const node = found === undefined ? undefined : this.#nodes.get(path || "/");
    const array = node?.array;
    const chunk = digits.split("/").slice(1).map(Number);
    if (node === undefined || array?.rank !== chunk.length) return undefined;
    for (const { id, ahead } of this.#walks.covering(array, chunk)) {
      const reading = this.#manifest(id, options);
      // A failure is ignored here: the manifest is asked for again when it is needed.
      if (ahead !== undefined && !this.#manifests.has(ahead)) this.#readManifest(ahead, options?.priority);
      const place = await (await reading).find(node.id, chunk);
      if (place !== undefined) return this.#absolute(place, options);
    }
    return undefined;
  }

  /** A place with the absolute address of its file. */
  async #absolute(place: AddressedValue, options: StoreOptions | undefined): Promise<AddressedValue> {
    if (place instanceof Uint8Array || !needsContainers(place.address)) return place;
    await untilAborted(options?.signal, () => this.#containersRead());
    return { ...place, address: expandAddress(place.address, this.#containers) };
  }

  #containersRead(): Promise<void> {
    this.#readingContainers ??= this.#readContainers().then(
      (containers) => {
        this.#containers = containers;
      },
      (error: unknown) => {
        this.#readingContainers = undefined;
        throw error;
      },
    );
    return this.#readingContainers;
  }

  /**
   * Reads or reuses a manifest. Callers share the read, so one caller's abort must not cancel it for the
   * others.
   */
  async #manifest(id: string, options: StoreOptions | undefined): Promise<Manifest> {
    return untilAborted(
      options?.signal,
      () => this.#manifests.get(id) ?? this.#readManifest(id, options?.priority),
    );
  }

  #readManifest(id: string, priority: StoreOptions["priority"]): Promise<Manifest> {
    const reading = readManifest(this.#source, id, { priority });
    this.#manifests.set(id, reading);
    reading.then(
      // A manifest that is larger than the bound takes all of it.
      ({ byteLength }) => this.#manifests.set(id, reading, Math.min(byteLength, MOST_MANIFEST_BYTES)),
      () => this.#manifests.delete(id),
    );
    return reading;
  }
}
