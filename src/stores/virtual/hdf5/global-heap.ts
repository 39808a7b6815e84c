/** Global heaps: strings and sequences of variable length. Specification III.E. */
import { BoundedCache } from "../../../core/for-stores.js";
import type { Cursor } from "./cursor.js";
import type { Hdf5File } from "./hdf5-file.js";

/** Bytes of collections to keep. */
const CACHE_BYTES = 16 << 20;
const LARGEST_COLLECTION = 256 << 20;

type Collection = ReadonlyMap<number, Uint8Array>;

/** Reads what elements of variable length refer to, through a cache of collections. */
export class GlobalHeap {
  readonly #file: Hdf5File;
  readonly #collections = new BoundedCache<number, Promise<Collection>>({ bytes: CACHE_BYTES });

  constructor(file: Hdf5File) {
    this.#file = file;
  }

  /**
   * The bytes of an element.
   * @param reference its bytes where it stands
   * @param unit bytes of one item of a sequence; 1 for strings
   */
  async read(reference: Uint8Array, unit: number): Promise<Uint8Array> {
    const cursor = this.#file.cursor(reference, "element of variable length");
    const count = cursor.u32();
    const address = cursor.address();
    const index = cursor.u32();
    if (count === 0 || address === undefined || address === 0) return new Uint8Array(0);
    const found = (await this.#collection(address)).get(index);
    if (found === undefined || found.length < count * unit)
      throw cursor.refusal(
        `expected ${count * unit} bytes as object ${index} of the heap at address ${address}`,
      );
    return found.subarray(0, count * unit);
  }

  #collection(address: number): Promise<Collection> {
    const known = this.#collections.get(address);
    if (known !== undefined) return known;
    const read = this.#read(address);
    this.#collections.set(address, read);
    read.catch(() => this.#collections.delete(address));
    return read;
  }

  async #read(address: number): Promise<Collection> {
    const { length } = this.#file.sizes;
    const head = await this.#file.structure(address, 8 + length, "global heap");
    head.signature("GCOL");
    head.version(1);
    head.skip(3);
    const size = head.length();
    if (size < 8 + length || size > LARGEST_COLLECTION)
      throw head.refusal(`expected a collection of at most ${LARGEST_COLLECTION} bytes, got ${size}`);
    const cursor = await this.#file.structure(address, size, "global heap");
    cursor.skip(8 + length);
    const objects = this.#objects(cursor);
    this.#collections.set(address, Promise.resolve(objects), size);
    return objects;
  }

  #objects(cursor: Cursor): Collection {
    const objects = new Map<number, Uint8Array>();
    while (cursor.left >= 8 + this.#file.sizes.length) {
      const index = cursor.u16();
      cursor.skip(6);
      const size = cursor.length();
      // Object 0 is the free space at the end.
      if (index === 0) break;
      objects.set(index, cursor.take(size));
      cursor.skip(Math.min(cursor.left, (8 - (size % 8)) % 8));
    }
    return objects;
  }
}
