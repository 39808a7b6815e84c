/** Tells a caller how far a read or write has come. */
import { product } from "../../../base/shape.js";

/**
 * Reports progress of a read or write: finished chunks (shards of a sharded array) and bytes of their
 * elements.
 */
export type OnProgress = (progress: {
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly bytes: number;
}) => void;

/** Returns a function that counts finished bands and reports them. */
export function trackProgress(
  onProgress: OnProgress | undefined,
  chunksTotal: number,
  itemSize: number,
): (band: { readonly shape: readonly number[]; readonly chunks: { readonly length: number } }) => void {
  if (onProgress === undefined) return () => {};
  let chunksDone = 0;
  let bytes = 0;
  return ({ shape, chunks }) => {
    chunksDone += chunks.length;
    bytes += product(shape, itemSize);
    onProgress({ chunksDone, chunksTotal, bytes });
  };
}
