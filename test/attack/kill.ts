/** Processes killed in the middle of a write, and what a reader finds then. */
import { setTimeout as pause } from "node:timers/promises";
import type { ZarrArray } from "../../src/array/nodes/nodes.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, open, resize, root, set } from "../../src/index.js";
import { verify } from "../../src/main/copy.js";
import type { Campaign, Row } from "./campaign.js";
import { inScratch, program, start } from "./processes.js";

/** One operation in its directory. A round gives what is wrong afterwards. */
interface Attack {
  readonly name: string;
  /** Milliseconds after its begin within which the process is killed. */
  readonly within: number;
  prepare(directory: string, random: () => number): Promise<Round>;
}

interface Round {
  /** What the next process is told. */
  next(): Promise<readonly [operation: string, parameters: object]>;
  /** Whether it is as before or as after, and undefined where it is neither. */
  check(): Promise<string | undefined>;
}

const SIDE = 96;
const LAYOUTS = [
  { name: "chunks", options: { chunkShape: [8, 8] } },
  { name: "shards", options: { shards: [16, 16], chunkShape: [4, 8] } },
] as const;

const valueAt = (row: number, column: number): number => row * 1000 + column + 1;

function filled(rows: number, columns: number): Int32Array {
  return Int32Array.from({ length: rows * columns }, (_, i) => valueAt(Math.floor(i / columns), i % columns));
}

function ofIntegers(array: ZarrArray): ZarrArray<"int32"> {
  if (array.is("int32")) return array;
  throw new Error(`expected int32, got ${array.dtype}`);
}

async function openArray(directory: string): Promise<ZarrArray<"int32">> {
  return ofIntegers(await open(root(new FileSystemStore(directory)).resolve("/a"), { kind: "array" }));
}

async function made(
  directory: string,
  options: object,
  shape: readonly number[],
): Promise<ZarrArray<"int32">> {
  const at = root(new FileSystemStore(directory)).resolve("/a");
  return create(at, {
    ...options,
    shape: [...shape],
    chunkShape: [8, 8],
    ...options,
    dtype: "int32",
    fillValue: 0,
  });
}

const whole = (random: () => number, most: number): number => Math.floor(random() * (most + 1));

/** The same array again and again: what a crash left is there when the next process begins. */
const resizes = LAYOUTS.map(
  ({ name, options }): Attack => ({
    name: `resize, ${name}`,
    within: 60,
    async prepare(directory, random) {
      let shape: number[] = [SIDE, SIDE];
      let kept: number[] = [SIDE, SIDE];
      let wanted: number[] = [];
      await set(await made(directory, options, shape), null, filled(SIDE, SIDE));
      const difference = async (array: ZarrArray<"int32">): Promise<string | undefined> => {
        const [, columns = 0] = array.shape;
        const { data } = await get(array);
        const at = data.findIndex((value, i) => {
          const [row, column] = [Math.floor(i / columns), i % columns];
          return value !== (row < (kept[0] ?? 0) && column < (kept[1] ?? 0) ? valueAt(row, column) : 0);
        });
        return at < 0
          ? undefined
          : `[${Math.floor(at / columns)}, ${at % columns}] of [${array.shape.join(", ")}] is ${data[at]}, of what was lost beyond [${kept.join(", ")}], or should be there`;
      };
      return {
        async next() {
          if (Math.min(...kept) < SIDE / 4) {
            await set(await resize(await openArray(directory), [SIDE, SIDE]), null, filled(SIDE, SIDE));
            [shape, kept] = [
              [SIDE, SIDE],
              [SIDE, SIDE],
            ];
          }
          wanted = shape.map(() => SIDE / 8 + whole(random, SIDE));
          return ["resize", { shape: wanted }];
        },
        async check() {
          const array = await openArray(directory);
          if (![shape, wanted].some((each) => each.every((length, d) => length === array.shape[d])))
            return `shape [${array.shape.join(", ")}], neither [${shape.join(", ")}] nor [${wanted.join(", ")}]`;
          shape = [...array.shape];
          kept = kept.map((length, d) => Math.min(length, shape[d] ?? 0));
          const wrong = await difference(array);
          if (wrong !== undefined || random() < 0.5) return wrong;
          // What is hidden does not come back when the array grows.
          shape = shape.map((length) => length + whole(random, 20));
          return difference(await resize(array, shape));
        },
      };
    },
  }),
);

