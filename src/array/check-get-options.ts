/** Checks the options of reads that give elements as they are stored. */
import { InvalidArgumentError } from "../errors.js";
import { checkNames, type NamesOf } from "../option-names.js";
import type { DrawAsOptions, DrawnType } from "./draw-options.js";
import { GET, type GetOptions } from "./get-options.js";

/** Options that a read takes with `as` alone. */
const WITH_AS: NamesOf<Omit<DrawAsOptions<DrawnType>, keyof GetOptions | "as">> = {
  missing: true,
  missingAs: true,
  scale: true,
  offset: true,
  window: true,
  statistics: true,
};

/**
 * @throws InvalidArgumentError for an option that belongs to `as`, and for one that the function does not take
 */
export function checkGet(options: object | undefined, name: string): void {
  for (const option in options)
    if (Object.hasOwn(WITH_AS, option) && Reflect.get(options, option) !== undefined)
      throw new InvalidArgumentError(
        `${name}: ${option} needs as, the type of number to read: { as: "float32", ${option}: ... }`,
      );
  checkNames(options, name, GET);
}
