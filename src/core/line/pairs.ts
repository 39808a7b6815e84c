/** Decoding of two chunks together, for codecs that take less time so. */
import type { Kernels } from "../../kernels/kernels.js";
import type { DecodeContext } from "../codecs/codec.js";
import type { Awaitable, Pipeline } from "./ports.js";

/**
 * Returns what the outermost codecs of two pipelines, which are the same codec, decode to; undefined for
 * chunks that have to be decoded one by one.
 */
export type DecodePair = (
  first: Uint8Array,
  second: Uint8Array,
  ofFirst: Pipeline,
  ofSecond: Pipeline,
) => readonly [Uint8Array, Uint8Array] | undefined;

const loaded = new WeakMap<Pipeline, Awaitable<DecodePair | undefined>>();

/** @returns undefined if the outermost codec has no decoder of pairs; a promise until it is loaded */
export function pairsOf(pipeline: Pipeline, kernels: Kernels): Awaitable<DecodePair | undefined> {
  const { outermost, byteLength } = pipeline;
  if (outermost?.codec.loadPairs === undefined || byteLength === 0) return undefined;
  if (loaded.has(pipeline)) return loaded.get(pipeline);
  const loading = outermost.codec.loadPairs(kernels, outermost.byteLength).then((decode) => {
    if (decode === undefined) return undefined;
    const context = { ...outermost, kernels };
    const contextOf = ({ outermost: own = outermost }: Pipeline): DecodeContext =>
      own === outermost ? context : { ...own, kernels };
    const pair: DecodePair = (first, second, ofFirst, ofSecond) =>
      decode(first, second, contextOf(ofFirst), contextOf(ofSecond));
    return pair;
  });
  loaded.set(pipeline, loading);
  // A decoder whose download failed may load the next time.
  loading.then(
    (decode) => loaded.set(pipeline, decode),
    () => loaded.delete(pipeline),
  );
  return loading;
}
