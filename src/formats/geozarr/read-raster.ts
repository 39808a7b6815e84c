/** Reads where the levels of a raster lie, from what metadata and coordinates say (facts.ts). */
import { describe, itemAt } from "../../extend.js";
import { InvalidMetadataError, isZarrError, type ZarrError } from "../../index.js";
import { areDegrees } from "./axes.js";
import { type Crs, WGS84 } from "./crs.js";
import { type Conversation, type NodeFacts, together } from "./facts.js";
import { Grid } from "./grid.js";
import type { Known } from "./known-level.js";
import { type LevelFacts, levelsAt } from "./levels.js";
import { fitsDegrees, locate, signsOf } from "./locate.js";
import { likeModel, lookAround, type RasterChoice } from "./look-around.js";
import type { neededLevels, StatedLevel } from "./needed-levels.js";
import type { PlacedLevel, PlacedRaster, UnplacedLevel } from "./placed.js";
import { derive, isDerived, type Place, shapeOf, stateOf } from "./stated-place.js";

/**
 * @param find `levelsAt`, or `neededLevels` if each question takes a request
 * @throws NotFoundError, InvalidMetadataError, InvalidArgumentError
 */
export function* readRaster(
  start: NodeFacts,
  choice: RasterChoice,
  find: typeof neededLevels,
): Conversation<PlacedRaster> {
  const warnings: string[] = [];
  const levels = yield* knownLevels(yield* find(start, choice.variable), choice, warnings);
  // By asset; the first of several items of the same name counts.
  const indices = new Map(levels.map(({ derivation }, i) => [derivation?.asset, i] as const).reverse());
  const rootOf = (level: Known, i: number): number =>
    isDerived(level) ? (indices.get(level.derivation?.root) ?? i) : i;
  const located = yield* together(
    levels.map((level, i) => settle(level, stateOf(level, i === 0), rootOf(level, i) === i)),
  );
  const places = yield* together(
    levels.map((level, i) => {
      const known = located[i];
      if (known?.reason !== undefined) return settled(known);
      return settle(level, known?.place ?? derive(level, located[rootOf(level, i)]?.place), true);
    }),
  );
  const crs =
    places.find(({ place }) => place?.crs !== undefined)?.place?.crs ??
    levels.find((level) => level.crs !== undefined)?.crs ??
    (levels.some(
      ({ array, axes }, i) => axes && areDegrees(array.dimensions, axes) && fitsDegrees(places[i]?.place),
    )
      ? WGS84
      : undefined);
  const placed: PlacedLevel[] = [];
  const unplaced: UnplacedLevel[] = [];
  for (const [i, level] of levels.entries()) {
    const { place, reason } = places[i] ?? {};
    try {
      if (reason !== undefined) throw reason;
      if (place !== undefined) placed.push(gridOf(level, place, place.crs ?? crs));
    } catch (error) {
      if (!isZarrError(error, ...REASONS)) throw error;
      unplaced.push(unplacedOf(level, error));
    }
  }
  const area = ({ grid: { resolution } }: PlacedLevel): number => resolution[0] * resolution[1];
  return {
    levels: placed.sort((a, b) => area(a) - area(b)),
    unplaced,
    crs,
    warnings: [...new Set(warnings)],
  };
}

function* knownLevels(
  levels: readonly (LevelFacts | StatedLevel)[],
  choice: RasterChoice,
  warnings: string[],
): Conversation<Known[]> {
  const read = levels.filter((level): level is LevelFacts => !isStated(level));
  const looked = yield* together(read.map((level) => lookAround(level, choice, warnings)));
  const known = new Map(read.map((level, i) => [level, itemAt(looked, i)]));
  const knownOf = (level: LevelFacts): Known => {
    const found = known.get(level);
    if (found !== undefined) return found;
    throw new TypeError("internal error: a level that was not read");
  };
  return levels.map((level) => (isStated(level) ? likeModel(level, knownOf(level.model)) : knownOf(level)));
}

function isStated(level: LevelFacts | StatedLevel): level is StatedLevel {
  return "model" in level;
}

const REASONS = ["InvalidMetadataError", "UnsupportedError"] as const;

/** A place, or why there is none. Neither for a level whose place depends on another's. */
interface Settled {
  readonly place?: Place | undefined;
  readonly reason?: ZarrError | undefined;
}

// biome-ignore lint/correctness/useYield: a conversation without a question
function* settled(known: Settled): Conversation<Settled> {
  return known;
}

function unplacedOf({ label, node, array, axes, crs }: Known, reason: ZarrError): UnplacedLevel {
  const { yAxis, xAxis } = axes ?? {};
  return { path: label, array: node.path, shape: array.shape, yAxis, xAxis, crs, reason };
}

function gridOf({ label, node, array }: Known, { axes, place }: Place, crs: Crs | undefined): PlacedLevel {
  const { yAxis, xAxis } = axes;
  const wraps = crs?.isGeographic === true ? 360 : undefined;
  const grid = new Grid({ crs, shape: shapeOf(array, axes), yAxis, xAxis, place, wraps });
  if (![...grid.bounds, ...grid.resolution].every(Number.isFinite))
    throw new InvalidMetadataError(`expected finite bounds, got ${describe(grid.bounds)}`, {
      path: node.path,
    });
  return { path: label, array: node.path, shape: array.shape, grid };
}

/** @param searches whether to look for a place that is not known */
function* settle(level: Known, place: Place | undefined, searches: boolean): Conversation<Settled> {
  if (place !== undefined || !searches) return { place };
  try {
    return { place: yield* locate(level) };
  } catch (error) {
    if (!isZarrError(error, ...REASONS)) throw error;
    return { reason: level.malformed[0] ?? error };
  }
}

/** Why a variable has no place, as far as metadata tell; undefined if it has one. */
export function* problemOf(
  start: NodeFacts,
  variable: string | undefined,
): Conversation<ZarrError | undefined> {
  try {
    const [first] = yield* levelsAt(start, variable);
    if (first === undefined) return undefined;
    const known = yield* lookAround(first, { variable }, []);
    if (stateOf(known, true) === undefined) yield* signsOf(known);
    return undefined;
  } catch (error) {
    if (isZarrError(error, "UnsupportedError", "InvalidMetadataError")) return error;
    throw error;
  }
}
