// A PNG of 8-bit RGB pixels, as small as one can write it: https://www.w3.org/TR/png-3/
import { deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Filter "up": each byte as the difference from that above it, which smooth pictures compress well with. */
const UP = 2;

/**
 * @param {Uint8Array} pixels red, green, blue of every pixel, row by row
 * @returns {Uint8Array} the file
 */
export function encodePng(pixels, width, height) {
  const rowLength = 3 * width;
  const filtered = new Uint8Array((rowLength + 1) * height);
  for (let y = 0; y < height; y++) {
    const target = y * (rowLength + 1);
    filtered[target] = UP;
    for (let i = 0; i < rowLength; i++) {
      const above = y === 0 ? 0 : pixels[(y - 1) * rowLength + i];
      filtered[target + 1 + i] = pixels[y * rowLength + i] - above;
    }
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8); // bits a sample
  header.setUint8(9, 2); // red, green, blue
  const parts = [
    SIGNATURE,
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(filtered)),
    chunk("IEND", new Uint8Array(0)),
  ];
  return Buffer.concat(parts);
}

function chunk(name, data) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255];
  return ~crc >>> 0;
}
