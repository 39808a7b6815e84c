/** Kernels: WebAssembly, JavaScript fallback and memcpy, on operands in the arena. */
import { planCopy } from "../../src/kernels/copy-plan.js";
import { loadFilled } from "../../src/kernels/filled.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import { fillRandom, randomBytes } from "../fields.js";
import { type Care, measure, rate } from "../race.js";
import { figure, type Section, times } from "../table.js";
import { type KernelCase, kernelCases } from "./kernels-cases.js";

const BYTES = 2 ** 20;

export async function benchKernels({ isQuick }: Care): Promise<Section> {
  setKernels("wasm");
  const wasm = await loadKernels();
  await Promise.all([wasm.loadTransposition(), loadFilled(wasm)]);
  setKernels("javascript");
  const javascript = await loadKernels();
  setKernels("auto");
  const memcpy = figure(memcpyRate(BYTES, isQuick));
  const rows = kernelCases(BYTES).map((kernelCase) => {
    const own = rateOf(wasm, kernelCase, isQuick);
    const fallback = rateOf(javascript, kernelCase, isQuick);
    const { name, payload } = kernelCase;
    return [name, String(payload), figure(own), figure(fallback), times(own / fallback), memcpy];
  });
  return {
    title: "Kernels",
    text: "Operands have 1 MiB and stay in place. The figures are GB/s of payload, median.",
    tables: [{ header: ["kernel", "bytes", "WASM GB/s", "TypeScript GB/s", "ratio", "memcpy GB/s"], rows }],
  };
}

function rateOf(
  kernels: Kernels,
  { payload, source, target, request, run }: KernelCase,
  isQuick: boolean,
): number {
  const plan = planCopy(request);
  kernels.begin(2 * (source + target));
  const operands = (seed: number) => ({
    target: fillRandom(kernels.allocate(target), seed),
    source: fillRandom(kernels.allocate(source), seed + 1),
  });
  type Operands = ReturnType<typeof operands>;
  const copy = (to: Uint8Array, from: Uint8Array) =>
    kernels.copy(plan, to, plan.targetBefore, from, plan.sourceBefore);
  const call =
    run === undefined
      ? ({ target, source }: Operands) => copy(target, source)
      : ({ target, source }: Operands) => run(kernels, target, source);
  return rate(payload, measure([operands(1), operands(7)], call, isQuick));
}

/** The speed of memory in GB/s, a reference for other figures: `TypedArray.set` of `byteLength` bytes. */
export function memcpyRate(byteLength: number, isQuick: boolean): number {
  const pair = (seed: number) => ({
    target: randomBytes(byteLength, seed),
    source: randomBytes(byteLength, seed + 1),
  });
  const seconds = measure([pair(1), pair(3)], ({ target, source }) => target.set(source), isQuick);
  return rate(byteLength, seconds);
}
