/** Data of zfp decoded by both kernels, outside a pipeline. */

import { product } from "../../../src/base/shape.js";
import { loadExtraDataTypes, parseDataType } from "../../../src/data-types/registry.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { bothKernels, expectSame, loadFallbacks } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();

/** Decodes with both kernels, with room in the arena and without. */
export async function decode(
  name: "zfp" | "zfpy",
  configuration: JsonObject,
  data: Uint8Array,
  type: Json,
  shape: readonly number[],
): Promise<Uint8Array> {
  const outcomes: Uint8Array[] = [];
  for (const kernels of both) {
    const entry = await loadEntry(name);
    await entry.load?.(kernels);
    await loadFallbacks(entry);
    const dataType = parseDataType(type);
    const codec = entry.fromConfig(configuration, { shape, dataType, fillValue: dataType.defaultScalar });
    if (codec.kind !== "array_to_bytes") throw new Error(`${name} is ${codec.kind}`);
    const byteLength = product(shape) * dataType.itemSize;
    for (const room of [byteLength + (codec.scratchByteLength ?? 0) + data.length, 0]) {
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
