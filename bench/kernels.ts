/**
 * Compares kernels: WASM, JavaScript fallback and memcpy, on operands in the arena. On its own:
 * `node scripts/run-ts.mjs bench/kernels.ts [bytes of payload]`.
 */
import { basename } from "node:path";
import { planCopy } from "../src/kernels/copy-plan.js";
import { loadFilled } from "../src/kernels/filled.js";
import type { Kernels } from "../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../src/kernels/load.js";
import { fillRandom, formatTable, type MeasureOptions, measure, memcpyRate, rate } from "./harness.js";
import { type KernelCase, kernelCases } from "./kernels-cases.js";
import { figure, ratio, type Table } from "./section.js";

export interface KernelResult {
  readonly name: string;
  /** Result bytes per call. */
  readonly byteLength: number;
  /** GB/s of payload. */
  readonly wasm: number;
  readonly javascript: number;
  readonly memcpy: number;
}

/** Measures every kernel with about `byteLength` bytes of payload. Leaves the choice of kernels at "auto". */
export async function benchKernels(
  byteLength = 2 ** 20,
  options: MeasureOptions = {},
): Promise<KernelResult[]> {
  setKernels("wasm");
  const wasm = await loadKernels();
  await Promise.all([wasm.loadTransposition(), loadFilled(wasm)]);
  setKernels("javascript");
  const javascript = await loadKernels();
  setKernels("auto");
  const memcpy = memcpyRate(byteLength, options);
  return kernelCases(byteLength).map((kernelCase) => ({
    name: kernelCase.name,
    byteLength: kernelCase.payload,
    wasm: measureCase(wasm, kernelCase, options),
    javascript: measureCase(javascript, kernelCase, options),
    memcpy,
  }));
}

function measureCase(
  kernels: Kernels,
  { payload, source, target, request, run }: KernelCase,
  options: MeasureOptions,
): number {
  const plan = planCopy(request);
  const sourceOffset = plan.sourceBefore;
  const targetOffset = plan.targetBefore;
  kernels.begin(2 * (source + target));
  const operands = (seed: number) => ({
    target: fillRandom(kernels.allocate(target), seed),
    source: fillRandom(kernels.allocate(source), seed + 1),
  });
  const call =
    run === undefined
      ? (operand: { target: Uint8Array; source: Uint8Array }) =>
          kernels.copy(plan, operand.target, targetOffset, operand.source, sourceOffset)
      : (operand: { target: Uint8Array; source: Uint8Array }) => run(kernels, operand.target, operand.source);
  return rate(payload, measure([operands(1), operands(7)], call, options));
}

export function kernelTable(results: readonly KernelResult[]): Table {
  return {
    header: ["kernel", "bytes", "WASM GB/s", "TypeScript GB/s", "ratio", "memcpy GB/s"],
    rows: results.map(({ name, byteLength, wasm, javascript, memcpy }) => [
      name,
      String(byteLength),
      figure(wasm),
      figure(javascript),
      ratio(wasm, javascript),
      figure(memcpy),
    ]),
  };
}

// Checks the name of the program: in the bundle of another benchmark, import.meta.url is the URL of that bundle.
if (basename(process.argv[1] ?? "").startsWith("kernels.")) {
  const byteLength = Number(process.argv[2] ?? 2 ** 20);
  const { header, rows } = kernelTable(await benchKernels(byteLength));
  console.log(formatTable(header, rows));
}
