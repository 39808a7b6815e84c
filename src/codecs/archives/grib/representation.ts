/**
 * Section 5 of a GRIB field: how its values are packed. WMO's Manual on Codes, FM 92, data representation
 * templates 5.0 (simple packing), 5.2 and 5.3 (complex packing, with spatial differencing), 5.4 (IEEE), 5.40
 * (JPEG 2000), 5.41 (PNG), 5.42 (CCSDS) and 5.61 (simple packing of logarithms), and ECMWF's 5.50001 and
 * 5.50002 (second-order packing).
 */
import { UnsupportedError } from "../../../core/for-codecs.js";
import type { ImageFormat } from "./images.js";
import { checkScaling, power, type Scaling } from "./scaling.js";
import { readDifferences, readExtended, type SecondOrderPacking } from "./second-order.js";
import { damaged, type Section } from "./sections.js";

/** Fields of `width` bits, 0 to 32; 0 if all values are the reference. */
export interface SimplePacking extends Scaling {
  readonly kind: "simple";
  readonly width: number;
}

/** Samples of `width` bits, 1 to 32, as CCSDS 121.0-B compresses them. */
export interface CcsdsPacking extends Scaling {
  readonly kind: "ccsds";
  readonly width: number;
  /** libaec's: how they are compressed. */
  readonly flags: number;
  readonly blockSize: number;
  /** Blocks between reference samples. */
  readonly referenceInterval: number;
}

/** Groups of values, each with a reference, a width and a length. */
export interface ComplexPacking extends Scaling {
  readonly kind: "complex";
  readonly groups: number;
  readonly referenceBits: number;
  readonly leastWidth: number;
  readonly widthBits: number;
  readonly leastLength: number;
  readonly lengthBits: number;
  readonly lengthIncrement: number;
  readonly lastLength: number;
  /** How many of the greatest values of each group mean that there is no value: 0, 1 or 2. */
  readonly sentinels: number;
  /** Order of spatial differencing; 0 without it. */
  readonly order: number;
  /** Bytes of each number that stands before the groups, with spatial differencing. */
  readonly descriptorLength: number;
}

export interface IeeePacking {
  readonly kind: "ieee";
  /** Bytes of a value. */
  readonly itemSize: 4 | 8;
}

/** An image, whose samples are the integers. */
export interface ImagePacking extends Scaling {
  readonly kind: "image";
  readonly format: ImageFormat;
}

/** Fields whose values are logarithms, of values plus `added`. */
export interface LogarithmicPacking extends Omit<SimplePacking, "kind"> {
  readonly kind: "logarithmic";
  readonly added: number;
}

export type Packing =
  | SimplePacking
  | CcsdsPacking
  | ComplexPacking
  | IeeePacking
  | ImagePacking
  | LogarithmicPacking
  | SecondOrderPacking;

/** Templates that wazarr does not read. */
const OTHER_TEMPLATES: ReadonlyMap<number, string> = new Map([
  [1, "matrices of values"],
  [50, "spectral data"],
  [51, "spectral data"],
  [53, "spectral data"],
  [200, "run lengths"],
]);
const READ =
  "5.0 (simple), 5.2 and 5.3 (complex), 5.4 (IEEE), 5.40 (JPEG 2000), 5.41 (PNG), 5.42 (CCSDS), 5.61 (logarithms), 5.50001 and 5.50002 (second order)";
const WIDEST = 32;

/**
 * @param data section 7, where second-order packing has its groups
 * @param values that are packed
 * @throws UnsupportedError for other templates, CodecError for values that no field has
 */
export function readPacking(section: Section, data: Section, values: number): Packing {
  const template = section.uint16(9);
  switch (template) {
    case 0:
      return { kind: "simple", ...readScaling(section), width: readWidth(section, 19) };
    case 2:
    case 3:
      return readComplex(section, template === 3);
    case 4: {
      const precision = section.uint8(11);
      if (precision !== 1 && precision !== 2) {
        throw unsupported(`IEEE values of precision ${precision}`, "1 (32 bits) or 2 (64 bits)", section, 11);
      }
      return { kind: "ieee", itemSize: precision === 1 ? 4 : 8 };
    }
    // Numbers of NCEP before the Manual had 40 and 41.
    case 40:
    case 40000:
      return readImage(section, "JPEG 2000");
    case 41:
    case 40010:
      return readImage(section, "PNG");
    case 42:
      return readCcsds(section);
    case 61: {
      const added = section.float32(20);
      if (!Number.isFinite(added))
        throw damaged(`expected a finite number that logarithms are of, got ${added}`, section.offset + 20);
      return { kind: "logarithmic", ...readScaling(section), width: readWidth(section, 19), added };
    }
    case NOT_TURNED:
    case MAYBE_TURNED:
      return readSecondOrder(section, data, values, template === NOT_TURNED ? 31 : 32);
    default: {
      const name = OTHER_TEMPLATES.get(template);
      const got = `data representation template 5.${template}${name === undefined ? "" : ` (${name})`}`;
      throw unsupported(got, READ, section, 9);
    }
  }
}

