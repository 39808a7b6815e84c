/** Keys in ascending order: lists one directory without looking at all that is below it, or elsewhere. */
import { isAbsolutePath, relativePrefix } from "./keys-and-ranges.js";
import type { AbsolutePath, DirectoryListing } from "./store.js";

export class SortedKeys {
  readonly #keys: readonly AbsolutePath[];

  /** @param keys in any order; names without a leading "/" are not keys and are left out */
  constructor(keys: Iterable<string>) {
    this.#keys = [...keys].filter(isAbsolutePath).sort();
  }

  /**
   * The keys and prefixes directly below `prefix`, in ascending order.
   * @throws StoreError for a prefix without a "/" at its end
   */
  directory(prefix: AbsolutePath): DirectoryListing {
    relativePrefix(prefix);
    const keys: AbsolutePath[] = [];
    const prefixes: AbsolutePath[] = [];
    for (let i = this.#firstFrom(prefix, 0); ; ) {
      const key = this.#keys[i];
      if (key === undefined || !key.startsWith(prefix)) return { keys, prefixes };
      const slash = key.indexOf("/", prefix.length);
      if (slash < 0) {
        keys.push(key);
        i++;
        continue;
      }
      prefixes.push(`${prefix}${key.slice(prefix.length, slash + 1)}`);
      // "0" is the character after "/": all keys below the directory are before it.
      i = this.#firstFrom(`${key.slice(0, slash)}0`, i + 1);
    }
  }

  /**
   * Index, `low` or more, of the first key that is not before `wanted`. It looks near `low` first: most
   * directories are small.
   */
  #firstFrom(bound: string, low: number): number {
    const isBefore = (i: number): boolean => {
      const key = this.#keys[i];
      return key !== undefined && key < bound;
    };
    let step = 1;
    while (isBefore(low + step - 1)) {
      low += step;
      step *= 2;
    }
    // Keys before `low` are before `wanted`; the key at low + step - 1 is not.
    let high = low + step - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
