/**
 * What the values of a source were when a task read them: a hash of the versions (ETag, or size and times)
 * of its chunks. A run that resumes compares it with the source as it is then.
 */
import { chunkAt, chunkRuns, chunksBetween, coordinatesIn, JOBS } from "../../../core/for-work.js";
import { type Box, CheckedStore, forEachAtOnce, itemAt, layoutOf } from "../../../extend.js";
import {
  type AbsolutePath,
  defineStoreExtension,
  isZarrError,
  type RangeQuery,
  type Store,
  type StoreOptions,
  type Array as ZarrArray,
} from "../../../index.js";
import { hashBytes } from "../plan.js";

/** Requests for versions under way at once. */
const AT_ONCE = 32;
/** A read that costs little and tells the version. */
const FIRST_BYTE: readonly RangeQuery[] = [{ offset: 0, length: 1 }];
const MISSING = "missing";

interface Found {
  readonly byteLength?: number | undefined;
  readonly version?: string | number | undefined;
}

/** The versions of what one task reads of its source. */
export class SourceState {
  readonly #versions = new Map<AbsolutePath, string | undefined>();
  #keys: readonly AbsolutePath[] | undefined;

  /**
   * The store to read the source from. A store behind a network tells versions with what it reads, so its
   * reads are noted, and cost no further request. `begin` asks all other stores.
   */
  over<S extends Store>(store: S): S {
    if (store.kind !== "network") return store;
    const values = new CheckedStore(store);
    const read = async (
      key: AbsolutePath,
      ranges: readonly RangeQuery[] | undefined,
      options: StoreOptions | undefined,
    ) => {
      const found = await values.getParts(key, ranges, options);
      this.#note(key, found);
      return found;
    };
    const front = defineStoreExtension(() => ({
      get: async (key: AbsolutePath, options?: StoreOptions) =>
        (await read(key, undefined, options))?.parts[0],
      getRange: async (key: AbsolutePath, range: RangeQuery, options?: StoreOptions) =>
        (await read(key, [range], options))?.parts[0],
      getParts: read,
      place: values.place,
    }));
    return front(store);
  }

  /**
   * Must be called before the source is read, so that a value that is replaced meanwhile counts as changed.
   * @param chunks the part of the source's chunk grid that the task reads
   */
  async begin(source: ZarrArray, chunks: Box, options: StoreOptions): Promise<void> {
    if (isOfPlan(source.path)) return;
    this.#keys = keysOf(source, chunks);
    if (source.store.kind !== "network") await this.#ask(source.store, this.#keys, options);
  }

  /** Asks for the versions as they are now, without reading the source. */
  async ask(source: ZarrArray, chunks: Box, options: StoreOptions): Promise<void> {
    this.#keys = keysOf(source, chunks);
    await this.#ask(source.store, this.#keys, options);
  }

  /** The hash of all versions; undefined for no source, and if the store does not tell one of them. */
  async hash(): Promise<string | undefined> {
    if (this.#keys === undefined) return undefined;
    const lines: string[] = [];
    for (const key of this.#keys) {
      const version = this.#versions.get(key);
      if (version === undefined) return undefined;
      lines.push(`${key} ${version}`);
    }
    return hashBytes(new TextEncoder().encode(lines.join("\n")));
  }

  async #ask(store: Store, keys: readonly AbsolutePath[], options: StoreOptions): Promise<void> {
    const { signal } = options;
    // The versions of a store in memory are those of objects of this process.
    let isTold = store.kind !== "memory" && !(store instanceof Map);
    await forEachAtOnce(keys, AT_ONCE, async (key) => {
      signal?.throwIfAborted();
      // One version that is unknown makes the state unknown.
      if (!isTold) return;
      this.#note(key, await versionOf(store, key, signal));
      isTold = this.#versions.get(key) !== undefined;
    });
  }

  #note(key: AbsolutePath, found: Found | undefined): void {
    const { version, byteLength } = found ?? {};
    const now =
      found === undefined ? MISSING : version === undefined ? undefined : `${version} ${byteLength}`;
    const before = this.#versions.get(key);
    // Two versions within one task are those of no moment.
    this.#versions.set(key, before === undefined || before === now ? now : `${before}, ${now}`);
  }
}

/** What the store tells of a value; nothing, if it fails: whoever reads the value reports that. */
async function versionOf(
  store: Store,
  key: AbsolutePath,
  signal: AbortSignal | undefined,
): Promise<Found | undefined> {
  try {
    const value = store.openNow === undefined ? "later" : store.openNow(key);
    if (value === "later")
      return await new CheckedStore(store).getParts(key, FIRST_BYTE, { signal, current: true });
    if (value === undefined) return undefined;
    const { version, byteLength } = value;
    value.close();
    return { version, byteLength };
  } catch (error) {
    if (signal?.aborted || !isZarrError(error)) throw error;
    return {};
  }
}

function keysOf(source: ZarrArray, chunks: Box): readonly AbsolutePath[] {
  const { keyOf } = layoutOf(source);
  return Array.from(coordinatesIn(chunks), keyOf);
}

/** Whether the path is that of an array between two stages of a plan: nobody else changes it. */
export function isOfPlan(path: string): boolean {
  return path.includes(`/${JOBS}/`);
}

/** The chunks of an array that a box of its elements meets. */
export function chunksMeeting({ metadata }: ZarrArray, { start, shape }: Box): Box {
  const runs = chunkRuns(metadata.chunkGrid);
  return {
    start: start.map((first, d) => (itemAt(shape, d) === 0 ? 0 : chunkAt(itemAt(runs, d), first))),
    shape: start.map((first, d) => chunksBetween(itemAt(runs, d), first, itemAt(shape, d))),
  };
}
