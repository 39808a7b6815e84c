/** The codecs `bytes` and `transpose`, which most arrays have. They move no bytes: they describe strides and byte order. */

import type { DataType } from "../data-types/data-type.js";
import { describe, InvalidMetadataError } from "../errors.js";
import { planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, Kernels, SwapUnit } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, ArrayToBytesCodec, ChunkSpec, CodecEntry } from "./codec.js";

/**
 * `bytes` (array -> bytes): elements in C order, in the configured byte order. A byte order that
 * is not memory's (little-endian) is reversed inside the copy to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html (also its older name `endian`)
 * `{"name": "bytes", "configuration": {"endian": "little"}}`
 * Elements of variable length have the layout of ZEP 7: variable-length/zep7.ts.
 */
export const bytes: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToBytesCodec {
    const { endian, ...others } = configuration;
    const { dataType } = spec;
    // Without `endian` the legacy `structured` of zarr-python is little-endian (zarr-extensions, data-types/structured).
    const mayLack = !dataType.needsEndian || dataType.name === "struct";
    const isEndian = endian === "little" || endian === "big" || (endian === undefined && mayLack);
    if (!isEndian || Object.keys(others).length > 0) {
      throw new InvalidMetadataError(
        `expected only endian, "little" or "big", for data type ${dataType.name}, got ${describe(configuration)}`,
        { codec: "bytes", member: "configuration" },
      );
    }
    return { kind: "array_to_bytes", swapped: endian === "big" };
  },
  async prepare({ configuration }, { spec, kernels }) {
    // `prepareZep7` rejects data types that need a serializer of their own.
    if ((spec.dataType.variable ?? spec.dataType.serializer) === undefined)
      return bytes.fromConfig(configuration, spec);
    const { prepareZep7 } = await import("./variable-length/zep7.js");
    return prepareZep7(configuration, spec, kernels);
  },
};

/**
 * `transpose` (array -> array): permutes dimensions. The order folds into the strides of the copy
 * to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html
 * Also accepts the orders "C" and "F" of early writers.
 * `{"name": "transpose", "configuration": {"order": [2, 0, 1]}}`
 */
export const transpose: CodecEntry = {
  kind: "array_to_array",
  load: (kernels) => kernels.loadTransposition(),
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToArrayCodec {
    const order = readOrder(configuration, spec.shape.length);
    const shape = order.map((dimension) => spec.shape[dimension] ?? 1);
    return { kind: "array_to_array", order, encoded: { ...spec, shape } };
  },
};

function readOrder(configuration: JsonObject, rank: number): number[] {
  const order = configuration.order;
  const identity = Array.from({ length: rank }, (_, dimension) => dimension);
  if (order === "C") return identity;
  if (order === "F") return identity.reverse();
  const numbers = Array.isArray(order) ? order.filter((entry) => typeof entry === "number") : [];
  const isPermutation = numbers.length === rank && identity.every((dimension) => numbers.includes(dimension));
  if (!isPermutation || (Array.isArray(order) && order.length !== rank)) {
    throw new InvalidMetadataError(
      `expected a permutation of the ${rank} dimensions [${identity.join(", ")}], got ${describe(order)}`,
      { codec: "transpose", member: "configuration.order" },
    );
  }
  return numbers;
}

// Copies between stored elements and elements in memory's byte order

/** Byte order of stored elements: units to reverse, as in DataType, which describes big-endian elements. */
export interface ElementOrder {
  readonly swapUnit: SwapUnit;
  readonly swapRuns?: DataType["swapRuns"] | undefined;
}

export function isMemoryOrder({ swapUnit, swapRuns }: ElementOrder): boolean {
  return swapUnit === 1 && swapRuns === undefined;
}

/** Whether decoded elements are results as they are: in memory order, and no value has to be changed (`normalise`). */
export function isMovedAsStored(pipeline: ElementOrder & { readonly normalise?: unknown }): boolean {
  return isMemoryOrder(pipeline) && pipeline.normalise === undefined;
}

/** One copy plan for each run of equal units in an element, with the run's byte offset in the element. */
export type StoredCopy = readonly { readonly offset: number; readonly plan: CopyPlan }[];

/** Strides are in bytes. Serves reading and writing, because reversing bytes twice restores them. */
export function planStoredCopy(
  shape: readonly number[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
  itemSize: number,
  { swapUnit, swapRuns = [[0, swapUnit, itemSize / swapUnit]] }: ElementOrder,
): StoredCopy {
  return swapRuns.map(([offset, unit, count]) => ({
    offset,
    plan: planCopy({ shape, targetStrides, sourceStrides, width: unit * count, swapUnit: unit }),
  }));
}

export function runStoredCopy(
  copy: StoredCopy,
  kernels: Kernels,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
): void {
  for (const { offset, plan } of copy) {
    kernels.copy(plan, target, targetOffset + offset, source, sourceOffset + offset);
  }
}
