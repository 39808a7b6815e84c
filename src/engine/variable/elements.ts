/** Choosing, joining and owning the elements of chunks of variable length. */
import { type PlainColumn, plain } from "../../codecs/variable-length/columns.js";
import type { ColumnData } from "../../data-types/column.js";
import { isFilledWith } from "../../kernels/filled.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { Strings } from "../../kernels/strings.js";
import { forEachRun, indicesOf, isWhole, type Placement } from "../placement.js";

/** The elements of a box, in its order. */
export function choose<Element>(elements: readonly Element[], box: Placement): readonly Element[] {
  if (isWhole(box, elements.length)) return elements;
  const chosen: Element[] = [];
  forEachRun(box, (start, stride, count) => {
    for (let i = 0, at = start; i < count; i++, at += stride) {
      const element = elements[at];
      if (element !== undefined) chosen.push(element);
    }
  });
  return chosen;
}

/** The elements of a box, in its order: a view where they are all of the column, memory of its own otherwise. */
export function chooseElements(strings: Strings, column: ColumnData, box: Placement): ColumnData {
  return isWhole(box, column.offsets.length - 1)
    ? column
    : gather(strings, plain(strings, column), indicesOf(box));
}

/** @param indices each below the number of elements */
export function gather(strings: Strings, { offsets, data }: PlainColumn, indices: Int32Array): PlainColumn {
  const chosen = new Int32Array(indices.length + 1);
  strings.gatherOffsets(chosen, offsets, indices);
  const target = new Uint8Array(chosen[indices.length] ?? 0);
  strings.gatherElements(target, data, offsets, indices);
  return { offsets: chosen, data: target };
}

/** The elements of one column and then those of another. */
export function join(first: PlainColumn, second: PlainColumn): PlainColumn {
  const offsets = new Int32Array(first.offsets.length + second.offsets.length - 1);
  const data = new Uint8Array(first.data.length + second.data.length);
  offsets.set(first.offsets);
  const base = first.data.length;
  const at = first.offsets.length - 1;
  for (let i = 0; i < second.offsets.length; i++) offsets[at + i] = base + (second.offsets[i] ?? 0);
  data.set(first.data);
  data.set(second.data, base);
  return { offsets, data };
}

/**
 * A column that stays valid: copied where it lies in scratch memory, or in the memory of `input` unless that may be shared.
 */
export function own(
  kernels: Kernels,
  { offsets, data }: ColumnData,
  input: Uint8Array,
  mayShare: boolean,
): ColumnData {
  const scratch = kernels.allocate(0).buffer;
  const isForeign = ({ buffer }: { readonly buffer: ArrayBufferLike }): boolean =>
    buffer === scratch || (!mayShare && buffer === input.buffer);
  return {
    offsets: isForeign(offsets) ? offsets.slice() : offsets,
    data: isForeign(data) ? data.slice() : data,
  };
}

/** Whether all elements are `pattern`. */
export function isRepeated(kernels: Kernels, { offsets, data }: PlainColumn, pattern: Uint8Array): boolean {
  const count = offsets.length - 1;
  if (data.length !== count * pattern.length) return false;
  if (pattern.length === 0) return true;
  for (let i = 1; i <= count; i++) if (offsets[i] !== i * pattern.length) return false;
  return isFilledWith(kernels, data, pattern);
}
