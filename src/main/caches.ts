/**
 * Keeps decoded chunks and bytes, so that what is read again needs no request.
 *
 * ```ts
 * import { get, HttpStore, open, slice } from "wazarr";
 * import { ChunkCache } from "wazarr/caches";
 *
 * const array = await open(new HttpStore("https://example.com/heights.zarr"), { kind: "array" });
 * const cache = new ChunkCache({ maxBytes: 256 << 20 });
 * await get(array, [slice(0, 256), slice(0, 256)], { cache });
 * console.log(cache.stats);
 * ```
 * @module
 */

export { ChunkCache, type ChunkCacheStats } from "../array/read/chunk-cache.js";
export type { ByteCachingOptions } from "../core/stores/byte-caching.js";
export { LruCache, type LruCacheOptions } from "../core/stores/lru-cache.js";
