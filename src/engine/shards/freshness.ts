/**
 * Checks that all bytes read of a value are of one version, and of the version in the store. It compares what
 * the store's answers tell of the version, and what this process writes meanwhile.
 */

import type { ToldVersion } from "../exchange.js";

/** The read must be repeated: parts are of different versions, or all of them may be older than the read. */
export class ShardChanged extends Error {}

export class Freshness {
  readonly #began: number;
  #version: ToldVersion;
  #isCurrent = false;
  #usesOlder = false;
  #asked: number | undefined;

  /** @param version of bytes that were read before; no other version is accepted */
  constructor(began: number, version: ToldVersion = {}) {
    this.#began = began;
    this.#version = version;
  }

  /** The version of everything read so far. */
  get version(): ToldVersion {
    return this.#version;
  }

  /** The moment of the oldest request. */
  get asked(): number | undefined {
    return this.#asked;
  }

  /** Whether something was requested after the read began. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /**
   * Whether something was requested before the read began, from a store that tells no versions: errors may
   * come from stale bytes.
   */
  get isDoubtful(): boolean {
    return this.#usesOlder && this.#version.version === undefined;
  }

  /**
   * Records the version of bytes that were requested at a moment.
   * @throws ShardChanged when it is another version than that of the bytes before
   */
  agree(told: ToldVersion, asked: number): void {
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
