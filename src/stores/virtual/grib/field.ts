/** What a field of a GRIB message is: which parameter, at which level, when, and on which grid. */
import type { Section } from "../../../codecs/for-stores.js";
import type { VirtualChunk } from "../port.js";
import type { Level } from "./levels.js";
import type { Parameter } from "./parameters.js";

export interface GribField {
  readonly edition: 1 | 2;
  /** The number of the centre (common code table C-11). */
  readonly centre: number;
  readonly parameter: Parameter;
  readonly level: Level;
  /** As eccodes has it: "instant", "accum", "avg". */
  readonly stepType: string;
  /** The reference time, in seconds since 1970. */
  readonly time: number;
  /** From the reference time to the end of what the field is of, in hours. */
  readonly step: number;
  /** The member of an ensemble. */
  readonly number: number | undefined;
  readonly grid: GribGrid;
  /** A message whose first field is this one. */
  readonly chunk: VirtualChunk;
}

export interface GribGrid {
  /** The same for fields on the same grid. */
  readonly key: string;
  readonly points: number;
  /**
   * Section 3 of edition 2, of edition 1 what it would be; undefined for grids that edition 1 describes in
   * another way.
   */
  readonly section: Section | undefined;
}

/** Seconds since 1970. */
export function secondsOf([year, month, day, hour, minute, second]: readonly [
  number,
  number,
  number,
  number,
  number,
  number,
]): number {
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** Hours of a unit of time (code table 4.4, of edition 1 table 4); undefined for months and longer ones. */
export function hoursOf(unit: number): number | undefined {
  return new Map([
    [0, 1 / 60],
    [1, 1],
    [2, 24],
    [10, 3],
    [11, 6],
    [12, 12],
    [13, 1 / 3600],
    // Of edition 1: a quarter and half of an hour, a second.
    [14, 0.5],
    [254, 1 / 3600],
  ]).get(unit);
}

const STEP_TYPES = ["avg", "accum", "max", "min", "diff", "rms", "sd", "cov", "sdiff", "ratio", "stdanom"];

/** The name of a kind of statistical processing (code table 4.10); undefined: the field is of one moment. */
export function stepTypeOf(statistic: number | undefined): string {
  return statistic === undefined ? "instant" : (STEP_TYPES[statistic] ?? String(statistic));
}
