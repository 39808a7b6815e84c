/**
 * numcodecs' filters look at the bytes of a chunk as elements of the dtype they are configured with, whatever the array's own is: int64
 * over datetimes, or another byte order. This is that look: nothing happens where both agree.
 */
import { InvalidMetadataError } from "../../errors.js";
import type { Kernels, SwapUnit } from "../../kernels/kernels.js";
import { product } from "../../shape.js";
import type { ChunkSpec } from "../codec.js";
import { fillPattern } from "../fill-pattern.js";
import { aligned } from "./number-type.js";
import { type StatedType, typeOfChunk } from "./numcodecs-configuration.js";

export interface Restatement {
  /** The array's fill value as one element of the filter; undefined where their sizes differ. */
  readonly fill: Uint8Array | undefined;
  /** The chunk's shape seen as the filter's elements: flat where their size differs. */
  readonly shape: readonly number[];
  /** Elements of the chunk, in memory order, to elements of the filter, in memory order; aligned for them. */
  enter(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** The way back. */
  leave(elements: Uint8Array, kernels: Kernels): Uint8Array;
}

/** Bytes that are reversed when elements of a type go to storage. */
function storedUnit({ dataType, endian }: StatedType): SwapUnit {
  return endian === "big" ? dataType.swapUnit : 1;
}

/** @throws InvalidMetadataError when the chunk does not divide into elements of the stated type */
export function restate(codec: string, spec: ChunkSpec, stated: StatedType): Restatement {
  const { itemSize } = stated.dataType;
  const byteLength = product(spec.shape) * spec.dataType.itemSize;
  if (spec.dataType.itemSize === 0 || byteLength % itemSize !== 0) {
    throw new InvalidMetadataError(
      `expected elements of ${stated.dataType.name}, or whose bytes divide into such, got a chunk of ${spec.dataType.name}`,
      { codec },
    );
  }
  // In v3 the filter works in memory, before there is a byte order.
  const hasOrder = spec.endian !== undefined || !spec.dataType.needsEndian;
  const from = hasOrder ? storedUnit(typeOfChunk(spec)) : 1;
  const to = hasOrder ? storedUnit(stated) : 1;
  const swap = (elements: Uint8Array, first: SwapUnit, second: SwapUnit, kernels: Kernels): Uint8Array => {
    if (first === second) return elements;
    const swapped = kernels.allocate(elements.length);
    kernels.swap(swapped, elements, first);
    if (second !== 1) kernels.swap(swapped, swapped, second);
    return swapped;
  };
  const sameSize = itemSize === spec.dataType.itemSize;
  return {
    fill: sameSize ? fillPattern(spec.dataType, spec.fillValue) : undefined,
    shape: sameSize ? spec.shape : [byteLength / itemSize],
    enter: (elements, kernels) => aligned(swap(elements, from, to, kernels), itemSize),
    leave: (elements, kernels) => swap(elements, to, from, kernels),
  };
}
