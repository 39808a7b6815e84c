/** Lists the cells in which wazarr misses its goals, and how much faster it could be there. */
import { type EndToEndResult, middleHalf, quickestTimesAsFast, timesAsFast, WRITE } from "./end-to-end.js";
import { figure, type Section, times } from "./section.js";

/** Goal: this many times zarrita's speed. */
const WANTED = 3;
/** Allowed multiples of TensorStore's time: for writes, for whole reads of compressed arrays, and for other reads. */
const WRITTEN = 1.5;
const DECOMPRESSED = 1.3;
const LEVEL = 1;
const PLAIN = ["bytes", "transpose"];

/** Goal for a cell, as a share of TensorStore's speed. */
function share({ workload, operation, selection }: EndToEndResult): number {
  if (operation === WRITE) return 1 / WRITTEN;
  const isPlain = workload.codecs.every(({ name }) => PLAIN.includes(name));
  return 1 / (isPlain || selection !== null ? LEVEL : DECOMPRESSED);
}

const isBelow = (times: number | undefined, wanted: number): boolean => times !== undefined && times < wanted;

const nameOf = ({ workload, operation }: EndToEndResult): string => `${workload.name}, ${operation}`;

export function explainShort(results: readonly EndToEndResult[]): Section[] {
  const thanZarrita = results.filter((result) => isBelow(timesAsFast(result, "zarrita"), WANTED));
  const thanTensorstore = results.filter((result) =>
    isBelow(timesAsFast(result, "tensorstore"), share(result)),
  );
  const sections: Section[] = [];
  if (thanZarrita.length > 0) {
    sections.push({
      title: "Less than three times zarrita",
      text: `Cells of the tables above, with what zarrita's time is of TensorStore's and of that of Node's file functions alone: opening, reading or writing and closing the same files, one after
the other, with the same warm memory each time. Where that is less than ${WANTED} nobody can be ${WANTED} times as fast as zarrita on files; where TensorStore's is, zarrita spends its time in the same compressor,
in C there and compiled to WebAssembly here.`,
      tables: [
        {
          header: ["cell", "wazarr", "TensorStore", "files alone"],
          rows: thanZarrita.map((result) => [
            nameOf(result),
            times(timesAsFast(result, "zarrita")),
            times(timesAsFast(result, "zarrita", "tensorstore")),
            times(timesAsFast(result, "zarrita", "files")),
          ]),
        },
      ],
      charts: [],
    });
  }
  if (thanTensorstore.length > 0) {
    sections.push({
      title: "Slower than TensorStore",
      text: `Cells of the tables above in which wazarr takes longer than TensorStore: at all, longer than ${DECOMPRESSED} times where everything is read and decompressed, longer than ${WRITTEN} times in writing. Beside it what
TensorStore's time is of that of Node's file functions alone, for the same parts of the same files in the same warm memory: nobody gets below that in Node, whatever it does with the bytes. "Half of the rounds": the least and the most of those in the middle; where 1 is between them, which of the two is faster is chance.
"Quickest turns": the same of the quickest turn of each, when the machine was least disturbed.`,
      tables: [
        {
          header: [
            "cell",
            "wazarr ms",
            "TensorStore ms",
            "files alone ms",
            "wazarr",
            "half of the rounds",
            "quickest turns",
            "files alone",
          ],
          rows: thanTensorstore.map((result) => [
            nameOf(result),
            figure(result.wasm),
            figure(result.tensorstore),
            figure(result.files),
            times(timesAsFast(result, "tensorstore")),
            (middleHalf(result, "tensorstore") ?? []).map(times).join(" to "),
            times(quickestTimesAsFast(result)),
            times(timesAsFast(result, "tensorstore", "files")),
          ]),
        },
      ],
      charts: [],
    });
  }
  return sections;
}
