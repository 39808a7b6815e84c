/** Data of pcodec decoded by both kernels, outside a pipeline. */
import { loadExtraDataTypes } from "../../../src/data-types/registry.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels, expectSame, loadFallbacks } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();

export const itemSizeOf = (type: string): number => vectorSpec(type, 1).dataType.itemSize;

/** Decodes with both kernels, with room in the arena and without. */
export async function decode(data: Uint8Array, type: string, count: number): Promise<Uint8Array> {
  const outcomes: Uint8Array[] = [];
  for (const kernels of both) {
    const entry = await loadEntry("pcodec");
    await entry.load?.(kernels);
    await loadFallbacks(entry);
    const codec = entry.fromConfig({}, vectorSpec(type, count));
    if (codec.kind !== "array_to_bytes") throw new Error(`pcodec is ${codec.kind}`);
    const byteLength = count * itemSizeOf(type);
    for (const room of [2 * byteLength + data.length + 2 ** 20, 0]) {
      kernels.begin(room);
      const before = data.slice();
      const decoded = codec.decode?.(data, { kernels, byteLength, maximumByteLength: byteLength });
      if (decoded === undefined) throw new Error("expected bytes");
      outcomes.push(decoded.slice());
      expectSame(data, before);
    }
  }
  const [first = new Uint8Array(), ...others] = outcomes;
  for (const other of others) expectSame(other, first);
  return first;
}
