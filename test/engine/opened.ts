import type { OpenValue } from "../../src/core/stores/store.js";
import { copiedInto, rangeOf } from "../setup/stores.js";

/** What a store counts. */
export interface Counts {
  /** Bytes that were read. */
  bytes: number;
  /** Values that are open. */
  open: number;
}

/** A value that is open for reading at once. */
export function opened(value: Uint8Array, counts: Counts): OpenValue {
  counts.open++;
  const read: OpenValue["read"] = (range, allocate) => {
    const part = rangeOf(value, range);
    counts.bytes += part.length;
    return copiedInto(part, allocate);
  };
  return {
    byteLength: value.length,
    version: undefined,
    whole: (allocate) => read({ offset: 0, length: value.length }, allocate),
    read,
    close() {
      counts.open--;
    },
  };
}
