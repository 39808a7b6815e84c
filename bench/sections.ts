/** All benchmarks, each part in its own process, from whole reads and writes down to kernels. A summary follows the first ones. */
import { rmSync } from "node:fs";
import { barChart } from "./charts.js";
import {
  type EndToEndResult,
  type EndToEndTurns,
  endToEndTable,
  pooled,
  timesAsFast,
  WRITE,
} from "./end-to-end.js";
import { FOLDER } from "./folder.js";
import { effortOf, inOwnProcess, passesOf, SECTIONS } from "./parts.js";
import type { Chart, Section } from "./section.js";
import { explainShort } from "./short-cells.js";
import { summarise } from "./summary.js";
import { explainSlowest } from "./where-time-goes.js";
import { GROUPS, type Workload } from "./workloads.js";

export interface Run {
  /** Few rounds: checks that the benchmarks work, their figures mean little. */
  readonly quick: boolean;
  /** Runs only arrays and sections whose name contains this text. */
  readonly only?: string | undefined;
}

export async function* benchAll({ quick, only }: Run): AsyncGenerator<Section> {
  try {
    const results: EndToEndResult[] = [];
    for (const { title, text, workloads } of GROUPS) {
      const own = await endToEnd(
        workloads.filter(({ name }) => name.includes(only ?? "")),
        quick,
      );
      if (own.length === 0) continue;
      results.push(...own);
      yield { title, text, tables: [endToEndTable(own)], charts: withTensorstoreAndZarrita(title, own) };
    }
    if (results.length > 0) yield summarise(results);
    yield* explainShort(results);
    const explained = await explainSlowest(results, effortOf({ quick }));
    if (explained !== undefined) yield explained;
    for (const name of SECTIONS.filter((name) => name.includes(only ?? ""))) {
      const { section } = await inOwnProcess({ quick, section: name });
      if (section !== undefined) yield section;
    }
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** Measures all workloads in several passes, so that a slow minute of the machine affects only one pass of each workload. */
async function endToEnd(workloads: readonly Workload[], quick: boolean): Promise<EndToEndResult[]> {
  const passes = workloads.map((): (readonly EndToEndTurns[])[] => []);
  for (let pass = 0; pass < passesOf({ quick }); pass++) {
    for (const [i, { name }] of workloads.entries()) {
      const { turns = [] } = await inOwnProcess({ quick, workload: name });
      passes[i]?.push(turns);
    }
  }
  return passes.flatMap(pooled);
}

/** Bar charts of whole reads and of writes relative to TensorStore and zarrita. */
function withTensorstoreAndZarrita(title: string, results: readonly EndToEndResult[]): Chart[] {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return ["read whole", WRITE].flatMap((operation) =>
    (["zarrita", "tensorstore"] as const).flatMap((peer) => {
      const bars = results.flatMap((result) => {
        const value = result.operation === operation ? timesAsFast(result, peer) : undefined;
        return value === undefined ? [] : [{ label: result.workload.name, value }];
      });
      const what = `${title}: ${operation}, times as fast as ${peer === "zarrita" ? "zarrita" : "TensorStore"}`;
      const file = `${name}-${operation.replace(" ", "-")}-${peer}`;
      return bars.length === 0 ? [] : [barChart(file, what, bars)];
    }),
  );
}
