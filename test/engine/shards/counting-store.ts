/** A store that counts what is asked of it and how many bytes it hands out. */
import type { AbsolutePath, RangeQuery, Store } from "../../../src/index.js";

export class CountingStore implements Store {
  readonly map: Map<string, Uint8Array>;
  requests: string[] = [];
  bytes = 0;

  constructor(map = new Map<string, Uint8Array>()) {
    this.map = map;
  }

  async get(key: AbsolutePath): Promise<Uint8Array | undefined> {
    return this.#answer(`get ${key}`, this.map.get(key));
  }

  async getRange(key: AbsolutePath, range: RangeQuery): Promise<Uint8Array | undefined> {
    const value = this.map.get(key);
    const part =
      "offset" in range
        ? value?.subarray(range.offset, range.offset + range.length)
        : value?.subarray(Math.max(0, value.length - range.suffixLength));
    return this.#answer("offset" in range ? `range ${key}` : `suffix ${key}`, part);
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    this.map.set(key, value);
  }

  async delete(key: AbsolutePath): Promise<void> {
    this.map.delete(key);
  }

  reset(): void {
    this.requests = [];
    this.bytes = 0;
  }

  #answer(request: string, value: Uint8Array | undefined): Uint8Array | undefined {
    this.requests.push(request);
    this.bytes += value?.length ?? 0;
    return value;
  }
}
