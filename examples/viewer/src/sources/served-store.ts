/** What `wazarr serve` serves: a URL that ends in "/" answers with what is below. */
import { type ConsolidatedFormat, type Readable, StoreError } from "wazarr";
import { HttpStore } from "wazarr/stores/http";

type Key = Parameters<Readable["get"]>[0];
type Listing = { readonly keys: readonly Key[]; readonly prefixes: readonly Key[] };

const DOCUMENT = /\/(?:zarr\.json|\.zarray|\.zgroup|\.zattrs|\.zmetadata)$/;

/**
 * Documents and listings are asked for once: the list, the cards, the picture and its coordinates need the
 * same.
 */
export class ServedStore extends HttpStore {
  readonly #documents = new Map<Key, ReturnType<HttpStore["get"]>>();
  readonly #listings = new Map<Key, Promise<Listing>>();
  /** That of the node at the root, once it is listed. */
  format: ConsolidatedFormat | undefined;
  /** Whether the root has `.zmetadata`. */
  isConsolidated = false;

  async canList(): Promise<boolean> {
    return this.listDir("/").then(
      ({ keys }) => {
        const isV2 = keys.includes("/.zgroup") || keys.includes("/.zarray");
        this.isConsolidated = keys.includes("/.zmetadata");
        this.format = keys.includes("/zarr.json") ? "v3" : isV2 ? "v2" : undefined;
        return true;
      },
      () => false,
    );
  }

  override get(...[key, options]: Parameters<HttpStore["get"]>): ReturnType<HttpStore["get"]> {
    // What one reader no longer wants, another may.
    return DOCUMENT.test(key) ? once(this.#documents, key, () => super.get(key)) : super.get(key, options);
  }

  listDir(prefix: Key): Promise<Listing> {
    return once(this.#listings, prefix, () => this.#list(prefix));
  }

  async #list(prefix: Key): Promise<Listing> {
    const at = new URL(this.url);
    at.pathname = at.pathname.replace(/\/$/, "") + prefix.split("/").map(encodeURIComponent).join("/");
    const listing = await this.retried(prefix, undefined, () => answerOf(at, prefix));
    if (typeof listing !== "object" || listing === null) throw new Error("no listing");
    const part = (name: "keys" | "prefixes"): Key[] => {
      const list: unknown = name in listing ? Reflect.get(listing, name) : undefined;
      if (!Array.isArray(list)) throw new Error("no listing");
      return list.filter(isKey);
    };
    const base = new URL(this.url).pathname.replace(/^\/data|\/$/g, "");
    const below = (key: Key): Key => (key.startsWith(`${base}/`) ? `/${key.slice(base.length + 1)}` : key);
    return { keys: part("keys").map(below), prefixes: part("prefixes").map(below) };
  }

  /**
   * Whether a group may have a node of this name, without asking for what is not there. A listing that fails
   * tells nothing.
   */
  async mayHaveBelow(group: string, name: string): Promise<boolean> {
    const listing = await this.listDir(isKey(group) ? group : "/").catch(() => undefined);
    if (listing === undefined) return true;
    return listing.prefixes.some((prefix) => prefix.split("/").filter(Boolean).at(-1) === name);
  }

  async *listPrefix(prefix: Key): AsyncGenerator<Key> {
    const { keys, prefixes } = await this.listDir(prefix);
    yield* keys;
    for (const each of prefixes) yield* this.listPrefix(each);
  }

  list(): AsyncGenerator<Key> {
    return this.listPrefix("/");
  }
}

/** What fails is asked for again. */
function once<Value>(known: Map<Key, Promise<Value>>, key: Key, ask: () => Promise<Value>): Promise<Value> {
  const found = known.get(key) ?? ask();
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

const isKey = (value: unknown): value is Key => typeof value === "string" && value.startsWith("/");

/** @throws StoreError, which says whether a second request may succeed */
async function answerOf(url: URL, key: Key): Promise<unknown> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new StoreError(`no answer from ${url}`, { key, isTransient: true, cause });
  });
  const { ok, status } = response;
  if (!ok) throw new StoreError(`cannot list ${url}: ${status}`, { key, status, isTransient: status >= 500 });
  return response.json();
}
