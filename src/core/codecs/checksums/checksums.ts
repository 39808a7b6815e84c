/**
 * `crc32c` (bytes -> bytes): appends the CRC-32C (RFC 3720) of the bytes, 4 bytes little-endian.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html numcodecs' variant may place it in
 * front: `{"name": "numcodecs.crc32c", "configuration": {"location": "start"}}`
 *
 * Also the code that all checksum codecs share: 4 bytes, little-endian, before or after the payload, verified
 * on reading. Decoding returns a view of its input, so its only cost is the checksum.
 */

import { CodecError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import checksumsModule from "../../../kernels/modules/checksums.generated.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { BytesToBytesCodec, CodecEntry } from "../codec.js";
import { readChoice, readConfiguration } from "../configuration.js";
import type { CodecForms } from "../forms.js";
import { inArena, lazyKernelModule } from "../modules/kernel-modules.js";
import { adler32Fallback, crc32cFallback, crc32Fallback } from "./fallback.js";

const CHECKSUM_LENGTH = 4;

type ChecksumLocation = "start" | "end";

type Checksum = (kernels: Kernels, payload: Uint8Array) => number;

/**
 * Makes a checksum codec. Its `decode` throws CodecError if the input is too short or the checksum differs.
 * @param other a checksum that some writer stores instead; undefined for payloads of which it stores the same
 */
export function checksumCodec(
  name: string,
  location: ChecksumLocation,
  checksum: Checksum,
  other?: (kernels: Kernels, payload: Uint8Array) => number | undefined,
): BytesToBytesCodec {
  return {
    kind: "bytes_to_bytes",
    synchronous: true,
    decode(bytes, { kernels }) {
      const length = bytes.length - CHECKSUM_LENGTH;
      if (length < 0) {
        throw new CodecError(
          `expected at least the ${CHECKSUM_LENGTH} bytes of a checksum, got ${bytes.length}`,
          { codec: name },
        );
      }
      const payload = location === "start" ? bytes.subarray(CHECKSUM_LENGTH) : bytes.subarray(0, length);
      const offset = location === "start" ? 0 : length;
      const stored = new DataView(bytes.buffer, bytes.byteOffset + offset, CHECKSUM_LENGTH).getUint32(
        0,
        true,
      );
      const computed = checksum(kernels, payload);
      if (stored !== computed && stored !== other?.(kernels, payload)) {
        throw new CodecError(
          `expected the stored checksum ${hexadecimal(stored)}, got ${hexadecimal(computed)} for the ${length} bytes that it covers: they are damaged`,
          { codec: name, offset },
        );
      }
      return payload;
    },
    encode(bytes, { kernels }) {
      const encoded = new Uint8Array(bytes.length + CHECKSUM_LENGTH);
      encoded.set(bytes, location === "start" ? CHECKSUM_LENGTH : 0);
      new DataView(encoded.buffer).setUint32(
        location === "start" ? 0 : bytes.length,
        checksum(kernels, bytes),
        true,
      );
      return encoded;
    },
    encodedByteLength: (byteLength) => byteLength + CHECKSUM_LENGTH,
  };
}

/**
 * Makes an entry for a codec whose only configuration is an optional `location` ("start" or "end"), as in
 * numcodecs.
 */
export function checksumEntry(
  name: string,
  defaultLocation: ChecksumLocation,
  checksum: Checksum,
  forms: CodecForms,
): CodecEntry {
  return {
    codecKind: "bytes_to_bytes",
    forms,
    load: loadChecksums,
    fromConfig(configuration: JsonObject) {
      readConfiguration(name, configuration, ["location"]);
      const location = readChoice(name, configuration, "location", ["start", "end", null], null);
      return checksumCodec(name, location ?? defaultLocation, checksum);
    },
  };
}

const entry = /* @__PURE__ */ checksumEntry("crc32c", "end", crc32c, {
  both: {
    // v3 has no checksum at the start, which numcodecs allows.
    toV3: ({ location = "end" }) => (location === "end" ? {} : undefined),
    toNumcodecs: () => ({}),
  },
});
export default entry;

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}

const kernelModule = /* @__PURE__ */ lazyKernelModule("checksums", checksumsModule);

/** Loads the WASM module; without it the functions below run in JavaScript, at about a tenth of the speed. */
export async function loadChecksums(kernels: Kernels): Promise<void> {
  const module = await kernelModule.load(kernels);
  module?.exports.initialiseTables?.();
}

/** CRC-32C (Castagnoli). */
export function crc32c(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.crc32c?.(0, address, bytes.length)) ??
    crc32cFallback(bytes)
  );
}

/** CRC-32 (IEEE 802.3). */
export function crc32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.crc32?.(0, address, bytes.length)) ??
    crc32Fallback(bytes)
  );
}

export function adler32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.adler32?.(1, address, bytes.length)) ??
    adler32Fallback(bytes)
  );
}

type Exports = Readonly<Record<string, (...args: number[]) => number>>;

/**
 * Runs `call` on `bytes` in the arena, and returns its result as u32. Undefined if the WASM module is not
 * loaded or the arena is full.
 */
export function run(
  kernels: Kernels,
  bytes: Uint8Array,
  call: (exports: Exports, address: number) => number | undefined,
): number | undefined {
  const module = kernelModule.of(kernels);
  if (module === undefined) return undefined;
  const mark = kernels.mark();
  const address = inArena(kernels, module, bytes);
  const result = address === undefined ? undefined : call(module.exports, address);
  kernels.release(mark);
  return result === undefined ? undefined : result >>> 0;
}
