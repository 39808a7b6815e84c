/** Profiles the cells in which TensorStore is furthest ahead. */
import { rmSync } from "node:fs";
import { create, get, open, set } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";
import { type EndToEndResult, timesAsFast, WRITE } from "./end-to-end.js";
import { fieldOf } from "./fields.js";
import { directoryOf, FOLDER } from "./folder.js";
import { PARTS, profile } from "./profile.js";
import { type Effort, growMemory, race, timed } from "./race.js";
import { figure, type Section } from "./section.js";

const CELLS = 3;
/** Minimum duration of a profile, so that the start of the profiler is a small part of it. */
const PROFILE_MILLISECONDS = 300;

export async function explainSlowest(
  results: readonly EndToEndResult[],
  effort: Effort,
): Promise<Section | undefined> {
  const slowest = results
    .flatMap((result) => {
      const times = timesAsFast(result, "tensorstore");
      return times === undefined ? [] : [{ result, times }];
    })
    .toSorted((a, b) => a.times - b.times)
    .slice(0, CELLS);
  if (slowest.length === 0) return undefined;
  growMemory();
  const rows: string[][] = [];
  for (const { result } of slowest) rows.push(await explain(result, effort));
  return {
    title: "Where the remaining time goes",
    text: `The ${slowest.length} cells of the tables above in which TensorStore is furthest ahead, in milliseconds. "Fresh memory" is what a read takes longer than the same read into memory that
is there (\`out\`): page faults. The rest is divided by V8's sampling profiler, by the source of the code: the store (opening, reading, writing and renaming files), codecs, copying (into layout, byte order
and place), the engine (everything else, promises included), garbage collection, and waiting for the thread pool. "Limit" is fresh memory, store and codecs
alone: what would be left if engine, copies and garbage cost nothing, so that only faster codecs or fewer bytes help below it.`,
    tables: [
      {
        header: ["cell", "TensorStore", "wazarr", "fresh memory", ...PARTS, "limit"],
        rows,
      },
    ],
    charts: [],
  };
}

async function explain(result: EndToEndResult, effort: Effort): Promise<string[]> {
  const { workload, operation, tensorstore } = result;
  const { fresh, reused } = operation === WRITE ? await writeRuns(result) : await readRuns(result);
  const [whole, inPlace = whole] = await race(
    [{ run: fresh }, reused === undefined ? undefined : { run: reused }],
    effort,
  );
  if (whole === undefined || inPlace === undefined) throw new Error("expected a time of each run");
  const times = Math.ceil(PROFILE_MILLISECONDS / inPlace);
  const shares = await profile(reused ?? fresh, Math.max(2 * effort.least, times));
  rmSync(TARGET, { recursive: true, force: true });
  const freshMemory = Math.max(0, whole - inPlace);
  return [
    `${workload.name}, ${operation}`,
    figure(tensorstore),
    figure(whole),
    figure(freshMemory),
    ...PARTS.map((part) => figure(shares[part] * inPlace)),
    figure(freshMemory + (shares.store + shares.codecs) * inPlace),
  ];
}

interface Runs {
  readonly fresh: () => Promise<number>;
  /** Reads into existing memory. */
  readonly reused?: () => Promise<number>;
}

async function readRuns({ workload, selection }: EndToEndResult): Promise<Runs> {
  const array = await open(new FileSystemStore(directoryOf(workload)), { kind: "array" });
  const { data } = await get(array, selection);
  return {
    fresh: timed(() => get(array, selection)),
    reused: timed(() => get(array, selection, { out: data })),
  };
}

const TARGET = `${FOLDER}/explained`;

async function writeRuns({ workload }: EndToEndResult): Promise<Runs> {
  const { shape, dtype, chunkShape, codecs } = workload;
  const { data } = fieldOf(FOLDER, shape, dtype);
  return {
    async fresh() {
      rmSync(TARGET, { recursive: true, force: true });
      const array = await create(new FileSystemStore(TARGET), { shape, dtype, chunkShape, codecs });
      return timed(() => set(array, null, { data, shape }))();
    },
  };
}