const sets = LAYOUTS.map(
  ({ name, options }): Attack => ({
    name: `set, ${name}`,
    within: 60,
    async prepare(directory, random) {
      const array = await made(directory, options, [SIDE, SIDE]);
      const block = array.metadata.chunkGrid.name === "regular" ? array.metadata.chunkGrid.chunkShape : [];
      let before = new Int32Array(SIDE * SIDE);
      let box: number[][] = [];
      let value = 0;
      return {
        async next() {
          box = [0, 1].map(() => [whole(random, SIDE / 2 - 1), SIDE / 2 + whole(random, SIDE / 2)]);
          value++;
          return ["set", { box, value }];
        },
        async check() {
          const { data } = await get(await openArray(directory));
          const states = new Map<string, boolean>();
          for (const [i, now] of data.entries()) {
            const at = [Math.floor(i / SIDE), i % SIDE];
            const isIn = at.every((index, d) => index >= (box[d]?.[0] ?? 0) && index < (box[d]?.[1] ?? 0));
            if (!isIn && now !== before[i]) return `[${at.join(", ")}] is ${now}, which nobody wrote there`;
            if (!isIn) continue;
            if (now !== value && now !== before[i])
              return `[${at.join(", ")}] is ${now}, neither ${before[i]} nor ${value}`;
            const chunk = at.map((index, d) => Math.floor(index / (block[d] ?? 1))).join();
            const state = states.get(chunk) ?? now === value;
            states.set(chunk, state);
            if (state !== (now === value)) return `chunk ${chunk} is half from before and half from after`;
          }
          before = data.slice();
          return undefined;
        },
      };
    },
  }),
);

const appends: Attack = {
  name: "append",
  within: 120,
  async prepare(directory) {
    const rows = 5;
    await made(directory, {}, [0, SIDE]);
    return {
      async next() {
        const array = await openArray(directory);
        if ((array.shape[0] ?? 0) > 2000) await resize(array, [0, SIDE]);
        return ["append", { rows }];
      },
      async check() {
        const array = await openArray(directory);
        const [length = 0] = array.shape;
        if (length % rows !== 0) return `${length} rows of appends by ${rows}`;
        const { data } = await get(array);
        const at = data.findIndex((value, i) => value !== Math.floor(Math.floor(i / SIDE) / rows) * rows);
        return at < 0 ? undefined : `row ${Math.floor(at / SIDE)} holds ${data[at]}`;
      },
    };
  },
};

const copies: Attack = {
  name: "copy",
  within: 80,
  async prepare(directory) {
    const source = await made(directory, {}, [SIDE, SIDE]);
    await set(source, null, filled(SIDE, SIDE));
    const to = root(source.store).resolve("/b");
    return {
      async next() {
        return ["copy", { to: "/b" }];
      },
      async check() {
        const problems: string[] = [];
        const copy = await open(to, { kind: "array" }).then(ofIntegers, () => undefined);
        if (copy === undefined) return undefined;
        await verify(to, { onProblem: ({ message }) => problems.push(message) });
        const { data } = await get(copy);
        const expected = filled(SIDE, SIDE);
        const at = data.findIndex((value, i) => value !== 0 && value !== expected[i]);
        return problems[0] ?? (at < 0 ? undefined : `element ${at} of the copy is ${data[at]}`);
      },
    };
  },
};

async function attack({ name, within, prepare }: Attack, until: number, random: () => number): Promise<Row> {
  const file = await program("writer");
  return inScratch(async (directory) => {
    const round = await prepare(directory, random);
    const broken: string[] = [];
    let [rounds, kills] = [0, 0];
    do {
      const [operation, parameters] = await round.next();
      const child = start(file, [operation, directory, JSON.stringify(parameters)]);
      child.process.stdout?.once("data", async () => {
        await pause(random() * within);
        child.process.kill("SIGKILL");
      });
      if ((await child.ended).isKilled) kills++;
      rounds++;
      const wrong = await round.check().catch((error: unknown) => String(error));
      if (wrong !== undefined) broken.push(`round ${rounds}: ${wrong}`);
    } while (performance.now() < until && broken.length < 10);
    const store = new FileSystemStore(directory);
    const { files } = await store.removeTemporaryFiles();
    const again = await store.removeTemporaryFiles();
    if (again.files > 0) broken.push(`${again.files} temporary files that could not be removed`);
    return { attack: name, rounds, broken, figures: { kills, "temporary files": files } };
  });
}

export const kill: Campaign = {
  name: "kill",
  holds: "what is killed leaves what was there before or after",
  async run(until, random) {
    const rows: Row[] = [];
    const attacks = [...resizes, ...sets, appends, copies];
    for (const [i, each] of attacks.entries()) {
      const share = (until - performance.now()) / (attacks.length - i);
      rows.push(await attack(each, performance.now() + share, random));
    }
    return rows;
  },
};
