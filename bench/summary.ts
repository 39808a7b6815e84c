/** Summarises all reads and writes in a few lines. */
import { type EndToEndResult, timesAsFast, WRITE } from "./end-to-end.js";
import { median } from "./harness.js";
import type { Section } from "./section.js";

const KINDS: readonly (readonly [name: string, fits: (operation: string) => boolean])[] = [
  ["reading everything", (operation) => operation === "read whole"],
  ["reading a part", (operation) => operation !== "read whole" && operation !== WRITE],
  ["writing", (operation) => operation === WRITE],
];

export const SUMMARY = "In short";

export function summarise(results: readonly EndToEndResult[]): Section {
  const rows = KINDS.flatMap(([name, fits]) =>
    (["zarrita", "tensorstore"] as const).flatMap((peer) => {
      const cells = results.flatMap((result) => {
        const { workload, operation } = result;
        const times = fits(operation) ? timesAsFast(result, peer) : undefined;
        return times === undefined ? [] : [{ cell: `${workload.name}, ${operation}`, times }];
      });
      const least = cells.toSorted((a, b) => a.times - b.times)[0];
      if (least === undefined) return [];
      return [
        [
          name,
          peer === "zarrita" ? "zarrita" : "TensorStore",
          String(cells.length),
          `${median(cells.map(({ times }) => times)).toFixed(2)}x`,
          `${least.times.toFixed(2)}x`,
          least.cell,
        ],
      ];
    }),
  );
  return {
    title: SUMMARY,
    text: "How many times as fast as its peers wazarr was in the cells of the following tables: the middle one of all cells, and the least.",
    tables: [{ header: ["", "against", "cells", "median", "least", "where"], rows }],
    charts: [],
  };
}
