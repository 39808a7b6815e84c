/** A cell of HEALPix as a place in one of the twelve base faces. */
import { describe } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";

/**
 * Each base face is a square of 2^level by 2^level cells, which stands on a corner: x counts cells to the
 * north-east, y to the north-west, both from its southern corner. Faces 0 to 3 are around the North Pole, 4
 * to 7 on the equator, 8 to 11 around the South Pole, each from west to east.
 */
export interface Cell {
  /** From 0, for the twelve base faces themselves, to 29. */
  readonly level: number;
  /** From 0 to 11. */
  readonly face: number;
  /** From 0 to 2^level - 1. */
  readonly x: number;
  /** From 0 to 2^level - 1. */
  readonly y: number;
}

/** The level of which all indices still fit into 64 bits in each scheme. */
export const MOST_LEVEL = 29;
export const FACES = 12;

/** @throws InvalidArgumentError unless it is an integer from 0 to 29 */
export function checkLevel(level: number): number {
  if (Number.isInteger(level) && level >= 0 && level <= MOST_LEVEL) return level;
  throw new InvalidArgumentError(
    `level: expected an integer from 0 to ${MOST_LEVEL}, got ${describe(level)}`,
  );
}

/** @throws InvalidArgumentError unless it is an integer from 0 to 11 */
export function checkFace(face: number): number {
  if (Number.isInteger(face) && face >= 0 && face < FACES) return face;
  throw new InvalidArgumentError(`face: expected an integer from 0 to ${FACES - 1}, got ${describe(face)}`);
}

/**
 * The middle of a base face in the plane: quarter turns from Greenwich, and height, the poles at 1 and -1.
 */
export function middleOf(face: number): readonly [x: number, y: number] {
  const quarter = face % 4;
  if (face < 4) return [quarter + 0.5, 0.5];
  return face < 8 ? [quarter, 0] : [quarter + 0.5, -0.5];
}
