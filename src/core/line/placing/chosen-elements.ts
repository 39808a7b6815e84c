/** The elements of a chunk, or of the caller's, that a box selects. */
import { int32At } from "../../../base/at.js";
import { UnsupportedError } from "../../../base/errors.js";
import { type ColumnData, isColumnData, type PlainColumn } from "../../../data-types/column.js";
import type { Strings } from "../../../kernels/strings-kernels.js";
import type { VariableElements } from "../../codecs/codec.js";
import { plain } from "../../codecs/columns.js";
import { indicesOf, isWhole, type Placement } from "../placement.js";

/** The elements of a box, in its order: the column itself if the box is all of it, otherwise a copy. */
export function chooseElements(strings: Strings, column: ColumnData, box: Placement): ColumnData {
  return isWhole(box, column.offsets.length - 1)
    ? column
    : gather(strings, plain(strings, column), indicesOf(box));
}

/** Copies the elements at `indices` into a new column. @param indices each below the number of elements */
export function gather(strings: Strings, { offsets, data }: PlainColumn, indices: Int32Array): PlainColumn {
  const picked = new Int32Array(indices.length + 1);
  strings.gatherOffsets(picked, offsets, indices);
  const target = new Uint8Array(int32At(picked, indices.length));
  strings.gatherElements(target, data, offsets, indices);
  return { offsets: picked, data: target };
}

/** The values of a box in its order, from a chunk of objects. */
export function chooseValues(elements: VariableElements, box: Placement): unknown[] {
  if (isColumnData(elements)) throw new UnsupportedError("internal error: expected objects, got a column");
  return Array.from(indicesOf(box), (index) => elements[index]);
}
