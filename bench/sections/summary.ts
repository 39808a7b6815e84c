/** What the reads and writes of files come to, and the cells in which wazarr misses its goals. */
import { median, ratiosOfRounds, timesAsFast } from "../race.js";
import { against, milliseconds, type Section, times } from "../table.js";
import { type Cell, nameOf, WRITE } from "./files.js";

const PEERS = { zarrita: "zarrita", tensorstore: "TensorStore" } as const;
type Peer = keyof typeof PEERS;

type Own = "wasm" | "out";

const readsAll = ({ isWhole, operation }: Cell): boolean => isWhole && operation !== WRITE;

const KINDS: readonly (readonly [name: string, own: Own, fits: (cell: Cell) => boolean])[] = [
  ["reading everything", "wasm", readsAll],
  ["reading everything into `out`", "out", readsAll],
  ["reading a part", "wasm", ({ isWhole }) => !isWhole],
  ["writing", "wasm", ({ operation }) => operation === WRITE],
];

function speed({ turns }: Cell, peer: Peer, own: Own = "wasm"): number | undefined {
  return timesAsFast(turns[peer], turns[own]);
}

export const SUMMARY = "In short";

export function summarise(cells: readonly Cell[]): Section {
  const rows = KINDS.flatMap(([kind, own, fits]) =>
    (["zarrita", "tensorstore"] as const).flatMap((peer) => {
      const found = cells.filter(fits).flatMap((cell) => {
        const ratio = speed(cell, peer, own);
        return ratio === undefined ? [] : [{ cell, ratio }];
      });
      const [least] = found.toSorted((a, b) => a.ratio - b.ratio);
      if (least === undefined) return [];
      const middle = median(found.map(({ ratio }) => ratio));
      return [[kind, PEERS[peer], `${found.length}`, times(middle), times(least.ratio), nameOf(least.cell)]];
    }),
  );
  return {
    title: SUMMARY,
    text: "How many times as fast as its peers wazarr was in the cells of the following tables: the median of all cells, and the least.",
    tables: [{ header: ["", "against", "cells", "median", "least", "where"], rows }],
  };
}

/** The goals: this many times zarrita's speed, and of TensorStore's time at most so many times. */
const ZARRITA = 3;
const WRITTEN = 1.5;
const DECOMPRESSED = 1.3;
const PLAIN = ["bytes", "transpose"];

function allowed({ array, operation, isWhole }: Cell): number {
  if (operation === WRITE) return WRITTEN;
  return isWhole && !array.codecs.every(({ name }) => PLAIN.includes(name)) ? DECOMPRESSED : 1;
}

/** @returns undefined if there is no such cell */
export function shortOfGoals(cells: readonly Cell[]): Section | undefined {
  const below = (cell: Cell, peer: Peer, goal: number): boolean => (speed(cell, peer) ?? goal) < goal;
  const short = cells.filter(
    (cell) => below(cell, "zarrita", ZARRITA) || below(cell, "tensorstore", 1 / allowed(cell)),
  );
  if (short.length === 0) return undefined;
  return {
    title: "Short of the goals",
    text: `These are the cells of the tables above in which wazarr misses a goal. The goals are ${ZARRITA} times the speed of zarrita, and the speed of TensorStore: all of it for reads, 1/${DECOMPRESSED} of it for whole reads with decompression, 1/${WRITTEN} of it for writes.

"Half of the rounds" gives the least and the greatest ratio to TensorStore in the middle half of the rounds. If 1 is between them, chance decides which of the two is faster. The last two columns show limits. They compare zarrita with TensorStore, if zarrita spends its time in the same compressor, and with Node's file functions alone.`,
    tables: [
      {
        header: [
          "cell",
          "wazarr ms",
          "against zarrita",
          "against TensorStore",
          "half of the rounds",
          "TensorStore against zarrita",
          "files alone against zarrita",
        ],
        rows: short.map((cell) => {
          const { turns } = cell;
          return [
            nameOf(cell),
            milliseconds(turns.wasm),
            against(turns.zarrita, turns.wasm),
            against(turns.tensorstore, turns.wasm),
            middleHalf(ratiosOfRounds(turns.tensorstore, turns.wasm)),
            against(turns.zarrita, turns.tensorstore),
            against(turns.zarrita, turns.files),
          ];
        }),
      },
    ],
  };
}

function middleHalf(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  return sorted.length === 0 ? "" : `${times(sorted[quarter])} to ${times(sorted.at(-1 - quarter))}`;
}
