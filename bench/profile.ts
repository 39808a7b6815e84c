/** Processor time by purpose of the code: V8's sampling profiler, with samples assigned by the folder of their source file. */

import { type Profiler, Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { readSources, type SourceOfLine } from "./bundle-lines.js";

export const PARTS = ["store", "codecs", "copying", "engine", "garbage", "waiting"] as const;
export type Part = (typeof PARTS)[number];

const SAMPLING_MICROSECONDS = 100;

/** The first pattern that matches "source file: function" counts. Copies in memory are not counted as codecs, whoever calls them. */
const FUNCTIONS: readonly (readonly [pattern: RegExp, part: Part])[] = [
  [/^src\/engine\/rows|^src\/kernels\/\S+: (copy|fill|isFilled)/, "copying"],
  [/^src\/stores\//, "store"],
  [/^src\/(codecs|data-types)\//, "codecs"],
  [/^src\//, "engine"],
];

/**
 * @param run the work, already warmed up
 * @returns the share of each part; the shares sum to 1
 */
export async function profile(
  run: () => Promise<unknown>,
  times: number,
): Promise<Readonly<Record<Part, number>>> {
  const sourceOf = readSources(fileURLToPath(import.meta.url));
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_MICROSECONDS });
    await session.post("Profiler.start");
    for (let i = 0; i < times; i++) await run();
    const { profile: samples } = await session.post("Profiler.stop");
    return shares(samples, sourceOf);
  } finally {
    session.disconnect();
  }
}

function shares(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  sourceOf: SourceOfLine,
): Record<Part, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const partOf = new Map(nodes.map(({ id }) => [id, classify(id, byId, parents, sourceOf)]));
  const times = noTimes();
  const kernels = new Map<string, Record<Part, number>>();
  samples.forEach((id, i) => {
    const part = partOf.get(id);
    if (part === undefined) return;
    const { url = "", functionName = "" } = byId.get(id)?.callFrame ?? {};
    let sum = times;
    if (url.startsWith("wasm:")) {
      const kernel = `${url} ${functionName}`;
      sum = kernels.get(kernel) ?? noTimes();
      kernels.set(kernel, sum);
    }
    sum[part] += timeDeltas[i] ?? 0;
  });
  // If V8 inlined the function that calls a kernel, samples of the kernel seem to come from "engine". Use the part of its other samples.
  for (const byCaller of kernels.values()) {
    const sum = PARTS.reduce((all, part) => all + byCaller[part], 0);
    const [most = "engine"] = PARTS.filter((part) => part !== "engine" && byCaller[part] > 0).toSorted(
      (a, b) => byCaller[b] - byCaller[a],
    );
    times[most] += sum;
  }
  const sum = PARTS.reduce((all, part) => all + times[part], 0);
  for (const part of PARTS) times[part] /= Math.max(1, sum);
  return times;
}

const noTimes = (): Record<Part, number> => ({
  store: 0,
  codecs: 0,
  copying: 0,
  engine: 0,
  garbage: 0,
  waiting: 0,
});

/**
 * Classifies a sample by the innermost caller in a source file, so that kernels and functions of Node count for their callers. Undefined for
 * work of the benchmark itself, such as deleting written files.
 */
function classify(
  id: number,
  byId: ReadonlyMap<number, Profiler.ProfileNode>,
  parents: ReadonlyMap<number, number>,
  sourceOf: SourceOfLine,
): Part | undefined {
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const frame = byId.get(at)?.callFrame;
    if (frame === undefined) break;
    if (frame.functionName === "(garbage collector)") return "garbage";
    if (frame.functionName === "(idle)") return "waiting";
    if (frame.url !== import.meta.url) continue;
    const code = `${sourceOf(frame.lineNumber)}: ${frame.functionName}`;
    if (code.startsWith("bench/")) return undefined;
    const found = FUNCTIONS.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return "engine";
}
