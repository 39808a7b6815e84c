/** Arrays in JavaScript: assembly/zfp.ts with the same bits. */
import { failure, TRUNCATED } from "../../../../core/for-codecs.js";
import type { ZfpArray } from "../array.js";
import { PlaneReader } from "./planes.js";
import { type Block, orderCoefficients, transformOf } from "./transform.js";
import { type Form, storeOf } from "./values.js";

/** Exponents of the lowest plane below this one say that the mode is reversible. */
const LEAST_EXPONENT = -1074;

/**
 * @param order where in a block each coefficient belongs
 * @returns how many bytes were read, or a failure
 */
export function decode(target: Uint8Array, source: Uint8Array, array: ZfpArray, order: Uint8Array): number {
  const { type, shape, start } = array;
  const size = 4 ** shape.length;
  const reader = new PlaneReader(source, start);
  const coefficients = blockOf(size, type.width);
  const block = blockOf(size, type.width);
  const isReversible = array.limits.exponent < LEAST_EXPONENT;
  const transform = transformOf(block, isReversible);
  const store = storeOf(target, block);
  const [nx = 1, ny = 1, nz = 1, nw = 1] = [...shape].reverse();
  for (let w = 0; w < nw; w += 4) {
    for (let z = 0; z < nz; z += 4) {
      for (let y = 0; y < ny; y += 4) {
        for (let x = 0; x < nx; x += 4) {
          const form = readBlock(reader, coefficients, array, isReversible);
          if (reader.reached > source.length) return failure(TRUNCATED, source.length);
          if (form.hasPlanes) {
            orderCoefficients(block, coefficients, order);
            transform();
          } else {
            block.low.fill(0);
            block.high?.fill(0);
          }
          for (let l = 0; l < 4 && w + l < nw; l++) {
            for (let k = 0; k < 4 && z + k < nz; k++) {
              for (let j = 0; j < 4 && y + j < ny; j++) {
                const to = (((w + l) * nz + z + k) * ny + y + j) * nx + x;
                store(to, 16 * l + 4 * k + j, Math.min(4, nx - x), form);
              }
            }
          }
        }
      }
    }
  }
  return reader.reached;
}

const blockOf = (size: number, width: 32 | 64): Block => ({
  low: new Int32Array(size),
  high: width === 64 ? new Int32Array(size) : undefined,
});

/** Reads a block's coefficients, and how its integers stand for values. */
function readBlock(
  reader: PlaneReader,
  coefficients: Block,
  { type, shape, limits }: ZfpArray,
  isReversible: boolean,
): Form {
  const begin = reader.bit;
  const form = type.isFloat ? readForm(reader, type.width, isReversible) : INTEGERS;
  if (form.hasPlanes) {
    let { precision } = limits;
    if (isReversible) precision = 1 + reader.readBits(type.width === 32 ? 5 : 6);
    else if (form.kind === "scaled") {
      const planes = form.highest - limits.exponent + 2 * (shape.length + 1);
      precision = Math.min(precision, Math.max(0, planes));
    }
    reader.readPlanes(coefficients, precision, Math.max(0, limits.maximumBits - (reader.bit - begin)));
  }
  const end = begin + limits.minimumBits;
  if (reader.bit < end) reader.skipTo(end);
  // In the reversible mode the lowest exponent says that all values are 0, whatever the planes say.
  const isZero =
    isReversible && form.kind === "scaled" && form.highest === (type.width === 32 ? -127 : -1023);
  return isZero ? ZEROS : form;
}

const INTEGERS: Form = { kind: "integers", hasPlanes: true, highest: 0 };
const ZEROS: Form = { kind: "integers", hasPlanes: false, highest: 0 };
const SIGN_MAGNITUDE: Form = { kind: "sign and magnitude", hasPlanes: true, highest: 0 };

function readForm(reader: PlaneReader, width: 32 | 64, isReversible: boolean): Form {
  if (reader.readBits(1) === 0) return ZEROS;
  if (isReversible && reader.readBits(1) > 0) return SIGN_MAGNITUDE;
  const highest = width === 32 ? reader.readBits(8) - 127 : reader.readBits(11) - 1023;
  return { kind: "scaled", hasPlanes: true, highest };
}
