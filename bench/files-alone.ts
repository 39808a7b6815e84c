/**
 * What Node's file functions take by themselves, called as rarely and with as warm a memory as can be: the time below which nobody gets who
 * reads or writes the same files.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Rival, timed } from "./race.js";

interface File {
  readonly name: string;
  readonly size: number;
}

function chunksIn(directory: string): File[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.endsWith(".json") && statSync(join(directory, name)).isFile())
    .map((name) => ({ name, size: statSync(join(directory, name)).size }));
}

const largest = (files: readonly File[]): number => files.reduce((most, { size }) => Math.max(most, size), 0);

/** Every file of an array, one after the other into the same memory. */
export function filesReader(directory: string): Rival {
  const files = chunksIn(directory);
  const into = Buffer.alloc(largest(files));
  return {
    run: timed(async () => {
      for (const { name, size } of files) {
        const descriptor = openSync(join(directory, name), "r");
        readSync(descriptor, into, 0, size, 0);
        closeSync(descriptor);
      }
    }),
  };
}

/** As many files of the same lengths, from the same memory. */
export function filesWriter(directory: string, empty: () => string): Rival {
  const files = chunksIn(directory);
  const from = Buffer.alloc(largest(files), 1);
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
