/** Samples of JPEG 2000 of more than 16 bits. */
import { at, int32At } from "../../../../core/for-codecs.js";
import type { Section } from "../sections.js";
import { decodeBlock } from "./code-block.js";
import { readCodestream } from "./codestream.js";
import { readPackets, type Subband, subbandsOf } from "./packets.js";
import { inverse } from "./wavelet.js";

/**
 * Decodes an image without loss.
 * @param samples as many as the image has, which the caller has compared
 * @throws CodecError for damaged images, UnsupportedError for those that are not read
 */
export function decodeWide(image: Section, samples: Uint32Array): void {
  const stream = readCodestream(image);
  const { width, height, levels, bits, hasSegmentationSymbols, offset } = stream;
  const resolutions = subbandsOf(stream);
  readPackets(stream, resolutions);
  const numbers = new Int32Array(width * height);
  const store = (band: Subband, place: (x: number, y: number) => number): void => {
    const coding = { ...band, hasSegmentationSymbols, offset };
    for (const block of band.blocks)
      decodeBlock(block, coding, (x, y, value) => {
        numbers[place(x, y)] = value;
      });
  };
  for (const band of at(resolutions, 0)) store(band, (x, y) => y * width + x);
  for (let r = 1; r <= levels; r++) {
    const [columns, rows] = [width, height].map((length) => Math.ceil(length / 2 ** (levels - r)));
    interleave(numbers, width, columns ?? 0, rows ?? 0);
    for (const band of at(resolutions, r)) {
      const [right, down] = [band.orientation === "LH" ? 0 : 1, band.orientation === "HL" ? 0 : 1];
      store(band, (x, y) => (2 * y + down) * width + 2 * x + right);
    }
    inverse(numbers, width, columns ?? 0, rows ?? 0);
  }
  const middle = 2 ** (bits - 1);
  const greatest = 2 ** bits - 1;
  // OpenJPEG loses a bit of some images of 27 bits when it writes them.
  for (const [i, number] of numbers.entries()) samples[i] = Math.max(0, Math.min(greatest, number + middle));
}

/** Moves the numbers of a resolution to the even rows and columns of the next, from the last. */
function interleave(numbers: Int32Array, stride: number, columns: number, rows: number): void {
  for (let y = Math.ceil(rows / 2) - 1; y >= 0; y--) {
    for (let x = Math.ceil(columns / 2) - 1; x >= 0; x--) {
      const from = y * stride + x;
      const value = int32At(numbers, from);
      numbers[from] = 0;
      numbers[2 * y * stride + 2 * x] = value;
    }
  }
}
