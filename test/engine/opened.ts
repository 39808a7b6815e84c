import type { OpenValue, StoreOptions } from "../../src/stores/store.js";
import { copiedInto, rangeOf } from "../setup/stores.js";

/** What a store counts. */
export interface Counts {
  /** Bytes that were read. */
  bytes: number;
  /** Values that are open. */
  open: number;
}

/** A value that is open for reading at once. */
export function opened(value: Uint8Array, counts: Counts, options: StoreOptions | undefined): OpenValue {
  options?.onValue?.({ byteLength: value.length });
  counts.open++;
  return {
    read(range, allocate) {
      const part = rangeOf(value, range);
      counts.bytes += part.length;
      return copiedInto(part, allocate);
    },
    close() {
      counts.open--;
    },
  };
}
