/** The fields of a message of edition 2, without their values. WMO's Manual on Codes, FM 92 GRIB. */

import { type Section, sectionOf } from "../../../codecs/for-stores.js";
import { type Extent, StoreError } from "../../../core/for-stores.js";
import type { VirtualChunk } from "../port.js";
import { type GribField, hoursOf, secondsOf, stepTypeOf } from "./field.js";
import { levelOf } from "./levels.js";
import type { GribBytes, GribMessage } from "./messages.js";
import { parameterOf } from "./parameters.js";

/** Bytes to read of a message at first: all sections before the values, but for reduced grids and bitmaps. */
const HEAD = 1024;
const INDICATOR = 16;
const HEADER = 5;
const END = 4;
/** Bytes of section 3 or 4: a grid of 100,000 rows. */
const LONGEST = 1 << 20;
const [LOCAL, GRID, PRODUCT, REPRESENTATION, BITMAP, DATA] = [2, 3, 4, 5, 6, 7];
const BITMAP_BEFORE = 254;

/** The last section of each number, as a field has them. */
type Sections = Map<number, Extent>;

/** @throws StoreError for a damaged message */
export async function* readFields(bytes: GribBytes, message: GribMessage): AsyncGenerator<GribField> {
  const { offset, length } = message;
  const end = offset + length - END;
  const head = await bytes.upTo(offset, Math.min(HEAD, length));
  const damaged = (at: number, reason: string): StoreError =>
    new StoreError(`${bytes.file.name}: damaged GRIB message at byte ${at}: ${reason}`, { offset: at });
  const read = async (at: number, count: number): Promise<Uint8Array> => {
    const start = at - offset;
    if (start + count <= head.length) return head.subarray(start, start + count);
    if (at + count > end + END || count > LONGEST)
      throw damaged(at, `expected a section in the message, got one of ${count} bytes`);
    return bytes.upTo(at, count);
  };
  const sections: Sections = new Map();
  let fields = 0;
  for (let at = offset + INDICATOR; at < end; ) {
    const header = sectionOf("a section", await read(at, HEADER), at);
    const [size, number] = [header.uint32(0), header.uint8(4)];
    if (number < 1 || number > DATA || size < HEADER || size > end - at)
      throw damaged(
        at,
        `expected section 1 to 7 of ${HEADER} to ${end - at} bytes, got section ${number} of ${size}`,
      );
    const bitmap = sections.get(BITMAP);
    const isRepeated =
      number === BITMAP && bitmap !== undefined && (await read(at, HEADER + 1))[HEADER] === BITMAP_BEFORE;
    if (!isRepeated) sections.set(number, { offset: at, length: size });
    at += size;
    if (number !== DATA) continue;
    fields++;
    const whole = fields === 1 && at === end ? { parts: [{ offset, length }] } : undefined;
    yield await fieldOf(message, sections, read, whole);
  }
  if (fields === 0) throw damaged(end, "expected section 7, got none");
}

type Read = (offset: number, length: number) => Promise<Uint8Array>;

async function fieldOf(
  { offset }: GribMessage,
  sections: Sections,
  read: Read,
  whole: VirtualChunk | undefined,
): Promise<GribField> {
  const section = async (number: number): Promise<Section> => {
    const extent = sections.get(number);
    if (extent === undefined)
      throw new StoreError(`damaged GRIB message at byte ${offset}: expected section ${number}, got none`, {
        offset,
      });
    return sectionOf(`section ${number}`, await read(extent.offset, extent.length), extent.offset);
  };
  const [identification, grid, product] = [await section(1), await section(GRID), await section(PRODUCT)];
  const discipline = (await read(offset, INDICATOR))[6];
  const centre = identification.uint16(5);
  const statistics = statisticsOf(product);
  const [upper, lower] = [product.uint8(22), product.uint8(28)];
  const value = surfaceValue(product, 23);
  const numbers = `${discipline}.${product.uint8(9)}.${product.uint8(10)}`;
  const time = timeAt(identification, 12);
  const statistic = statistics?.kind;
  return {
    edition: 2,
    centre,
    parameter: parameterOf(numbers, centre, statistic, upper, value),
    level: levelOf(upper, value, lower),
    stepType: stepTypeOf(statistic),
    time,
    step: statistics?.step ?? statistics?.until(time) ?? startOf(product),
    number: MEMBERS.has(product.uint16(7)) ? product.uint8(35) : undefined,
    grid: { key: textOf(grid), points: grid.uint32(6), section: grid },
    chunk: whole ?? (await alone(offset, sections, read)),
  };
}

