/** The cells in which wazarr is less than three times as fast as zarrita, and what there is to be had in them. */
import type { EndToEndResult } from "./end-to-end.js";
import { ratio, type Section } from "./section.js";

const WANTED = 3;

export function explainShort(results: readonly EndToEndResult[]): Section | undefined {
  const short = results.filter(
    ({ wasm, zarrita }) => wasm !== undefined && zarrita !== undefined && zarrita / wasm < WANTED,
  );
  if (short.length === 0) return undefined;
  return {
    title: "Less than three times zarrita",
    text: `Cells of the tables above, with what zarrita's time is of TensorStore's and of that of Node's file functions alone: opening, reading or writing and closing the same files, one after
the other, with the same warm memory each time. Where that is less than ${WANTED} nobody can be ${WANTED} times as fast as zarrita on files; where TensorStore's is, zarrita spends its time in the same compressor,
in C there and compiled to WebAssembly here.`,
    tables: [
      {
        header: ["cell", "wazarr", "TensorStore", "files alone"],
        rows: short.map(({ workload, operation, wasm, zarrita, tensorstore, files }) => [
          `${workload.name}, ${operation}`,
          ratio(zarrita, wasm),
          ratio(zarrita, tensorstore),
          ratio(zarrita, files),
        ]),
      },
    ],
    charts: [],
  };
}
