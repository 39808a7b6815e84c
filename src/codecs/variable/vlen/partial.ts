/** Where single elements of a chunk of `zarrs.vlen` lie: its index alone, in one request where its encoded length is fixed. */
import { CodecError } from "../../../errors.js";
import type { VariablePartial } from "../../codec.js";
import type { Pipeline } from "../../prepared-pipeline.js";
import type { Chain } from "./chain.js";
import { indexLength, readOffsetsLater, type VlenLayout } from "./elements.js";
import { LENGTH_BYTES, readIndexLength } from "./parts.js";

/**
 * Bytes that an offset takes at most, once encoded: alone in an inner chunk it has an entry of a shard's index besides what
 * compressors put around it. A claim of more is not asked the store for.
 */
const MOST_BYTES = 256;

/** @param pipeline the index's own */
export function partialOf(
  layout: VlenLayout,
  index: Chain,
  { encodedByteLength }: Pipeline,
): VariablePartial {
  const { location, entries } = layout;
  return {
    async locate(source, kernels) {
      const first = await source.edge(location, LENGTH_BYTES + (encodedByteLength ?? 0));
      if (first === undefined) return undefined;
      const length = readIndexLength(first, location);
      const most = (encodedByteLength ?? entries * MOST_BYTES) + 65536;
      if (length > most) {
        throw new CodecError(`expected an index of at most ${most} bytes, got a length of ${length}`);
      }
      const end = LENGTH_BYTES + length;
      const bytes = first.length >= end ? first : await source.edge(location, end);
      if (bytes === undefined || bytes.length < end) {
        throw new CodecError(
          `expected an index of ${length} bytes, got ${(bytes?.length ?? 0) - LENGTH_BYTES}`,
        );
      }
      const encoded =
        location === "start"
          ? bytes.subarray(LENGTH_BYTES, end)
          : bytes.subarray(bytes.length - end, bytes.length - LENGTH_BYTES);
      const stored = await index.decode(encoded, indexLength(layout), kernels);
      return {
        offsets: readOffsetsLater(layout, stored, kernels),
        dataStart: location === "start" ? end : 0,
      };
    },
  };
}
