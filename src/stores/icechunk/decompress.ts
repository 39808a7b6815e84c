/** zstd frames of files that are no chunks: tables of formats around Zarr. */

import { DECODE_WORKSPACE } from "../../codecs/zstd/workspace.js";
import { decode, loadZstdKernels } from "../../codecs/zstd/zstd.js";
import { loadKernels } from "../../kernels/load.js";

/** More of an output is put together in ordinary memory: the arena never shrinks. */
const MOST_KERNEL_MEMORY = 64 << 20;

/** In memory of its own. @throws CodecError for what is no zstd, or makes more than `maximumByteLength` bytes */
export async function decompressZstd(bytes: Uint8Array, maximumByteLength: number): Promise<Uint8Array> {
  const kernels = await loadKernels();
  await loadZstdKernels(kernels);
  kernels.begin(Math.min(8 * bytes.byteLength + DECODE_WORKSPACE, MOST_KERNEL_MEMORY));
  return decode(bytes, { kernels, byteLength: undefined, maximumByteLength }).slice();
}
