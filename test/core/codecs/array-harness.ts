/** Array-to-array and array-to-bytes codecs on both implementations of the kernels, outside a pipeline. */
import { expect } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import type { ArrayToArrayCodec, ChunkSpec } from "../../../src/core/codecs/codec.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { loadExtraDataTypes, parseDataType } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { expectSame, loadFallbacks } from "./harness.js";
import { loadEntry } from "./load-entry.js";

/** Elements of a data type in a chunk of one dimension. */
export function vectorSpec(dataType: Json, length: number, fillValue?: unknown): ChunkSpec {
  const type = parseDataType(dataType);
  return { shape: [length], dataType: type, fillValue: fillValue ?? type.defaultScalar };
}

export async function arrayCodec(
  kernels: Kernels,
  name: string,
  configuration: JsonObject,
  spec: ChunkSpec,
): Promise<ArrayToArrayCodec> {
  await loadExtraDataTypes();
  const entry = await loadEntry(name);
  await entry.load?.(kernels);
  await loadForWriting(kernels);
  await loadFallbacks(entry);
  const codec = entry.fromConfig(configuration, spec);
  if (codec.kind !== "array_to_array") throw new Error(`${name} is ${codec.kind}`);
  return codec;
}

/**
 * Runs a direction twice on each of both kernels, from aligned and from odd addresses, from the arena and
 * from outside; expects the same bytes every time and the input unchanged.
 * @returns a copy of the bytes, or the message of the CodecError
 */
export async function runBoth(
  bothKernels: readonly Kernels[],
  name: string,
  configuration: JsonObject,
  spec: ChunkSpec,
  direction: "encode" | "decode",
  input: Uint8Array,
): Promise<Uint8Array | string> {
  const outcomes: (Uint8Array | string)[] = [];
  for (const kernels of bothKernels) {
    const codec = await arrayCodec(kernels, name, configuration, spec);
    for (const skew of [0, 3]) {
      for (const inArena of [true, false]) {
        kernels.begin(16 * input.length + 2 ** 16);
        const memory = inArena ? kernels.allocate(input.length + skew) : new Uint8Array(input.length + skew);
        const source = memory.subarray(skew);
        source.set(input);
        outcomes.push(outcomeOf(() => codec[direction]?.(source, { kernels }) ?? source));
        expectSame(source, input);
      }
    }
  }
  const [first = "nothing", ...others] = outcomes;
  for (const other of others) expectSame(other, first);
  return first;
}

function outcomeOf(run: () => Uint8Array): Uint8Array | string {
  try {
    return run().slice();
  } catch (error) {
    if (isZarrError(error, "CodecError")) return error.message;
    throw error;
  }
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** The same elements, any NaN being as good as another. */
export function expectElements(dataType: Json, got: Uint8Array | string, expected: Uint8Array): void {
  if (typeof got === "string") throw new Error(got);
  const type = parseDataType(dataType);
  const read = (bytes: Uint8Array): unknown[] =>
    Array.from({ length: bytes.length / type.itemSize }, (_, i) =>
      type.readScalar(bytes.subarray(i * type.itemSize, (i + 1) * type.itemSize)),
    );
  expect(read(got)).toEqual(read(expected));
}
