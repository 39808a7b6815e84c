/**
 * The entry `wazarr/caches`: caches of decoded chunks and of bytes.
 * @module
 */

export { ChunkCache, type ChunkCacheStats } from "../array/read/chunk-cache.js";
export type { ByteCachingOptions } from "../core/stores/byte-caching.js";
export { LruCache, type LruCacheOptions } from "../core/stores/lru-cache.js";
