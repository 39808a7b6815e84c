/** Statistics of numbers of which some are missing. */
import { MISSING } from "./shader.js";

export interface Statistics {
  /** NaN if all are missing, as are the other two. */
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Elements that are not missing. */
  readonly count: number;
}

export function statisticsOf(parts: Iterable<ArrayLike<number>>): Statistics {
  let [minimum, maximum, sum, count] = [Infinity, -Infinity, 0, 0];
  for (const part of parts)
    for (let i = 0; i < part.length; i++) {
      const value = part[i];
      if (value === undefined || value === MISSING || Number.isNaN(value)) continue;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
      sum += value;
      count++;
    }
  if (count === 0) [minimum, maximum] = [Number.NaN, Number.NaN];
  return { minimum, maximum, mean: sum / count, count };
}
