/** Every benchmark in one run, from what users meet to what it is made of; the summary of the first ones follows them. */
import { rmSync } from "node:fs";
import { barChart } from "./charts.js";
import { benchCoalescing } from "./coalescing.js";
import { benchCodecs } from "./codecs.js";
import { BLOSC_GROUPS } from "./codecs-blosc.js";
import { ZSTD_GROUPS } from "./codecs-zstd.js";
import { benchCores } from "./cores.js";
import { benchElements, formatElements } from "./elements.js";
import { benchGroup, type EndToEndResult, endToEndTable, WRITE } from "./end-to-end.js";
import { FOLDER } from "./folder.js";
import { benchGrowth } from "./growth.js";
import type { MeasureOptions } from "./harness.js";
import { benchKernels, kernelTable } from "./kernels.js";
import { FULL_EFFORT, QUICK_EFFORT } from "./race.js";
import type { Chart, Section } from "./section.js";
import { explainShort } from "./short-cells.js";
import { benchStrings } from "./strings.js";
import { summarise } from "./summary.js";
import { Tensorstore } from "./tensorstore.js";
import { explainSlowest } from "./where-time-goes.js";
import { GROUPS } from "./workloads.js";

export interface Run {
  /** Few rounds: whether it works, not what it says. */
  readonly quick: boolean;
  /** Only arrays whose name contains this, and nothing but reading and writing them. */
  readonly only?: string | undefined;
}

export async function* benchAll({ quick, only }: Run): AsyncGenerator<Section> {
  const effort = quick ? QUICK_EFFORT : FULL_EFFORT;
  // Where a trend counts, not a single cell.
  const brief = { ...effort, least: Math.min(3, effort.least) };
  const measuring: MeasureOptions = quick ? { warmUp: 5, batch: 2, batches: 3 } : {};
  const tensorstore = Tensorstore.start();
  try {
    const results: EndToEndResult[] = [];
    for (const group of GROUPS) {
      const own = await benchGroup(group, tensorstore, effort, only);
      results.push(...own);
      if (own.length === 0) continue;
      const { title, text } = group;
      yield { title, text, tables: [endToEndTable(own)], charts: withTensorstoreAndZarrita(title, own) };
    }
    if (results.length > 0) yield summarise(results);
    const short = explainShort(results);
    if (short !== undefined) yield short;
    const explained = await explainSlowest(results, effort);
    if (explained !== undefined) yield explained;
    if (only !== undefined) return;
    yield await benchGrowth(tensorstore, brief, quick);
    yield await benchCoalescing(brief, quick);
    yield await benchCores(brief);
  } finally {
    tensorstore?.close();
    rmSync(FOLDER, { recursive: true, force: true });
  }
  const codecs = await benchCodecs([...BLOSC_GROUPS, ...ZSTD_GROUPS].slice(quick ? -1 : 0));
  if (codecs !== undefined) yield codecs;
  yield await benchStrings(effort, measuring);
  yield {
    title: "Conversions of elements",
    text: `2^18 elements in place, GB/s of the larger side, median.\n\n${fenced(formatElements(await benchElements(measuring)))}`,
    tables: [],
    charts: [],
  };
  yield {
    title: "Kernels",
    text: "Operands of 1 MiB in place, GB/s of payload, median.",
    tables: [kernelTable(await benchKernels(2 ** 20, measuring))],
    charts: [],
  };
}

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

/** Bars of reading everything and of writing, against both peers. */
function withTensorstoreAndZarrita(title: string, results: readonly EndToEndResult[]): Chart[] {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return ["read whole", WRITE].flatMap((operation) =>
    (["zarrita", "tensorstore"] as const).flatMap((peer) => {
      const bars = results.flatMap((result) => {
        const [theirs, ours] = [result[peer], result.wasm];
        return result.operation !== operation || theirs === undefined || ours === undefined
          ? []
          : [{ label: result.workload.name, value: theirs / ours }];
      });
      const what = `${title}: ${operation}, times as fast as ${peer === "zarrita" ? "zarrita" : "TensorStore"}`;
      const file = `${name}-${operation.replace(" ", "-")}-${peer}`;
      return bars.length === 0 ? [] : [barChart(file, what, bars)];
    }),
  );
}
