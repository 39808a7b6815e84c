/** The directories of a file, one after the other, and those below each: read as far as they are wanted. */
import { Directory, damaged, type TiffBytes } from "./directory.js";
import { TAG } from "./tags.js";

/** Directories in a file. Stacks of microscopes have some ten thousand. */
const MOST_DIRECTORIES = 1 << 16;

export class Chain {
  readonly #bytes: TiffBytes;
  readonly #found: Directory[] = [];
  readonly #offsets = new Set<number>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(bytes: TiffBytes) {
    this.#bytes = bytes;
  }

  /**
   * The directories up to number `last`, or up to the last one of the file.
   * @throws StoreError for a cycle and for too many of them
   */
  async upTo(last: number): Promise<readonly Directory[]> {
    const before = this.#reading;
    const reading = (async () => {
      await before;
      while (this.#found.length <= last) {
        const offset = this.#found.at(-1)?.next ?? this.#bytes.first;
        if (offset === 0) return;
        this.#found.push(await this.#read(offset));
      }
    })();
    // A failure is the caller's, and the next one tries again.
    this.#reading = reading.catch(() => undefined);
    await reading;
    return this.#found;
  }

  all(): Promise<readonly Directory[]> {
    return this.upTo(Number.POSITIVE_INFINITY);
  }

  /** The directories that a tag of a directory lists, and those that follow each of them. */
  async below(parent: Directory): Promise<Directory[]> {
    const found: Directory[] = [];
    for (const start of await parent.numbers(TAG.subDirectories)) {
      const offsets = new Set<number>();
      for (let offset = start; offset !== 0; offset = found.at(-1)?.next ?? 0) {
        if (offsets.has(offset) || found.length >= MOST_DIRECTORIES)
          throw damaged(this.#bytes, offset, "expected directories one after the other, got a cycle");
        offsets.add(offset);
        found.push(await Directory.read(this.#bytes, offset));
      }
    }
    return found;
  }

  async #read(offset: number): Promise<Directory> {
    if (this.#offsets.has(offset))
      throw damaged(this.#bytes, offset, "expected directories one after the other, got a cycle");
    if (this.#offsets.size >= MOST_DIRECTORIES)
      throw damaged(this.#bytes, offset, `expected at most ${MOST_DIRECTORIES} directories, got more`);
    const directory = await Directory.read(this.#bytes, offset);
    this.#offsets.add(offset);
    return directory;
  }
}
