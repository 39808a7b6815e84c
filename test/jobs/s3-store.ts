/** A store in a bucket that can be written, for the workers of a test: each request is signed. */
import type {
  AbsolutePath,
  DirectoryListing,
  ListableStore,
  Readable,
  WritableStore,
} from "../../src/index.js";
import { directoryOf } from "../../src/stores/capabilities.js";
import { type Keys, sign } from "../stores/s3.js";

const NAMES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

export class S3Store implements Readable, WritableStore, ListableStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #keys: Keys;

  /** @param url of a "folder" in a bucket: http://host/bucket/folder */
  constructor(url: string, keys: Keys) {
    const { origin, pathname } = new URL(url);
    const [, bucket = "", ...folder] = pathname.split("/");
    this.#bucket = `${origin}/${bucket}`;
    this.#prefix = folder.join("/");
    this.#keys = keys;
  }

  async get(key: AbsolutePath): Promise<Uint8Array | undefined> {
    const response = await this.#request("GET", this.#urlOf(key));
    return response.status === 404 ? undefined : new Uint8Array(await response.arrayBuffer());
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    await this.#request("PUT", this.#urlOf(key), value);
  }

  async delete(key: AbsolutePath): Promise<void> {
    await this.#request("DELETE", this.#urlOf(key));
  }

  list(): Promise<AbsolutePath[]> {
    return this.listPrefix("/");
  }

  async listPrefix(prefix: AbsolutePath): Promise<AbsolutePath[]> {
    const keys: AbsolutePath[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const url = new URL(this.#bucket);
      url.searchParams.set("list-type", "2");
      url.searchParams.set("prefix", `${this.#prefix}${prefix}`);
      if (next !== "") url.searchParams.set("continuation-token", next);
      const xml = await (await this.#request("GET", url)).text();
      for (const [, name = ""] of xml.matchAll(/<Key>([^<]*)<\/Key>/g))
        keys.push(`/${plain(name).slice(this.#prefix.length + 1)}`);
      const token = /<NextContinuationToken>([^<]+)</.exec(xml)?.[1];
      next = token === undefined ? undefined : plain(token);
    }
    return keys;
  }

  async listDir(prefix: AbsolutePath): Promise<DirectoryListing> {
    return directoryOf(await this.listPrefix(prefix), prefix);
  }

  #urlOf(key: AbsolutePath): URL {
    return new URL(`${this.#bucket}/${this.#prefix}${key}`);
  }

  async #request(method: string, url: URL, value?: Uint8Array): Promise<Response> {
    const body = value && new Uint8Array(value);
    const headers = sign(this.#keys, { url, method, ...(body && { body }) });
    const response = await fetch(url, { method, headers, ...(body && { body }) });
    if (!response.ok && response.status !== 404)
      throw new Error(`${method} ${url.pathname}: ${response.status} ${await response.text()}`);
    return response;
  }
}

function plain(text: string): string {
  return text.replace(/&\w+;/g, (entity) => NAMES[entity] ?? entity);
}
