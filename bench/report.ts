/** `npm run bench:report`: runs the benchmarks once and writes docs/performance.md and its charts from that run alone. */
import { mkdirSync, writeFileSync } from "node:fs";
import { benchEndToEnd, type EndToEndResult } from "./end-to-end.js";
import { benchKernels, type KernelResult } from "./kernels.js";
import { describeMachine, type Machine } from "./machine.js";

const HOST = "docs/performance.md";
const CHARTS = "docs/images";

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map((_, i) => (i < 2 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

const milliseconds = (value: number | undefined): string =>
  value === undefined ? "" : value < 10 ? value.toFixed(1) : value.toFixed(0);
const ratio = (peer: number | undefined, own: number): string =>
  peer === undefined ? "" : `${(peer / own).toFixed(2)}x`;

function endToEndTable(results: readonly EndToEndResult[]): string {
  return table(
    [
      "data",
      "operation",
      "wazarr",
      "its TypeScript twin",
      "zarrita",
      "TensorStore",
      "against zarrita",
      "against TensorStore",
    ],
    results.map((row) => [
      row.workload,
      row.operation,
      milliseconds(row.wasm),
      milliseconds(row.javascript),
      milliseconds(row.zarrita),
      milliseconds(row.tensorstore),
      ratio(row.zarrita, row.wasm),
      ratio(row.tensorstore, row.wasm),
    ]),
  );
}

function kernelTable(results: readonly KernelResult[]): string {
  return table(
    ["kernel", "bytes", "WASM GB/s", "TypeScript GB/s", "ratio", "memcpy GB/s"],
    results.map(({ name, byteLength, wasm, javascript, memcpy }) => [
      name,
      String(byteLength),
      wasm.toFixed(1),
      javascript.toFixed(1),
      `${(wasm / javascript).toFixed(1)}x`,
      memcpy.toFixed(1),
    ]),
  );
}

/** Bars of how many times faster than zarrita, on a scale that ends at the largest. */
function chart(results: readonly EndToEndResult[], title: string): string {
  const rows = results.flatMap(({ workload, wasm, zarrita }) =>
    zarrita === undefined ? [] : [{ label: workload, value: zarrita / wasm }],
  );
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const [left, width, height] = [190, 420, 24];
  const bars = rows.map(({ label, value }, i) => {
    const y = 44 + i * height;
    const length = (value / most) * width;
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${label}</text><rect x="${left}" y="${y + 3}" width="${length.toFixed(1)}" height="15" rx="2" fill="#3a7d5c"/><text x="${(left + length + 6).toFixed(1)}" y="${y + 14}">${value.toFixed(1)}x</text>`;
  });
  const one = left + width / most;
  const bottom = 44 + rows.length * height;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 70}" height="${bottom + 14}" font-family="sans-serif" font-size="12" fill="#222"><rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="14" font-weight="bold">${title}</text>${bars.join("")}<line x1="${one}" x2="${one}" y1="38" y2="${bottom}" stroke="#b33" stroke-dasharray="3 3"/></svg>\n`;
}

function page(
  machine: Machine,
  kernels: readonly KernelResult[],
  results: readonly EndToEndResult[],
): string {
  return `# Performance

Written by \`npm run bench:report\` from one run: ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${machine.commit}, ${machine.date}.
Load of the machine when the run began and when it ended: ${machine.load}. Where that is far above 0 other work ran beside it: ratios hold better than times.

## Reading and writing

256^3 float32 (64 MiB: a smooth field with a little noise) on the file system, in page cache; median milliseconds, all rivals in turn in the same run. zarrita
is 0.7.5 with \`@zarrita/storage\`; TensorStore runs on one core with one copy and one I/O thread. A fresh result of 64 MiB costs some 30 ms of page
faults alone, in every implementation: \`get\` takes \`out\` to spare them, and \`GLIBC_TUNABLES=glibc.malloc.hugetlb=1 node ...\` makes them rarer (Linux).
zarrita writes no gzip and no shards, and ignores the \`shuffle\` of blosc when writing.

${endToEndTable(results)}

![Reading everything, times faster than zarrita](images/read-whole.svg)
![Reading one plane, times faster than zarrita](images/read-plane.svg)

## Kernels

Operands of 1 MiB in place, payload bytes per second, median.

${kernelTable(kernels)}
`;
}

const before = describeMachine();
const kernels = await benchKernels(2 ** 20);
const results = await benchEndToEnd({ reads: 9, writes: 3 });
const after = describeMachine();
mkdirSync(CHARTS, { recursive: true });
const of = (operation: string) => results.filter((row) => row.operation === operation);
writeFileSync(
  `${CHARTS}/read-whole.svg`,
  chart(of("read whole"), "Reading everything, times faster than zarrita"),
);
writeFileSync(
  `${CHARTS}/read-plane.svg`,
  chart(of("read [:, :, 5]"), "Reading one plane, times faster than zarrita"),
);
writeFileSync(HOST, page({ ...before, load: `${before.load} and ${after.load}` }, kernels, results));
console.log(`${HOST} and two charts written`);
