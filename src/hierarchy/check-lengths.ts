/** Shapes as users give them. */
import { InvalidArgumentError } from "../errors.js";
import { product } from "../product.js";

/**
 * @param minimum of each length
 * @param name of the argument, for the message
 * @throws InvalidArgumentError
 */
export function checkLengths(lengths: readonly number[], minimum: number, rank: number, name: string): void {
  const valid =
    lengths.length === rank && lengths.every((length) => Number.isSafeInteger(length) && length >= minimum);
  const count = product(lengths);
  if (valid && Number.isSafeInteger(count)) return;
  throw new InvalidArgumentError(
    `${name}: expected ${rank} integers of at least ${minimum} with a product below 2^53, got [${lengths.join(", ")}]`,
  );
}
