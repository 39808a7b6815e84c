/** Answers of a store in the browser's Cache Storage, up to a number of bytes. */

import {
  type AbsolutePath,
  isJsonObject,
  type Json,
  type RangeQuery,
  type ValueParts,
  type ValueState,
} from "../../core/for-stores.js";
import { type CacheName, digestOf, openCache } from "./open-cache.js";

/** A host that no page can have: the requests are only names. */
const ORIGIN = "https://kept.invalid/";
/** Header with the length and the version of the value that an answer is of, and a digest of the answer. */
const STATE = "x-wazarr-state";
/** Bytes that an answer counts besides its own, for what the browser keeps with it. */
const OVERHEAD = 256;

interface Entry {
  /** URL of the request under which the answer is kept. It ends with the number of bytes. */
  readonly url: string;
  readonly key: string;
  readonly bytes: number;
  /** Kept by an earlier page, and not known to be what is stored now. */
  isOld: boolean;
}

interface State extends Pick<ValueState, "byteLength" | "version"> {
  readonly isMissing?: true;
}

/** As it is kept. A disk may lose bytes or change them. */
interface KeptState extends State {
  readonly digest: string;
}

export class KeptAnswers {
  readonly #cache: Cache;
  readonly #most: number;
  /** By what was asked for, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** What was asked for of a value, by its key. */
  readonly #names = new Map<string, Set<string>>();
  #bytes = 0;
  /** Changes of the cache, one after the other. */
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(cache: Cache, most: number) {
    this.#cache = cache;
    this.#most = most;
  }

  /** Undefined if there is no Cache Storage, or it may not be used. */
  static async open(name: CacheName, most: number): Promise<KeptAnswers | undefined> {
    try {
      const answers = new KeptAnswers(await openCache(name), most);
      for (const { url } of await answers.#cache.keys()) {
        const [key, range, bytes] = url.slice(ORIGIN.length).split("/").map(decodeURIComponent);
        if (key === undefined || range === undefined || !(Number(bytes) >= 0)) continue;
        answers.#add(`${key}\0${range}`, { url, key, bytes: Number(bytes), isOld: true });
      }
      return answers;
    } catch {
      return undefined;
    }
  }

  /** Whether an answer of this value was kept by an earlier page, and not compared since. */
  areOld(key: AbsolutePath): boolean {
    return this.#of(key).some((name) => this.#entries.get(name)?.isOld === true);
  }

  #of(key: AbsolutePath): readonly string[] {
    return [...(this.#names.get(key) ?? [])];
  }

  /**
   * What is kept of a value; undefined unless all of the ranges are, of one version.
   * @returns "missing" if it is known that there is no such value
   */
  async find(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
  ): Promise<ValueParts | "missing" | undefined> {
    const names = (ranges ?? [undefined]).map((range) => nameOf(key, range));
    if (!names.every((name) => this.#entries.has(name))) return undefined;
    const found = await Promise.all(names.map((name) => this.#read(name)));
    const [first] = found;
    if (first === undefined) return undefined;
    if (found.some((each) => each?.state.version !== first.state.version)) return undefined;
    if (found.some((each) => each?.state.isMissing)) return "missing";
    const { byteLength, version } = first.state;
    return { byteLength, version, parts: found.flatMap((each) => each?.bytes ?? []) };
  }

  /** Keeps answers; the reader does not wait. Undefined: there is no such value. */
  keep(key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, found: ValueParts | undefined): void {
    const state: State =
      found === undefined ? { isMissing: true } : { byteLength: found.byteLength, version: found.version };
    for (const [i, range] of (ranges ?? [undefined]).entries()) {
      const bytes = found === undefined ? new Uint8Array(0) : found.parts[i];
      if (bytes === undefined || bytes.length + OVERHEAD > this.#most) continue;
      // A copy: the reader may use its memory again.
      const body = bytes.slice();
      // Begun here, where nothing waits for it. If it fails, so does the change.
      const digest = digestOf(body);
      digest.catch(() => {});
      this.#change(async () =>
        this.#put(nameOf(key, range), key, range, body, { ...state, digest: await digest }),
      );
    }
  }

  /** Forgets answers of a value that are not of this version; null: there is no such value. */
  keepOnly(key: AbsolutePath, version: ValueState["version"] | null): Promise<unknown> {
    return this.#change(async () => {
      for (const name of this.#of(key)) {
        const found = await this.#read(name);
        const isKnown = version === null ? found?.state.isMissing : version === found?.state.version;
        const entry = this.#entries.get(name);
        if (version === undefined || isKnown !== true) await this.#drop(name);
        else if (entry) entry.isOld = false;
      }
    });
  }

  #change(change: () => Promise<void>): Promise<unknown> {
    // A browser may have no more space, or may have removed the cache: then the answer is not kept.
    this.#changes = this.#changes.then(change).catch(() => {});
    return this.#changes;
  }

  async #put(
    name: string,
    key: string,
    range: RangeQuery | undefined,
    body: Uint8Array<ArrayBuffer>,
    state: KeptState,
  ): Promise<void> {
    await this.#drop(name);
    const bytes = body.length + OVERHEAD;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes + bytes <= this.#most) break;
      await this.#drop(oldest);
    }
    const url = ORIGIN + [key, rangeText(range), bytes].map(encodeURIComponent).join("/");
    const headers = { [STATE]: encodeURIComponent(JSON.stringify(state)) };
    await this.#cache.put(url, new Response(body, { headers }));
    this.#add(name, { url, key, bytes, isOld: false });
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    const names = this.#names.get(entry.key) ?? new Set();
    this.#names.set(entry.key, names.add(name));
    this.#bytes += entry.bytes;
  }

  async #drop(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    const names = this.#names.get(entry.key);
    if (names?.delete(name) && names.size === 0) this.#names.delete(entry.key);
    this.#bytes -= entry.bytes;
    await this.#cache.delete(entry.url);
  }

  async #read(name: string): Promise<{ readonly bytes: Uint8Array; readonly state: State } | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    try {
      const response = await this.#cache.match(entry.url);
      const bytes = response && new Uint8Array(await response.arrayBuffer());
      const state = stateOf(response?.headers.get(STATE));
      // Another page may have removed it, and a disk may have lost some of it.
      if (bytes === undefined || state === undefined || bytes.length + OVERHEAD !== entry.bytes)
        return undefined;
      if ((await digestOf(bytes)) !== state.digest) return undefined;
      if (this.#entries.delete(name)) this.#entries.set(name, entry);
      return { bytes, state };
    } catch {
      return undefined;
    }
  }
}

const nameOf = (key: string, range: RangeQuery | undefined): string => `${key}\0${rangeText(range)}`;

function rangeText(range: RangeQuery | undefined): string {
  if (range === undefined) return "whole";
  return "suffixLength" in range ? `-${range.suffixLength}` : `${range.offset}+${range.length}`;
}

function stateOf(text: string | null | undefined): KeptState | undefined {
  if (text == null) return undefined;
  const json: Json = JSON.parse(decodeURIComponent(text));
  if (!isJsonObject(json)) return undefined;
  const { byteLength, version, isMissing, digest } = json;
  if (typeof digest !== "string") return undefined;
  return {
    digest,
    byteLength: typeof byteLength === "number" ? byteLength : undefined,
    version: typeof version === "number" || typeof version === "string" ? version : undefined,
    ...(isMissing === true ? { isMissing } : {}),
  };
}
