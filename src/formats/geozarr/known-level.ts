/** What is known of a level once the nodes around it were asked. */
import type { ZarrError } from "../../index.js";
import type { PlaneAxes } from "./axes.js";
import type { Crs } from "./crs.js";
import type { LevelFacts } from "./levels.js";

/** A level with the attributes that were found around it. */
export interface Known extends LevelFacts {
  readonly crs: Crs | undefined;
  /** As far as names tell. */
  readonly axes: PlaneAxes | undefined;
  readonly warnings: string[];
  /** What is malformed, and was ignored. */
  readonly malformed: ZarrError[];
}

export const note =
  ({ warnings, malformed }: Pick<Known, "warnings" | "malformed">) =>
  (error: ZarrError): void => {
    warnings.push(`${error.message}: ignored`);
    malformed.push(error);
  };
