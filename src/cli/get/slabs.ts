/** Reads elements in slabs, because they may not fit into memory. */
import { itemAt as at } from "../../extend.js";
import { product } from "../product.js";
import { countOf, partsOf } from "./choice.js";
import type { Elements, Part } from "./elements.js";

/** Bytes of a slab, unless a row of chunks has more. Two slabs are in memory at a time. */
const SLAB_BYTES = 32 << 20;
/** Assumed bytes of an element, at least: decoded elements are often longer than stored ones. */
const LEAST_BYTES = 8;
/** Assumed bytes of an element of variable length. */
const VARIABLE_BYTES = 64;

/** Lengths of the dimensions that are left. */
export function shapeOf({ choices }: Pick<Elements, "choices">): number[] {
  return choices.filter(({ kind }) => kind !== "index").map(countOf);
}

/**
 * Yields parts of the elements along the first dimension that is left, in C order. While the caller uses one,
 * the next is read.
 */
export async function* slabsOf(elements: Elements): AsyncGenerator<Part, void, undefined> {
  const { choices, array } = elements;
  const first = choices.findIndex(({ kind }) => kind !== "index");
  const along = choices[first];
  if (along === undefined) {
    yield await elements.read(choices);
    return;
  }
  const shape = shapeOf(elements);
  if (shape.includes(0)) return;
  const { itemSize } = array.dataType;
  const rowLength = product(shape.slice(1));
  const rowBytes = rowLength * Math.max(itemSize === 0 ? VARIABLE_BYTES : itemSize, LEAST_BYTES);
  const chunkLength = array.metadata.chunkGrid.name === "regular" ? at(array.chunks, first) : 1;
  const parts = partsOf(along, chunkLength, Math.floor(SLAB_BYTES / rowBytes));
  const begin = (): Promise<Part> | undefined => {
    const part = parts.next();
    if (part.done === true) return undefined;
    const reading = elements.read(choices.with(first, part.value));
    // `await` below reports a failure; a caller that leaves the loop ignores it.
    reading.catch(() => {});
    return reading;
  };
  for (let next = begin(); next !== undefined; ) {
    const part = await next;
    next = begin();
    yield part;
  }
}
