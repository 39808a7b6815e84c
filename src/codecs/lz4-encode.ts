/** The encoder of `lz4` (lz4.ts). */
import { InvalidArgumentError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { bloscEncodeKernels, encodeOperand } from "./blosc/encode-kernels.js";
import { LZ_WORKSPACE, LZ4 } from "./blosc/formats.js";

const HEADER_LENGTH = 4;
/** What the LZ4 library takes. */
const MAXIMUM_LENGTH = 0x7e000000;

export function encodeLz4(bytes: Uint8Array, kernels: Kernels, acceleration: number): Uint8Array {
  if (bytes.length > MAXIMUM_LENGTH) {
    throw new InvalidArgumentError(
      `expected at most ${MAXIMUM_LENGTH} bytes, got ${bytes.length}; use smaller chunks or another codec`,
      { codec: "lz4" },
    );
  }
  // A 16th is more than any block grows by, and what the encoder wants in reserve.
  const target = kernels.allocate(HEADER_LENGTH + bytes.length + (bytes.length >> 4) + 64);
  const mark = kernels.mark();
  const source = encodeOperand(kernels, bytes);
  const workspace = kernels.allocate(LZ_WORKSPACE);
  const block = target.subarray(HEADER_LENGTH);
  const length = bloscEncodeKernels(kernels).encodeLz(LZ4, block, source, workspace, acceleration, 5);
  kernels.release(mark);
  new DataView(target.buffer, target.byteOffset).setUint32(0, bytes.length, true);
  return target.subarray(0, HEADER_LENGTH + length);
}
