/** Codecs run as the pipeline runs them, on both implementations of the kernels. */
import { expect } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import type { BytesToBytesCodec, CodecEntry } from "../../../src/core/codecs/codec.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { dataTypeFromV3 } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../../src/kernels/load.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { firstDifference } from "../../kernels/reference.js";
import { loadEntry } from "./load-entry.js";

export async function bothKernels(): Promise<readonly [wasm: Kernels, javascript: Kernels]> {
  setKernels("javascript");
  const javascript = await loadKernels();
  setKernels("wasm");
  const wasm = await loadKernels();
  setKernels("auto");
  return [wasm, javascript];
}

let javascript: Promise<Kernels> | undefined;

/**
 * Tests decode where WASM memory has no room, too: what reads arrays loads the fallbacks then, and begins
 * again.
 */
export async function loadFallbacks(entry: CodecEntry): Promise<void> {
  javascript ??= bothKernels().then(([, fallbacks]) => fallbacks);
  await entry.load?.(await javascript);
}

export async function bytesCodec(
  kernels: Kernels,
  name: string,
  configuration: JsonObject = {},
): Promise<BytesToBytesCodec> {
  const entry = await loadEntry(name);
  await entry.load?.(kernels);
  await loadFallbacks(entry);
  await loadForWriting(kernels);
  const codec = entry.fromConfig(configuration, {
    shape: [1],
    dataType: dataTypeFromV3("uint8"),
    fillValue: 0,
  });
  if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes")
    throw new Error(`${name} is ${codec.kind}`);
  return codec;
}

/** `bytesCodec` for a new array, whose settings for writing have to be sound. */
export async function newBytesCodec(
  kernels: Kernels,
  name: string,
  configuration: JsonObject,
): Promise<BytesToBytesCodec> {
  (await loadEntry(name)).checkWriting?.(configuration, name);
  return bytesCodec(kernels, name, configuration);
}

export interface Expected {
  /** Exact length; left away where the pipeline would not know it. */
  readonly byteLength?: number;
  readonly maximumByteLength?: number;
  /** Arena bytes asked for: 0 makes kernels work on ordinary memory. */
  readonly room?: number;
}

/**
 * Decodes twice, from arena memory and from ordinary memory; gives a copy of the bytes, or the CodecError's
 * message.
 */
export function decodeBoth(
  kernels: Kernels,
  codec: BytesToBytesCodec,
  encoded: Uint8Array,
  expected: Expected,
): Uint8Array | string {
  const { byteLength, maximumByteLength = byteLength ?? 2 ** 31, room } = expected;
  const before = encoded.slice();
  const outcomes = [true, false].map((inArena) => {
    kernels.begin(room ?? encoded.length + 3 * (byteLength ?? 2 ** 20) + 2 ** 19);
    let source = encoded;
    if (inArena) {
      source = kernels.allocate(encoded.length);
      source.set(encoded);
    }
    try {
      const decoded = codec.decode(source, { kernels, byteLength, maximumByteLength });
      if (decoded instanceof Promise) throw new Error("expected a synchronous codec");
      return decoded.slice();
    } catch (error) {
      if (isZarrError(error, "CodecError")) return error.message;
      throw error;
    }
  });
  expectSame(encoded, before);
  const [first = "nothing", second = "nothing"] = outcomes;
  expectSame(second, first);
  return first;
}

/** `toEqual` on long arrays takes seconds. */
export function expectSame(got: Uint8Array | string, expected: Uint8Array | string): void {
  if (typeof got === "string" || typeof expected === "string") expect(got).toEqual(expected);
  else
    expect({ length: got.length, firstDifference: firstDifference(got, expected) }).toEqual({
      length: expected.length,
      firstDifference: -1,
    });
}

export function encode(kernels: Kernels, codec: BytesToBytesCodec, bytes: Uint8Array): Uint8Array {
  kernels.begin(4 * bytes.length + 2 ** 20);
  const encoded = codec.encode(bytes, { kernels });
  if (encoded instanceof Promise) throw new Error("expected a synchronous codec");
  return encoded.slice();
}

export function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
