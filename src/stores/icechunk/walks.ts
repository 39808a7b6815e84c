/**
 * Which manifests of an array have a chunk. Arrays may have thousands of manifests, of which the one that was
 * read last is looked at first, and then the next one.
 */
import { type AbsolutePath, at, StoreError } from "../../core/for-stores.js";
import type { NodeArray } from "./snapshots.js";

/**
 * After so many steps from one manifest of an array to the next, another is asked for before it is needed: a
 * first picture may meet three, and takes no request more than it needs.
 */
const STEPS_OF_WALK = 3;

interface Covering {
  readonly id: string;
  /** The manifest that will probably be needed next. */
  readonly ahead: string | undefined;
}

export class ManifestWalks {
  /** Key of the snapshot's file, for errors. */
  readonly #key: AbsolutePath;
  /** Which manifest of an array was read last, and how many were read before it one after the other. */
  readonly #walks = new WeakMap<NodeArray, { readonly index: number; readonly steps: number }>();

  constructor(key: AbsolutePath) {
    this.#key = key;
  }

  /**
   * The manifests of an array that cover a chunk: in sound repositories one at most.
   * @throws StoreError for a snapshot with more extents than dimensions
   */
  *covering(array: NodeArray, chunk: readonly number[]): Generator<Covering> {
    const { manifests } = array;
    for (const index of fromHere(manifests.length, this.#walks.get(array)?.index)) {
      const { id, extents } = at(manifests, index);
      if (!this.#isWithin(chunk, extents)) continue;
      const steps = this.#stepsTo(array, index);
      yield { id, ahead: steps >= STEPS_OF_WALK ? manifests[index + 1]?.id : undefined };
    }
  }

  #stepsTo(array: NodeArray, index: number): number {
    const walk = this.#walks.get(array);
    if (walk?.index === index) return walk.steps;
    const steps = walk?.index === index - 1 ? walk.steps + 1 : 0;
    this.#walks.set(array, { index, steps });
    return steps;
  }

  #isWithin(chunk: readonly number[], extents: readonly (readonly [from: number, to: number])[]): boolean {
    if (extents.length > chunk.length)
      throw new StoreError(
        `a damaged snapshot of Icechunk: ${extents.length} extents of a manifest, ${chunk.length} dimensions`,
        { key: this.#key },
      );
    return extents.every(([from, to], d) => from <= at(chunk, d) && at(chunk, d) < to);
  }
}

/** Indexes of a list of `length` items: first `here` and the one after it, if they exist. */
function* fromHere(length: number, here = length): Generator<number> {
  for (let i = here; i < Math.min(here + 2, length); i++) yield i;
  for (let i = 0; i < length; i++) if (i !== here && i !== here + 1) yield i;
}
