/** Packets of JPEG 2000 (ISO/IEC 15444-1, Annex B): which bytes each code-block has. */
import { at } from "../../../../core/for-codecs.js";
import { damaged } from "../sections.js";
import type { Codestream } from "./codestream.js";
import { BitReader, TagTree } from "./tag-tree.js";

/** A rectangle of a subband, which is coded by itself. */
export interface CodeBlock {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Bytes of its passes, in the order of layers. */
  readonly segments: Uint8Array[];
  passes: number;
  /** Greatest bit planes that are all zeros. */
  zeroPlanes: number;
  /** Bits of the next length, less those that the number of passes adds. */
  lengthBits: number;
}

export type Orientation = "LL" | "HL" | "LH" | "HH";

export interface Subband {
  readonly orientation: Orientation;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly blocks: readonly CodeBlock[];
  readonly columns: number;
  readonly inclusion: TagTree;
  readonly zeroPlanes: TagTree;
}

const ceilShift = (length: number, power: number): number => Math.ceil(length / 2 ** power);

/** The subbands by resolution, from the smallest. */
export function subbandsOf(stream: Codestream): readonly (readonly Subband[])[] {
  const { width, height, levels } = stream;
  const band = (orientation: Orientation, level: number, index: number): Subband => {
    // Every other sample from the second on is high-pass.
    const lengthOf = (length: number, isHigh: boolean): number =>
      level === 0 ? length : ceilShift(isHigh ? length - 2 ** (level - 1) : length, level);
    const size = [
      lengthOf(width, orientation === "HL" || orientation === "HH"),
      lengthOf(height, orientation === "LH" || orientation === "HH"),
    ].map((length) => Math.max(0, length));
    return subband(stream, orientation, at(size, 0), at(size, 1), at(stream.planes, index));
  };
  return Array.from({ length: levels + 1 }, (_, r) => {
    if (r === 0) return [band("LL", levels, 0)];
    const level = levels - r + 1;
    return (["HL", "LH", "HH"] as const).map((each, i) => band(each, level, 3 * r - 2 + i));
  });
}

function subband(
  { blockWidth, blockHeight }: Codestream,
  orientation: Orientation,
  width: number,
  height: number,
  planes: number,
): Subband {
  const [columns, rows] = [ceilShift(width, blockWidth), ceilShift(height, blockHeight)];
  const blocks = Array.from({ length: columns * rows }, (_, i): CodeBlock => {
    const [x, y] = [(i % columns) * 2 ** blockWidth, Math.floor(i / columns) * 2 ** blockHeight];
    return {
      ...{
        x,
        y,
        width: Math.min(2 ** blockWidth, width - x),
        height: Math.min(2 ** blockHeight, height - y),
      },
      ...{ segments: [], passes: 0, zeroPlanes: 0, lengthBits: 3 },
    };
  });
  const tree = () => new TagTree(columns, rows);
  return { orientation, width, height, planes, blocks, columns, inclusion: tree(), zeroPlanes: tree() };
}

/** Gives the code-blocks their bytes. @throws CodecError for damaged packets */
export function readPackets(stream: Codestream, resolutions: readonly (readonly Subband[])[]): void {
  const { layers, byLayer, packets, offset } = stream;
  const reader = new BitReader(packets, offset);
  const [outer, inner] = byLayer ? [layers, resolutions.length] : [resolutions.length, layers];
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const [layer, resolution] = byLayer ? [i, j] : [j, i];
      readPacket(reader, at(resolutions, resolution), layer);
    }
  }
}

function readPacket(reader: BitReader, bands: readonly Subband[], layer: number): void {
  reader.skipMarker(0xff91, 6);
  const lengths: [CodeBlock, number][] = [];
  if (reader.bit() === 1) {
    for (const band of bands) {
      for (const [i, block] of band.blocks.entries()) {
        const [column, row] = [i % band.columns, Math.floor(i / band.columns)];
        const isFirst = block.passes === 0;
        const isIn = isFirst ? band.inclusion.isBelow(reader, column, row, layer + 1) : reader.bit() === 1;
        if (!isIn) continue;
        if (isFirst) block.zeroPlanes = zeroPlanesOf(reader, band, column, row);
        const passes = readPasses(reader);
        while (reader.bit() === 1) block.lengthBits++;
        const bits = block.lengthBits + Math.floor(Math.log2(passes));
        if (bits > 31) throw damaged(`expected a length of at most 31 bits, got ${bits}`, reader.offset);
        lengths.push([block, reader.bits(bits)]);
        block.passes += passes;
      }
    }
  }
  reader.align();
  reader.skipMarker(0xff92, 2);
  for (const [block, length] of lengths) block.segments.push(reader.take(length));
}

function zeroPlanesOf(reader: BitReader, band: Subband, column: number, row: number): number {
  for (let planes = 0; planes <= band.planes; planes++)
    if (band.zeroPlanes.isBelow(reader, column, row, planes + 1)) return planes;
  throw damaged(`expected at most ${band.planes} bit planes without a bit`, reader.offset);
}

/** The number of passes, 1 to 164. */
function readPasses(reader: BitReader): number {
  if (reader.bit() === 0) return 1;
  if (reader.bit() === 0) return 2;
  const two = reader.bits(2);
  if (two < 3) return 3 + two;
  const five = reader.bits(5);
  return five < 31 ? 6 + five : 37 + reader.bits(7);
}
