/** The encoder of `n5_default` (n5-default.ts). */
import { CodecError } from "../errors.js";
import { planCopy } from "../kernels/copy-plan.js";
import type { Kernels } from "../kernels/kernels.js";
import { cOrderStrides } from "../shape.js";
import type { BytesToBytesCodec, ChunkSpec } from "./codec.js";

/** A block of the chunk's shape, its header in front. */
export function encodeBlock(
  elements: Uint8Array,
  { shape, dataType: { itemSize, swapUnit } }: ChunkSpec,
  compressor: BytesToBytesCodec | undefined,
  kernels: Kernels,
): Uint8Array {
  const stored = kernels.allocate(elements.length);
  const plan = planCopy({
    shape,
    targetStrides: cOrderStrides(shape.toReversed(), itemSize).reverse(),
    sourceStrides: cOrderStrides(shape, itemSize),
    width: itemSize,
    swapUnit,
  });
  kernels.copy(plan, stored, 0, elements, 0);
  const payload = compressor?.encode(stored, { kernels }) ?? stored;
  if (payload instanceof Promise)
    throw new CodecError("expected a synchronous codec", { codec: "n5_default" });
  const headerLength = 4 + 4 * shape.length;
  const bytes = new Uint8Array(headerLength + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(2, shape.length);
  shape.forEach((length, i) => {
    view.setUint32(4 + 4 * i, length);
  });
  bytes.set(payload, headerLength);
  return bytes;
}
