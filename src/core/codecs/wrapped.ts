/** Codecs around a shard: bytes-to-bytes codecs after the sharding codec, which wrap the whole of it. */
import type { Kernels } from "../../kernels/kernels.js";
import type { ChunkLocation, Pipeline } from "./pipeline.js";

type Around = Pick<Pipeline, "asynchronous" | "decode" | "encode" | "scratch" | "wrapped">;

/** Decodes the codecs around a shard. The result is `bytes` itself or memory outside the arena. */
export async function unwrap(
  { asynchronous, decode, scratch, wrapped }: Around,
  bytes: Uint8Array,
  kernels: Kernels,
  at: ChunkLocation,
): Promise<Uint8Array> {
  if (!wrapped) return bytes;
  const unwrapped = asynchronous ? await asynchronous.decode(bytes, kernels, at) : bytes;
  return kernels.within(unwrapped.length + scratch(0), () => {
    const decoded = decode(unwrapped, kernels, at);
    return decoded === unwrapped ? unwrapped : decoded.slice();
  });
}

/** Encodes with the codecs around a shard. */
export async function wrap(
  { asynchronous, encode, scratch, wrapped }: Around,
  bytes: Uint8Array,
  kernels: Kernels,
  at: ChunkLocation,
): Promise<Uint8Array> {
  if (!wrapped) return bytes;
  const encoded = kernels.within(scratch(bytes.length), () => encode(bytes, kernels, at).slice());
  return asynchronous ? asynchronous.encode(encoded, kernels, at) : encoded;
}
