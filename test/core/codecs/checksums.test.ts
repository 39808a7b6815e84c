import { describe, expect, it } from "vitest";
import * as fallbacks from "../../../src/core/codecs/checksums/fallback.js";
import fixtures from "../../fixtures/codecs/checksums.json" with { type: "json" };
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame } from "./harness.js";
import { makeData, recipeNamed } from "./recipes.js";
import { CRC32, CRC32C, referenceCrc } from "./reference-crc.js";

const [wasm, javascript] = await bothKernels();
describe.each([wasm, javascript])("$name", (kernels) => {
  it.each(fixtures.cases)("$codec $configuration of $length $recipe bytes is numcodecs'", async (fixture) => {
    const data = makeData(recipeNamed(fixture.recipe), fixture.length);
    const codec = await bytesCodec(kernels, fixture.codec, fixture.configuration);
    const encoded = encode(kernels, codec, data);
    const checksum = Uint8Array.from({ length: 4 }, (_, i) =>
      Number.parseInt(fixture.checksum.slice(2 * i, 2 * i + 2), 16),
    );
    const expected = new Uint8Array(data.length + 4);
    expected.set(fixture.start ? checksum : data);
    expected.set(fixture.start ? data : checksum, fixture.start ? 4 : data.length);
    expectSame(encoded, expected);
    expect(codec.encodedByteLength?.(data.length)).toBe(expected.length);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: data.length }), data);
  });

  it.each(["crc32c", "crc32", "adler32", "fletcher32", "jenkins_lookup3"])(
    "%s: any changed bit is refused",
    async (name) => {
      const codec = await bytesCodec(kernels, name);
      for (const length of [1, 64, 9000]) {
        const encoded = encode(kernels, codec, makeData("noise", length));
        for (let bit = 0; bit < encoded.length * 8; bit += length > 64 ? 1009 : 1) {
          const damaged = encoded.slice();
          damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(decodeBoth(kernels, codec, damaged, { byteLength: length })).toMatch(
            /expected the stored checksum 0x.*, got 0x/,
          );
        }
        expect(decodeBoth(kernels, codec, encoded.subarray(1), { byteLength: length - 1 })).toMatch(
          /expected/,
        );
      }
      for (let length = 0; length < 4; length++) {
        expect(decodeBoth(kernels, codec, new Uint8Array(length), { byteLength: 0 })).toMatch(
          /at least the 4 bytes of a checksum, got/,
        );
      }
    },
  );

  it("fletcher32 of an odd number of bytes: HDF5's, and that of zarrs, which leaves the last byte out", async () => {
    const codec = await bytesCodec(kernels, "fletcher32");
    // h5py 3.16 and zarrs 0.23.14 of 1 to 7.
    const [hdf5, zarrs] = [
      [0x0c, 0x10, 0x20, 0x1e],
      [0x0c, 0x09, 0x14, 0x0e],
    ];
    const data = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);
    expectSame(encode(kernels, codec, data), Uint8Array.of(...data, ...(hdf5 ?? [])));
    for (const checksum of [hdf5, zarrs]) {
      const encoded = Uint8Array.of(...data, ...(checksum ?? []));
      expectSame(decodeBoth(kernels, codec, encoded, { byteLength: 7 }), data);
    }
    const even = Uint8Array.of(...data.subarray(0, 6), ...(zarrs ?? []));
    even[5] = 7;
    expect(decodeBoth(kernels, codec, even, { byteLength: 6 })).toMatch(/expected the stored checksum/);
  });

  it("works where the arena has no room", async () => {
    const data = makeData("field", 2_000_000);
    const codec = await bytesCodec(kernels, "crc32c");
    const encoded = encode(kernels, codec, data);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: data.length, room: 0 }), data);
  });

  it("refuses configurations it does not know", async () => {
    for (const [name, configuration] of [
      ["crc32c", { location: "middle" }],
      ["crc32", { position: "end" }],
      ["fletcher32", { location: "end" }],
      ["jenkins_lookup3", { initval: -1 }],
      ["jenkins_lookup3", { initval: 2 ** 32 }],
      ["jenkins_lookup3", { prefix: [256] }],
      ["jenkins_lookup3", { prefix: "abc" }],
    ] as const) {
      await expect(bytesCodec(kernels, name, configuration)).rejects.toMatchObject({
        tag: "InvalidMetadataError",
        codec: name,
      });
    }
  });
});

describe("fallbacks against bit by bit", () => {
  it("both CRCs at every length to 65, skew to 7, and continued", () => {
    const data = makeData("noise", 80);
    for (let length = 0; length <= 65; length++) {
      const bytes = data.subarray(length % 8, (length % 8) + length);
      expect(fallbacks.crc32cFallback(bytes)).toBe(referenceCrc(bytes, CRC32C));
      expect(fallbacks.crc32Fallback(bytes)).toBe(referenceCrc(bytes, CRC32));
      const middle = length >> 1;
      expect(
        fallbacks.crc32cFallback(bytes.subarray(middle), fallbacks.crc32cFallback(bytes.subarray(0, middle))),
      ).toBe(fallbacks.crc32cFallback(bytes));
      expect(
        fallbacks.crc32Fallback(bytes.subarray(middle), fallbacks.crc32Fallback(bytes.subarray(0, middle))),
      ).toBe(fallbacks.crc32Fallback(bytes));
      expect(
        fallbacks.adler32Fallback(
          bytes.subarray(middle),
          fallbacks.adler32Fallback(bytes.subarray(0, middle)),
        ),
      ).toBe(fallbacks.adler32Fallback(bytes));
    }
  });
});