const timeAt = (section: Section, at: number): number =>
  secondsOf([
    section.uint16(at),
    section.uint8(at + 2),
    section.uint8(at + 3),
    section.uint8(at + 4),
    section.uint8(at + 5),
    section.uint8(at + 6),
  ]);

/** The bytes of a section as a text: the same for sections that are equal. */
const textOf = ({ bytes }: Section): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** The value of a surface, with its decimal scale; undefined for a surface that has none. */
function surfaceValue(product: Section, at: number): number | undefined {
  const [scale, value] = [product.uint8(at), product.unsigned(at + 1, 4)];
  if (scale === 0xff || value === 0xffffffff) return undefined;
  const number = product.signed(at + 1, 4);
  // A division, because powers of ten below 1 are not exact.
  return scale < 0x80 ? number / 10 ** scale : number * 10 ** (scale - 0x80);
}

/** Templates of members of an ensemble. */
const MEMBERS: ReadonlySet<number> = new Set([
  1, 11, 33, 34, 41, 43, 45, 47, 49, 54, 56, 58, 60, 61, 63, 68, 71, 73,
]);

/** Where the templates of statistics (4.8 and so on) have the end of the time they are of. */
const STATISTICS: ReadonlyMap<number, number> = new Map([
  [8, 34],
  [9, 47],
  [10, 35],
  [11, 37],
  [12, 36],
  [13, 68],
  [14, 64],
  [42, 36],
  [43, 39],
  [46, 47],
  [47, 50],
  [61, 44],
  [67, 43],
  [68, 46],
]);

interface Statistics {
  readonly kind: number;
  /** Hours until the end of a time that is in one piece; undefined for others. */
  readonly step: number | undefined;
  /** Hours until the end that the section states. */
  until(time: number): number;
}

function statisticsOf(product: Section): Statistics | undefined {
  const at = STATISTICS.get(product.uint16(7));
  if (at === undefined) return undefined;
  const [ranges, kind, unit] = [product.uint8(at + 7), product.uint8(at + 12), product.uint8(at + 14)];
  const hours = hoursOf(unit);
  const length = product.uint32(at + 15);
  return {
    kind,
    step: ranges === 1 && hours !== undefined ? startOf(product) + length * hours : undefined,
    until: (time) => (timeAt(product, at) - time) / 3600,
  };
}

/** Hours from the reference time to the forecast, or to the start of its interval. */
function startOf(product: Section): number {
  return product.signed(18, 4) * (hoursOf(product.uint8(17)) ?? 0);
}

/** A message of one field out of one of several: the first section says how long it is. */
async function alone(offset: number, sections: Sections, read: Read): Promise<VirtualChunk> {
  const order = [1, LOCAL, GRID, PRODUCT, REPRESENTATION, BITMAP, DATA];
  const extents = order.flatMap((number) => sections.get(number) ?? []);
  const indicator = (await read(offset, INDICATOR)).slice();
  const length = extents.reduce((sum, extent) => sum + extent.length, INDICATOR + END);
  new DataView(indicator.buffer).setBigUint64(8, BigInt(length));
  return { parts: [indicator, ...extents, Uint8Array.of(55, 55, 55, 55)] };
}
