/**
 * What modes of zfp are to a decoder (https://zfp.readthedocs.io, "Compression Modes"): four limits. The
 * codec `zfp` has them in its configuration, data with a header there.
 */

import {
  isIntegerIn,
  type JsonObject,
  readChoice,
  readConfiguration,
  readInteger,
  wrongMember,
} from "../../../core/for-codecs.js";
import type { StoredType } from "./number-types.js";

export interface Limits {
  /** Bits of a block: a shorter one is followed by unused bits, a longer one ends early. */
  readonly minimumBits: number;
  readonly maximumBits: number;
  /** How many bit planes a block has at most, 1 to 64. */
  readonly precision: number;
  /** Floats: the exponent of the lowest bit plane. One below LEAST_EXPONENT means the reversible mode. */
  readonly exponent: number;
}

const LEAST_EXPONENT = -1074;
const MAXIMUM_PRECISION = 64;
/** No block is longer. */
const MAXIMUM_BITS = 16658;
/** The greatest limit in bits, so that sums of a few limits are integers of 32 bits. */
const GREATEST_BITS = 2 ** 28;

const WIDE: Limits = {
  minimumBits: 1,
  maximumBits: MAXIMUM_BITS,
  precision: MAXIMUM_PRECISION,
  exponent: LEAST_EXPONENT,
};

export const fixedRate = (bits: number): Limits => ({ ...WIDE, minimumBits: bits, maximumBits: bits });
export const fixedPrecision = (precision: number): Limits => ({ ...WIDE, precision });
export const fixedAccuracy = (exponent: number): Limits => ({ ...WIDE, exponent });
export const REVERSIBLE: Limits = fixedAccuracy(LEAST_EXPONENT - 1);

/** Whether a block of `type` has room for what it begins with. */
export const areLimits = ({ minimumBits, maximumBits, precision }: Limits, type: StoredType): boolean =>
  minimumBits <= maximumBits &&
  precision >= 1 &&
  precision <= MAXIMUM_PRECISION &&
  maximumBits >= leastBits(type);

/** The bits of a block of floats before its planes: whether it has any, and an exponent. */
const leastBits = ({ isFloat, width }: StoredType): number => (isFloat ? (width === 32 ? 9 : 12) : 0);

const MODES = ["reversible", "expert", "fixed_accuracy", "fixed_rate", "fixed_precision"] as const;

/** @throws InvalidMetadataError */
export function readLimits(
  codec: string,
  configuration: JsonObject,
  type: StoredType,
  dimensions: number,
): Limits {
  readConfiguration(codec, configuration, [
    ...["mode", "tolerance", "rate", "precision"],
    ...["minbits", "maxbits", "maxprec", "minexp"],
  ]);
  const mode = readChoice(codec, configuration, "mode", MODES);
  if (mode === "reversible") return REVERSIBLE;
  if (mode === "expert") return readExpert(codec, configuration, type);
  if (mode === "fixed_precision") {
    const { precision } = configuration;
    if (!isIntegerIn(precision, 0, 2 ** 32 - 1)) {
      throw wrongMember(codec, "precision", "an unsigned integer of 32 bits", precision);
    }
    return fixedPrecision(Math.min(precision || MAXIMUM_PRECISION, MAXIMUM_PRECISION));
  }
  if (mode === "fixed_accuracy") {
    const { tolerance } = configuration;
    if (typeof tolerance !== "number") throw wrongMember(codec, "tolerance", "a number", tolerance);
    return fixedAccuracy(tolerance > 0 ? exponentOf(tolerance) : LEAST_EXPONENT);
  }
  const { rate } = configuration;
  const bits = typeof rate === "number" ? Math.floor(4 ** dimensions * rate + 0.5) : -1;
  if (bits < 0 || bits > GREATEST_BITS)
    throw wrongMember(codec, "rate", "a number of bits for each value", rate);
  return fixedRate(Math.max(bits, leastBits(type)));
}

function readExpert(codec: string, configuration: JsonObject, type: StoredType): Limits {
  const read = (member: string, minimum: number, maximum: number): number => {
    if (configuration[member] === undefined) throw wrongMember(codec, member, "an integer", undefined);
    return readInteger(codec, configuration, member, { minimum, maximum, absent: 0 });
  };
  const limits: Limits = {
    minimumBits: read("minbits", 0, GREATEST_BITS),
    maximumBits: Math.min(read("maxbits", 0, 2 ** 32 - 1), GREATEST_BITS),
    precision: read("maxprec", 1, MAXIMUM_PRECISION),
    exponent: read("minexp", -(2 ** 20), 2 ** 20),
  };
  if (areLimits(limits, type)) return limits;
  const least = Math.max(limits.minimumBits, leastBits(type));
  throw wrongMember(codec, "maxbits", `an integer of at least ${least}`, configuration.maxbits);
}

/** The greatest integer whose power of 2 is at most `value`. */
function exponentOf(value: number): number {
  const near = Math.round(Math.log2(value));
  return 2 ** near > value ? near - 1 : near;
}
