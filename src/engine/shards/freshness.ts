import type { ValueState } from "../../stores/store.js";

/** What is known of the version of a value. Two that differ in a member that both have are of different values. */
export interface ShardVersion extends ValueState {
  /** The last write of this process. */
  readonly stamp?: number | undefined;
}

/** What was read has to be read again: parts are of different versions, or nothing says that they are not older than the read. */
export class ShardChanged extends Error {}

let clock = 0;

/** A number greater than all before it, to tell whether something was asked for before or after a read began. */
export function moment(): number {
  return ++clock;
}

export class Freshness {
  readonly #began: number;
  #version: ShardVersion;
  #isCurrent = false;
  #usesOlder = false;
  #asked: number | undefined;

  /** @param version of what was read before; no other is accepted */
  constructor(began: number, version: ShardVersion = {}) {
    this.#began = began;
    this.#version = version;
  }

  /** The version that everything read so far is of. */
  get version(): ShardVersion {
    return this.#version;
  }

  /** The moment when the oldest of it was asked for. */
  get asked(): number | undefined {
    return this.#asked;
  }

  /** Whether something was asked for after the read began. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Whether something was asked for before the read began, in a store that tells no versions: errors may come of that. */
  get isDoubtful(): boolean {
    return this.#usesOlder && this.#version.version === undefined;
  }

  /**
   * Takes note of the version of what was asked for at a moment.
   * @throws ShardChanged when it is another than that of what was read before
   */
  agree(told: ShardVersion, asked: number): void {
    this.#version = {
      byteLength: same(this.#version.byteLength, told.byteLength),
      version: same(this.#version.version, told.version),
      stamp: same(this.#version.stamp, told.stamp),
    };
    this.#asked = Math.min(asked, this.#asked ?? asked);
    if (asked > this.#began) this.#isCurrent = true;
    else this.#usesOlder = true;
  }
}

function same<T>(known: T | undefined, told: T | undefined): T | undefined {
  if (known !== undefined && told !== undefined && known !== told) throw new ShardChanged();
  return known ?? told;
}
