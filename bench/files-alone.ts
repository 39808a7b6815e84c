/**
 * Time of Node's file functions alone, with as few calls and as warm memory as possible: the lower limit for any library that reads or
 * writes the same files.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { get, open, type Selection } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";
import type { PartsOptions, RangeQuery } from "../src/stores/store.js";
import { type Rival, timed } from "./race.js";

interface File {
  readonly name: string;
  readonly size: number;
}

/** A part of a file. */
interface Span {
  readonly start: number;
  readonly length: number;
}

type Key = `/${string}`;

/** Records which parts of which files are read. */
class WatchedFiles extends FileSystemStore {
  readonly spans = new Map<Key, Span[]>();

  override getParts(key: Key, ranges: readonly RangeQuery[] | undefined, options?: PartsOptions) {
    this.#note(key, ranges ?? [{ suffixLength: Number.MAX_SAFE_INTEGER }]);
    return super.getParts(key, ranges, options);
  }

  override openNow() {
    return "later" as const;
  }

  #note(key: Key, ranges: readonly RangeQuery[]): void {
    const size = statSync(join(this.root, key), { throwIfNoEntry: false })?.size;
    if (size === undefined) return;
    const spans = ranges.map((range): Span => {
      if ("suffixLength" in range) {
        const length = Math.min(size, range.suffixLength);
        return { start: size - length, length };
      }
      return { start: range.offset, length: range.length };
    });
    this.spans.set(key, [...(this.spans.get(key) ?? []), ...spans]);
  }
}

function chunksIn(directory: string): File[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.endsWith(".json") && statSync(join(directory, name)).isFile())
    .map((name) => ({ name, size: statSync(join(directory, name)).size }));
}

const largest = (files: readonly { readonly size: number }[]): number =>
  files.reduce((most, { size }) => Math.max(most, size), 0);

/**
 * Allocates at the start of a page. C libraries place large blocks 16 bytes after it, where reading 1 MiB takes 190 us instead of 120:
 * presumably loads falsely depend on recent stores at nearly the same offset in a page (4K aliasing).
 */
function warmMemory(byteLength: number): Uint8Array {
  const { buffer } = new WebAssembly.Memory({ initial: Math.ceil(byteLength / 65536) });
  return new Uint8Array(buffer).fill(1);
}

/** Reads the parts of files that a selection needs, one after the other into the same memory. */
export async function filesReader(directory: string, selection: Selection): Promise<Rival> {
  const store = new WatchedFiles(directory);
  const array = await open(store, { kind: "array" });
  await array.prepare();
  store.spans.clear();
  await get(array, selection);
  const files = [...store.spans].map(([key, spans]) => ({ path: join(directory, key), spans }));
  const into = warmMemory(largest(files.flatMap(({ spans }) => spans.map(({ length: size }) => ({ size })))));
  return {
    run: timed(async () => {
      for (const { path, spans } of files) {
        const descriptor = openSync(path, "r");
        for (const { start, length } of spans) readSync(descriptor, into, 0, length, start);
        closeSync(descriptor);
      }
    }),
  };
}

/** Writes the same number of files of the same lengths, from the same memory. */
export function filesWriter(directory: string, empty: () => string): Rival {
  const files = chunksIn(directory);
  const from = warmMemory(largest(files));
  return {
    run() {
      const target = empty();
      return timed(async () => {
        for (const folder of new Set(files.map(({ name }) => dirname(name)))) {
          mkdirSync(join(target, folder), { recursive: true });
        }
        for (const { name, size } of files) {
          const descriptor = openSync(join(target, name), "wx");
          writeSync(descriptor, from, 0, size);
          closeSync(descriptor);
        }
      })();
    },
  };
}
