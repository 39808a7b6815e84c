/** Shapes as users give them. */
import { describe, InvalidArgumentError } from "../errors.js";
import { product } from "../shape.js";

/**
 * @param minimum of each length
 * @param name of the argument, for the message
 * @throws InvalidArgumentError
 */
export function checkLengths(lengths: readonly number[], minimum: number, rank: number, name: string): void {
  checkIsList(lengths, name);
  const valid =
    lengths.length === rank && lengths.every((length) => Number.isSafeInteger(length) && length >= minimum);
  if (valid && Number.isSafeInteger(product(lengths))) return;
  throw new InvalidArgumentError(
    `${name}: expected ${rank} integers of at least ${minimum} with a product below 2^53, got [${lengths.map(describe).join(", ")}]`,
  );
}

/** @throws InvalidArgumentError for a length where a list of them belongs */
export function checkIsList(lengths: readonly unknown[], name: string): void {
  if (Array.isArray(lengths)) return;
  throw new InvalidArgumentError(
    `${name}: expected a list of lengths, one for each dimension, got ${describe(lengths)}`,
  );
}