function unsupported(got: string, expected: string, section: Section, at: number): UnsupportedError {
  const offset = section.offset + at;
  return new UnsupportedError(`wazarr does not read GRIB's ${got}, at byte ${offset}: it reads ${expected}`, {
    offset,
  });
}

function readScaling(section: Section): Scaling {
  const reference = section.float32(11);
  // Manual on Codes, 92.1.5: the first bit of a negative number is 1, and the others are its absolute value.
  const scale = power(2, section.signed(15, 2));
  const decimal = power(10, -section.signed(17, 2));
  return checkScaling({ reference, scale, decimal }, section.offset + 11);
}

/** Bits of a field. @throws CodecError for more than 32 */
export function readWidth(section: Section, at: number): number {
  const width = section.uint8(at);
  if (width <= WIDEST) return width;
  throw damaged(`expected at most ${WIDEST} bits, got ${width}`, section.offset + at);
}

function readComplex(section: Section, differences: boolean): ComplexPacking {
  const sentinels = section.uint8(22);
  if (sentinels > 2) {
    throw damaged(`expected missing values of kind 0, 1 or 2, got ${sentinels}`, section.offset + 22);
  }
  const order = differences ? section.uint8(47) : 0;
  if (differences && order !== 1 && order !== 2) {
    throw damaged(`expected differences of order 1 or 2, got ${order}`, section.offset + 47);
  }
  const descriptorLength = differences ? section.uint8(48) : 0;
  if (descriptorLength > 4) {
    throw damaged(`expected a descriptor of at most 4 bytes, got ${descriptorLength}`, section.offset + 48);
  }
  return {
    kind: "complex",
    ...readScaling(section),
    referenceBits: readWidth(section, 19),
    sentinels,
    groups: section.uint32(31),
    leastWidth: section.uint8(35),
    widthBits: readWidth(section, 36),
    leastLength: section.uint32(37),
    lengthIncrement: section.uint8(41),
    lastLength: section.uint32(42),
    lengthBits: readWidth(section, 46),
    order,
    descriptorLength,
  };
}

function readImage(section: Section, format: ImageFormat): ImagePacking | SimplePacking {
  const scaling = readScaling(section);
  // Without an image; the image says itself how many bits it has.
  if (readWidth(section, 19) === 0) return { kind: "simple", ...scaling, width: 0 };
  return { kind: "image", ...scaling, format };
}

/** ECMWF's templates: the second has flags before the order of differencing. */
const NOT_TURNED = 50001;
const MAYBE_TURNED = 50002;

/** Whether a field in second-order packing has every other line from its end. */
export const hasTurnedLines = (section: Section): boolean =>
  section.uint16(9) === MAYBE_TURNED && (section.uint8(31) & 0x80) !== 0;

function readSecondOrder(section: Section, data: Section, values: number, orderAt: number): Packing {
  const scaling = readScaling(section);
  // 5.50001 ends there without bits, as a constant field has none.
  if (readWidth(section, 19) === 0 || section.uint32(21) === 0)
    return { kind: "simple", ...scaling, width: 0 };
  const { first, bias } = readDifferences(section, orderAt + 1, section.uint8(orderAt));
  const lists = {
    ...{ groups: section.uint32(21), widthOfReferences: section.uint8(20) },
    ...{ widthOfWidths: section.uint8(29), widthOfLengths: section.uint8(30) },
  };
  const groups = readExtended(data.bytes.subarray(5), lists, values, data.offset + 5);
  return { kind: "second order", ...scaling, ...groups, first, bias };
}

/** Bits of the flags that change which samples there are: signed ones. Others are order of bytes. */
const SIGNED = 1;

function readCcsds(section: Section): CcsdsPacking | SimplePacking {
  const scaling = readScaling(section);
  const width = readWidth(section, 19);
  if (width === 0) return { kind: "simple", ...scaling, width };
  const flags = section.uint8(21);
  const blockSize = section.uint8(22);
  const referenceInterval = section.uint16(23);
  if (flags & SIGNED) throw unsupported("signed CCSDS samples", "unsigned ones", section, 21);
  if (blockSize === 0 || blockSize % 2 !== 0 || blockSize > 64) {
    throw damaged(
      `expected blocks of 2 to 64 samples, an even number, got ${blockSize}`,
      section.offset + 22,
    );
  }
  if (referenceInterval === 0 || referenceInterval > 4096) {
    throw damaged(
      `expected 1 to 4096 blocks between reference samples, got ${referenceInterval}`,
      section.offset + 23,
    );
  }
  return { kind: "ccsds", ...scaling, width, flags, blockSize, referenceInterval };
}
