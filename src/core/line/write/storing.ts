/**
 * Stores the encoded chunks of one block: at once, or, from the first that the store answers later, in turn.
 */
import { at as itemAt } from "../../../base/at.js";
import { isZarrError } from "../../../base/errors.js";
import { isPending } from "../../stores/check-store.js";
import type { IfVersion } from "../../stores/conflicts.js";
import type { Allocate, Awaitable, Encoded, Receiver } from "../ports.js";
import type { ValueLocation } from "../prepared.js";
import { type Lease, ownMemory } from "../shared/buffers.js";
import { copierFor } from "./kept-bytes.js";
import type { SinkParts } from "./sink-parts.js";
import type { KnownValue } from "./stored-values.js";

/** Chunks that another process changed after they were read, by their positions in the block. */
export type Conflicts = ReadonlyMap<number, unknown>;

export class Storing implements Receiver {
  readonly own: Allocate | undefined;
  readonly lent: Allocate | undefined;
  readonly #parts: SinkParts;
  readonly #at: readonly ValueLocation[];
  readonly #known: readonly KnownValue[];
  readonly #onLater: () => Promise<unknown>;
  readonly #lease: Lease | undefined;
  #copy: ((bytes: Uint8Array) => Uint8Array) | undefined;
  readonly #puts: Promise<void>[] = [];
  readonly #conflicts = new Map<number, unknown>();
  /** Chunks wait for it before they are stored. */
  #gate: Promise<unknown> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /**
   * @param known what storing a chunk depends on, by position
   * @param onLater called once the store answers later for the first time; the others wait for its answer
   * @param gate all chunks wait for it, if it is given
   */
  constructor(
    parts: SinkParts,
    at: readonly ValueLocation[],
    known: readonly KnownValue[],
    onLater: () => Promise<unknown>,
    gate?: Promise<unknown>,
  ) {
    const { storing } = parts;
    this.#parts = parts;
    this.#at = at;
    this.#known = known;
    this.#onLater = onLater;
    this.#gate = gate;
    this.#lease = storing?.();
    this.lent = this.#lease?.allocate;
    this.own = this.#lease === undefined ? ownMemory : undefined;
  }

  take(position: number, encoded: Encoded, isKept: boolean): Awaitable<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const { values, limiter } = this.#parts;
    const { key } = itemAt(this.#at, position);
    if (encoded !== undefined && values.setNow(key, encoded)) return undefined;
    const kept = isKept || encoded === undefined ? encoded : this.#kept(encoded);
    const gate = this.#gate;
    if (gate !== undefined) {
      const turn = () => limiter.run(() => this.#noted(position, () => this.#put(position, kept)));
      return this.#underWay(gate.then(turn));
    }
    const answer = this.#put(position, kept);
    if (!isPending(answer)) return undefined;
    this.#gate = this.#onLater();
    // A limiter that other writes share may be busy: until it waits for the answer, nobody does.
    Promise.allSettled([answer]);
    return this.#underWay(limiter.run(() => this.#noted(position, () => answer)));
  }

  /** Copies a chunk out of scratch memory. */
  #kept(encoded: Uint8Array): Uint8Array {
    this.#copy ??= copierFor(this.#parts.store, this.#lease, this.#at.length);
    return this.#copy(encoded);
  }

  /** After this no other chunk begins to be stored. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /**
   * @returns undefined if all chunks are stored; else the conflicts, when no chunk is under way any more
   * @throws the first failure, at once or later
   */
  finish(): Promise<Conflicts> | undefined {
    if (this.#puts.length > 0) return Promise.all(this.#puts).then(() => this.#end());
    this.#end();
    return undefined;
  }

  #end(): Conflicts {
    this.#lease?.release();
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#conflicts;
  }

  #underWay(work: Promise<void>): Promise<void> {
    const put = work.catch((error: unknown) => this.fail(error));
    this.#puts.push(put);
    return put;
  }

  /** Stores a chunk, and notes what went wrong before another one begins. */
  async #noted(position: number, put: () => Awaitable<unknown>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await put();
    } catch (error) {
      const isConflict = isZarrError(error, "ConflictError") && this.#versionOf(position) !== undefined;
      if (isConflict) this.#conflicts.set(position, error);
      else this.fail(error);
    }
  }

  #versionOf(position: number): IfVersion {
    return this.#known[position]?.ifVersion;
  }

  #put(position: number, encoded: Encoded): Awaitable<unknown> {
    const { values, encoder } = this.#parts;
    const at = itemAt(this.#at, position);
    const ifVersion = this.#versionOf(position);
    if (encoded !== undefined) return values.set(at.key, encoded, ifVersion);
    return values.remove(at.key, async () => encoder.encodeFill(at), ifVersion);
  }
}
