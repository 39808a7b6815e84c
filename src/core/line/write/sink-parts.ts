/** What the sink of a write is made of. Each variation of a write is another one of these. */

import type { WritableStore } from "../../stores/store.js";
import type { ChunkEncoder } from "../ports.js";
import type { ValueLocation } from "../prepared.js";
import type { Lease } from "../shared/buffers.js";
import type { Limiter } from "../shared/concurrency.js";
import type { Overwriting } from "./overwriting.js";
import type { StoredValues } from "./stored-values.js";

export interface SinkParts {
  readonly store: WritableStore;
  readonly values: StoredValues;
  readonly encoder: ChunkEncoder;
  readonly overwriting: Overwriting;
  /** The key of a chunk. */
  readonly locate: (chunk: readonly number[]) => ValueLocation;
  /** No valid chunk is longer, unless its place says otherwise. */
  readonly maximumBytes: number;
  readonly limiter: Limiter;
  readonly signal: AbortSignal | undefined;
  /** Lends memory for what is read. */
  readonly reading: () => Lease;
  /** Lends memory for what is stored; undefined if the store keeps the memory that it is given. */
  readonly storing: (() => Lease) | undefined;
}
