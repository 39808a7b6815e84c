/**
 * Two blocks of LZ4 decoded at once: each waits for its own tokens only, and a processor has room for both. Of the usual kind, that
 * is: not filtered, one compressed stream each. Anything else is for decode.ts, as are errors.
 */
import type { Kernels } from "../../kernels/kernels.js";
import lzPairModule from "../../kernels/modules/lz4-pair.generated.js";
import { functionsOf, inArena, lazyKernelModule } from "../kernel-module.js";
import type { BlockDecoders, BlockPairDecoder } from "./decode.js";
import { HEADER_LENGTH, splitCount } from "./formats.js";

const kernelModule = lazyKernelModule("lz4-pair", lzPairModule);
const functionOf = functionsOf((_, find) => find("lz4_decode_pair"));

/** Has blocks decoded in pairs where that can be; not values, so that there is no PairDecoder. */
export async function loadBlockPairs(kernels: Kernels, decoders: BlockDecoders): Promise<undefined> {
  if (await kernelModule.load(kernels)) decoders.decodePair = decodePair;
}

const decodePair: BlockPairDecoder = (bytes, header, block, target, wanted, kernels) => {
  const { blocksize, filter, format } = header;
  const module = kernelModule.of(kernels);
  if (module === undefined || filter !== "none" || format !== "lz4") return undefined;
  if (splitCount(header, blocksize) > 1 || wanted <= blocksize) return undefined;
  const length = Math.min(blocksize, target.length - blocksize);
  const to = module.pointer(target);
  const first = streamOf(bytes, block, blocksize);
  const second = streamOf(bytes, block + 1, length);
  if (to === undefined || first === undefined || second === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, first);
  const from2 = inArena(kernels, module, second);
  kernels.release(mark);
  if (from === undefined || from2 === undefined) return undefined;
  const wanted2 = Math.min(wanted - blocksize, length);
  return functionOf(module)(
    ...[to, blocksize, from, first.length, blocksize],
    ...[to + blocksize, length, from2, second.length, wanted2],
  ) === 1
    ? first.length + second.length + 2 * LENGTH
    : undefined;
};

/** Bytes of the length in front of a stream. */
const LENGTH = 4;

/** The only stream of a block; undefined where it is not all there, or stored. */
function streamOf(bytes: Uint8Array, block: number, decodedLength: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const begin = view.getUint32(HEADER_LENGTH + 4 * block, true) + LENGTH;
  if (begin > bytes.length) return undefined;
  const length = view.getUint32(begin - LENGTH, true);
  return length > bytes.length - begin || length === decodedLength
    ? undefined
    : bytes.subarray(begin, begin + length);
}
