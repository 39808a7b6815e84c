/** A value in memory as an open value. */
import { checkByteLength } from "./check-store.js";
import { sliceRange } from "./keys-and-ranges.js";
import { identityOf } from "./storage-identity.js";
import type { Allocate, OpenValue, RangeQuery, StoreOptions, ValueParts } from "./store.js";

/** Reads are views of the value: nothing is copied or allocated. */
export class OpenBytes implements OpenValue {
  readonly #bytes: Uint8Array;

  /** @throws StoreError for a value of more than `maximumBytes` */
  constructor(bytes: Uint8Array, key: string, options?: Pick<StoreOptions, "maximumBytes">) {
    checkByteLength(bytes.length, options?.maximumBytes, key);
    this.#bytes = bytes;
  }

  get byteLength(): number {
    return this.#bytes.length;
  }
  get version(): number {
    return identityOf(this.#bytes);
  }

  whole(): Uint8Array {
    return this.#bytes;
  }

  read(range: RangeQuery, _allocate?: Allocate): Uint8Array {
    return sliceRange(this.#bytes, range);
  }

  close(): void {}
}

/** The answer of `getParts` for a value that is in memory. */
export function partsOf(
  bytes: Uint8Array,
  ranges: readonly RangeQuery[] | undefined,
  version?: ValueParts["version"],
): ValueParts {
  const parts = ranges === undefined ? [bytes] : ranges.map((range) => sliceRange(bytes, range));
  return { parts, byteLength: bytes.length, version };
}
