/** GRIB messages decoded by both kernels, outside a pipeline. */
import { retryWithMissing } from "../../../src/core/codecs/modules/missing-modules.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels, expectSame, loadFallbacks } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();

type Type = "float32" | "float64";

/** Decodes with both kernels, from the arena and from outside, with room in the arena and without. */
export async function decode(
  message: Uint8Array,
  points: number,
  type: Type = "float64",
  codec = "grib",
  configuration: JsonObject = {},
): Promise<Float32Array | Float64Array> {
  const outcomes: Uint8Array[] = [];
  for (const kernels of both) {
    const decodeOne = await decoderOf(kernels, points, type, codec, configuration);
    for (const room of [20 * points + 4 * message.length + 2 ** 17, 0]) {
      const before = message.slice();
      const decoded = await retryWithMissing(kernels, () => {
        kernels.begin(room);
        return decodeOne(message);
      });
      outcomes.push(decoded.slice());
      expectSame(message, before);
    }
  }
  const [first = new Uint8Array(), ...others] = outcomes;
  for (const other of others) expectSame(other, first);
  return type === "float32" ? new Float32Array(first.buffer) : new Float64Array(first.buffer);
}

async function decoderOf(
  kernels: Kernels,
  points: number,
  type: Type,
  name: string,
  configuration: JsonObject,
): Promise<(bytes: Uint8Array) => Uint8Array> {
  const entry = await loadEntry(name);
  await entry.load?.(kernels);
  await loadFallbacks(entry);
  const codec = entry.fromConfig(configuration, vectorSpec(type, points));
  if (codec.kind === "array_to_array") throw new Error(`${name} is ${codec.kind}`);
  return (bytes) => {
    const byteLength = points * (type === "float32" ? 4 : 8);
    const decoded = codec.decode?.(bytes, { kernels, byteLength, maximumByteLength: byteLength });
    if (decoded instanceof Uint8Array) return decoded;
    throw new Error("expected bytes");
  };
}

/** Every NaN has one bit pattern. */
export function bitsOf(values: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.map((value) => (Number.isNaN(value) ? Number.NaN : value)).buffer);
}
