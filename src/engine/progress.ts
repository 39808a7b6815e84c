/** What callers are told of a read or write as it goes on. */
import { product } from "../shape.js";

/** Told of a read or write as it goes on: chunks (shards of a sharded array) and bytes of elements that are done. */
export type OnProgress = (progress: {
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly bytes: number;
}) => void;

/** Counts the bands that are done. */
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
