/** Elements with a mask of those that are missing: nullable columns of pandas. */

import type { BoolArray } from "../../core/for-formats.js";
import { InvalidArgumentError } from "../../core/for-formats.js";

/** Elements as `get` returns them: a typed array, a list, or a view such as a BoolArray. */
export type Values<Value> = Iterable<Value> & { readonly length: number };

/** Elements of any array, some of which are missing. */
export class NullableArray<Value = unknown> implements Iterable<Value | null> {
  /** Elements as `get` returns them; what stands for a missing one means nothing. */
  readonly values: Values<Value>;
  /** True for a missing element. */
  readonly mask: BoolArray;
  /** Number of elements. */
  readonly length: number;

  /** @throws InvalidArgumentError for a mask of another length */
  constructor(values: Values<Value>, mask: BoolArray) {
    if (values.length !== mask.length)
      throw new InvalidArgumentError(`mask: expected ${values.length} elements, got ${mask.length}`);
    this.values = values;
    this.mask = mask;
    this.length = values.length;
  }

  /** All elements; null where one is missing. */
  toArray(): (Value | null)[] {
    return Array.from(this);
  }

  *[Symbol.iterator](): Iterator<Value | null> {
    let index = 0;
    for (const value of this.values) yield this.mask.get(index++) ? null : value;
  }
}
