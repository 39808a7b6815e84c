/** What all reads share: decoded chunks and the threads that decode them. */
import { ChunkCache } from "wazarr/caches";
import { WorkerPool } from "wazarr/workers";

export const workers = new WorkerPool();
export const cache = new ChunkCache({ maxBytes: 128 << 20 });
