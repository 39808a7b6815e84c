/** Transformations between coordinate systems, with the fields of vectors that they need. */
import { checkNames, checkObject, describe, itemAt, STORE_OPTIONS, untilAborted } from "../../extend.js";
import { InvalidArgumentError, InvalidMetadataError, type Store, type StoreOptions } from "../../index.js";
import { ChunkCache } from "../../main/caches.js";
import type { OmeScene } from "./hierarchy.js";
import type { OmeImage } from "./image.js";
import { openOmeZarr } from "./open.js";
import type { SystemTransformation } from "./systems.js";
import { type AffineMap, applyMap } from "./transformations.js";
import { throughField, type VectorField, vectorField } from "./vector-field.js";

/** A transformation that is ready to be applied. `openTransformation` makes it. */
export class PointTransformation {
  readonly #parts: readonly (AffineMap | VectorField)[];
  readonly #cache = new ChunkCache({ maxBytes: 64 << 20 });
  readonly #rank: number | undefined;

  /** @param rank number of input coordinates; undefined if the first step takes any */
  constructor(parts: readonly (AffineMap | VectorField)[], rank: number | undefined) {
    this.#parts = parts;
    this.#rank = rank;
  }

  /**
   * The coordinates in the output system of points in the input system: one number for each axis. Points
   * outside of a field of vectors have NaN. A field is read around each point, and its chunks are kept (64
   * MiB at most).
   * @throws InvalidArgumentError for a point of another length, and what `get` throws
   */
  async apply(points: readonly (readonly number[])[], options: StoreOptions = {}): Promise<number[][]> {
    checkNames(options, "apply", STORE_OPTIONS);
    if (!Array.isArray(points))
      throw new InvalidArgumentError(`points: expected a list of points, got ${describe(points)}`);
    const reading = { signal: options.signal, cache: this.#cache };
    const done: number[][] = [];
    for (const point of points) {
      let at = this.#check(point);
      for (const part of this.#parts)
        at = "level" in part ? await throughField(part, at, reading) : applyMap(part, at);
      done.push(at);
    }
    return done;
  }

  #check(point: readonly number[]): number[] {
    const isPoint = Array.isArray(point) && point.every((value) => Number.isFinite(value));
    if (isPoint && (this.#rank === undefined || point.length === this.#rank)) return [...point];
    throw new InvalidArgumentError(
      `points: expected ${this.#rank ?? "some"} finite numbers each, got ${describe(point)}`,
    );
  }
}

/**
 * Opens the fields of a transformation.
 * @param owner the image or scene that lists it in `transformations`
 * @throws the problem of a transformation that has one, InvalidMetadataError for an image that is no field of
 * vectors or has another number of coordinates, and what `openOmeZarr` throws
 */
export async function openTransformation<S extends Store>(
  owner: OmeImage<S> | OmeScene<S>,
  transformation: SystemTransformation,
  options: StoreOptions = {},
): Promise<PointTransformation> {
  checkNames(options, "openTransformation", STORE_OPTIONS);
  checkObject(owner, "owner", "an image or scene of openOmeZarr");
  checkObject(owner.group, "owner.group", "a group");
  checkObject(transformation, "transformation", "one of `transformations`");
  const { steps, problem } = transformation;
  const isList: boolean = Array.isArray(steps);
  if (!isList)
    throw new InvalidArgumentError(`transformation.steps: expected a list, got ${describe(steps)}`);
  if (problem !== undefined) throw problem;
  return untilAborted(options.signal, async () => {
    const parts: (AffineMap | VectorField)[] = [];
    let rank: number | undefined;
    let coordinates: number | undefined;
    for (const step of steps) {
      if (step.kind === "affine") {
        const inputs = itemAt(step.map, 0).length - 1;
        if (coordinates !== undefined && coordinates !== inputs) throw misfit(owner, inputs, coordinates);
        rank ??= inputs;
        parts.push(step.map);
        coordinates = step.map.length;
        continue;
      }
      const image = await openOmeZarr(owner.group.resolve(step.path), { ...options, levels: [0] });
      if (image.kind !== "image")
        throw new InvalidMetadataError(`expected a field of vectors, found the metadata of ${image.kind}`, {
          path: owner.group.resolve(step.path).path,
        });
      coordinates ??= image.axes.length - 1;
      rank ??= coordinates;
      const field = vectorField(image, step, coordinates);
      parts.push(field);
      coordinates = field.components;
    }
    return new PointTransformation(parts, rank);
  });
}

function misfit<S extends Store>(
  { group: { path } }: OmeImage<S> | OmeScene<S>,
  expected: number,
  got: number,
) {
  return new InvalidMetadataError(
    `expected ${expected} coordinates from the field of vectors before, got ${got}`,
    { path },
  );
}
