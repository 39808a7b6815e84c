/** Several processes that change the same chunks, some of them killed: no value is lost. */
import { setTimeout as pause } from "node:timers/promises";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, open, root, type WritableStore } from "../../src/index.js";
import { LmdbStore } from "../../src/stores/lmdb/lmdb.js";
import type { Campaign, Row } from "./campaign.js";
import { type Child, inScratch, program, start } from "./processes.js";

const WRITERS = 4;
const LENGTH = 32;

interface Place {
  readonly name: string;
  readonly operation: string;
  readonly layout: object;
  open(directory: string): WritableStore & { close?(): Promise<void> };
}

const files = (directory: string) => new FileSystemStore(directory, { locks: true });
const PLACES: readonly Place[] = [
  { name: "files with locks", operation: "count", layout: { chunkShape: [16] }, open: files },
  {
    name: "files with locks, a shard",
    operation: "count",
    layout: { chunkShape: [8], shards: [32] },
    open: files,
  },
  {
    name: "LMDB",
    operation: "count-lmdb",
    layout: { chunkShape: [16] },
    open: (directory) => new LmdbStore(directory),
  },
];

/** What a reader finds at /a. */
async function elements(store: WritableStore): Promise<number[]> {
  const array = await open(root(store).resolve("/a"), { kind: "array" });
  if (!array.is("int32")) throw new Error(`expected int32, got ${array.dtype}`);
  return [...(await get(array)).data];
}

/** What killed processes had confirmed by then; one more may have been stored. */
async function killed(children: readonly Child[], random: () => number): Promise<number[]> {
  await Promise.all(
    children.map(async ({ process }) => {
      await new Promise((resolve) => process.stdout?.once("data", resolve));
      await pause(100 + random() * 300);
      process.kill("SIGKILL");
    }),
  );
  const ended = await Promise.all(children.map((child) => child.ended));
  return ended.map(({ lines }) => lines.filter((line) => line !== "begin").length);
}

async function count(place: Place, until: number, random: () => number): Promise<Row> {
  const file = await program("writer");
  return inScratch(async (directory) => {
    const made = place.open(directory);
    await create(root(made).resolve("/a"), {
      ...place.layout,
      shape: [LENGTH],
      dtype: "int32",
      fillValue: 0,
    });
    await made.close?.();
    const broken: string[] = [];
    const from = new Array<number>(WRITERS).fill(0);
    let before = new Array<number>(LENGTH).fill(0);
    let [rounds, values] = [0, 0];
    do {
      const children = from.map((value, own) =>
        start(file, [
          place.operation,
          directory,
          JSON.stringify({ locks: true, own, writers: WRITERS, from: value }),
        ]),
      );
      const done = await killed(children, random);
      rounds++;
      const store = place.open(directory);
      const data = await elements(store);
      await store.close?.();
      for (const [own, confirmed] of done.entries()) {
        const least = (from[own] ?? 0) + confirmed;
        const found = data.filter((_, i) => i % WRITERS === own);
        const old = before.filter((_, i) => i % WRITERS === own);
        // Who was killed twice in the middle of one write has confirmed none of it.
        const isRight = found.every(
          (value, i) => value === least || value === least + 1 || (confirmed === 0 && value === old[i]),
        );
        if (!isRight) broken.push(`round ${rounds}: writer ${own} wrote ${least}, found ${found.join(" ")}`);
        from[own] = Math.max(...found);
        values += confirmed;
      }
      before = data;
    } while (performance.now() < until && broken.length < 10);
    return {
      attack: place.name,
      rounds,
      broken,
      figures: { writers: WRITERS, kills: rounds * WRITERS, values },
    };
  });
}

/** Each row holds the number of its writer: as many of each as were confirmed. */
async function append(until: number, random: () => number): Promise<Row> {
  const file = await program("writer");
  return inScratch(async (directory) => {
    const store = files(directory);
    const at = root(store).resolve("/a");
    await create(at, { shape: [0, 4], chunkShape: [16, 4], dtype: "int32", fillValue: 0 });
    const broken: string[] = [];
    let [rounds, values] = [0, 0];
    const counts = new Array<number>(WRITERS).fill(0);
    do {
      const children = counts.map((_, i) =>
        start(file, ["append", directory, JSON.stringify({ locks: true, rows: 1, value: i + 1 })]),
      );
      const done = await killed(children, random);
      rounds++;
      const data = (await elements(store)).filter((_, i) => i % 4 === 0);
      for (const [i, confirmed] of done.entries()) {
        const found = data.filter((value) => value === i + 1).length;
        const least = (counts[i] ?? 0) + confirmed;
        if (found !== least && found !== least + 1)
          broken.push(`round ${rounds}: writer ${i} appended ${least} rows, found ${found}`);
        counts[i] = found;
        values += confirmed;
      }
    } while (performance.now() < until && broken.length < 10);
    return {
      attack: "append, files with locks",
      rounds,
      broken,
      figures: { writers: WRITERS, kills: rounds * WRITERS, values },
    };
  });
}

export const concurrency: Campaign = {
  name: "concurrency",
  holds: "processes that change the same chunks, and are killed, lose nothing",
  async run(until, random) {
    const rows: Row[] = [];
    const attacks = [
      ...PLACES.map((place) => (end: number) => count(place, end, random)),
      (end: number) => append(end, random),
    ];
    for (const [i, each] of attacks.entries())
      rows.push(await each(performance.now() + (until - performance.now()) / (attacks.length - i)));
    return rows;
  },
};
