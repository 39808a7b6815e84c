/**
 * Writes picked elements: chunks are read and written as in any write, and their picked elements are changed
 * in between.
 */
import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../core/codecs/stored-copy.js";
import type { WritableStore } from "../../core/stores/store.js";
import type { BandPlan } from "../bands.js";
import { copyPicked } from "../../core/placers/copy-picked.js";
import { BandEncoder, type ElementSource, type EncoderFactory, type WriteSource } from "../encoder.js";
import type { WriteOptions } from "../options.js";
import { inOneRow } from "../../core/line/placement.js";
import type { PreparedArray } from "../prepared.js";
import { forEachArray, selectionFor } from "../rectilinear/by-shape.js";
import { writeSelection } from "../write.js";

/** @param source its strides are those that the placements of the plan expect */
export async function writePicked(
  array: PreparedArray,
  store: WritableStore,
  plan: BandPlan,
  source: WriteSource,
  options: WriteOptions,
): Promise<void> {
  const selection = selectionFor(array, []);
  const picked = { encoder: pickedEncoder, ...source };
  await forEachArray(array, plan, options, (part, own) =>
    writeSelection(part, store, selection, picked, own),
  );
}

const pickedEncoder: EncoderFactory = (decoder, selection, source, writeEmptyChunks) => {
  const { kernels, fillPattern } = decoder;
  const itemSize = fillPattern.length;
  const unit = Math.max(1, itemSize);
  const inElements = (strides: readonly number[]): number[] => strides.map((stride) => stride / unit);
  const place = { offset: source.offset / unit, strides: inElements(source.strides) };

  const elementSource: ElementSource = {
    isDirect: () => true,
    asTheyAre: () => undefined,
    within(band, _isDirect, moreBytes, work) {
      const given = band.chunks.reduce((total, { picked }) => total + (picked?.count ?? 0), 0) * itemSize;
      return kernels.within(moreBytes + 2 * given, () => work({ band, strides: [], box: undefined }));
    },
    place(_open, { picked }, elements, pipeline) {
      if (picked === undefined) return;
      const to = picked.inChunk(inElements(pipeline.strides));
      const from = picked.inResult(place);
      if (isMovedAsStored(pipeline)) {
        copyPicked(elements, to, source.bytes, from, itemSize);
        return;
      }
      const { count } = picked;
      const given = kernels.allocate(count * itemSize);
      const stored = kernels.allocate(count * itemSize);
      copyPicked(given, inOneRow(...to.shape), source.bytes, from, itemSize);
      pipeline.normalise?.(given);
      runStoredCopy(
        planStoredCopy([count], [itemSize], [itemSize], itemSize, pipeline),
        kernels,
        stored,
        0,
        given,
        0,
      );
      copyPicked(elements, to, stored, inOneRow(...to.shape), itemSize);
    },
  };
  return new BandEncoder(decoder, selection, source, writeEmptyChunks, elementSource);
};
