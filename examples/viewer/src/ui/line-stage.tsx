/** An array of one dimension as a line. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { decodedElements, decodedNumbers, wordsOfElement } from "../data/decode.js";
import { type Layer, labelOf } from "../data/layers.js";
import { axisOf } from "../data/steps.js";
import { wordsOfNumber } from "../data/values.js";
import { type Interval, readWindow } from "../data/window.js";
import { showProblem } from "../open/opening.js";
import { problems, readout, waiting } from "../session.js";
import { ArrayHead } from "./array-head.js";
import { Pager } from "./pager.js";
import { type Line, Plot } from "./plot.js";

/** Values that are read and drawn at one time. */
const MOST = 1 << 20;

interface Shown {
  readonly first: number;
  readonly x: Float64Array;
  readonly lines: readonly Line[];
  readonly values: Float64Array;
  /** Integers of 64 bits, which a line rounds. */
  readonly exact: readonly unknown[] | undefined;
}

export function LineStage({ layer }: { readonly layer: Layer }) {
  const [dimension = { name: "", length: 0 }] = layer.dimensions;
  const interval = useSignal<Interval>([0, Math.min(MOST, dimension.length)]);
  const shown = useSignal<Shown | undefined>(undefined);
  const marked = useSignal(0);
  const [first, end] = interval.value;
  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    const read = async (): Promise<void> => {
      try {
        shown.value = await readLine(layer, [first, end], signal);
        marked.value = first;
        problems.value = [];
        waiting.value = "0";
      } catch (error) {
        if (!signal.aborted) showProblem(error, () => void read());
      }
    };
    void read();
    return () => reading.abort();
  }, [layer, first, end]);

  /** @param index undefined: none */
  const say = (index: number | undefined): void => {
    const { values, exact, first } = shown.value ?? {};
    const value = index === undefined || first === undefined ? undefined : values?.[index - first];
    if (index === undefined || value === undefined || first === undefined) {
      readout.value = "";
      return;
    }
    marked.value = index;
    const where = `${dimension.name} ${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""}`;
    const words = exact ? wordsOfElement(exact[index - first]) : wordsOfNumber(value);
    readout.value = `${where}: ${Number.isNaN(value) ? "no value" : words} ${layer.unit ?? ""}`.trim();
  };
  const line = shown.value;
  const isEmpty = line?.values.every(Number.isNaN);
  return (
    <main class="with-panels">
      <ArrayHead layer={layer} />
      <div id="chart">
        <section
          class="line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from value to value
          tabIndex={0}
          aria-label={`${layer.title}: arrow keys go through its values`}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            say(Math.min(end - 1, Math.max(first, marked.value + step)));
          }}
        >
          {isEmpty ? (
            <p id="words">No values here: all are NaN or missing.</p>
          ) : (
            line && (
              <Plot
                name={nameOf(layer, line.values)}
                x={line.x}
                isTime={dimension.isTime === true}
                lines={line.lines}
                mark={line.x[marked.value - line.first]}
                onIndex={(index) => say(index === undefined ? undefined : line.first + index)}
              />
            )
          )}
        </section>
        <Pager
          name="Values"
          page={interval.value}
          length={dimension.length}
          most={MOST}
          onPage={(next) => {
            interval.value = next;
          }}
        />
      </div>
    </main>
  );
}

async function readLine(layer: Layer, interval: Interval, signal: AbortSignal): Promise<Shown> {
  const stored = await readWindow(layer, [0], { x: interval, y: interval }, signal);
  signal.throwIfAborted();
  const values = decodedNumbers(layer, stored);
  const exact = /^u?int64$/.test(layer.dtype) ? decodedElements(layer, stored) : undefined;
  const [dimension] = layer.dimensions;
  const axis = dimension ? axisOf(dimension).subarray(...interval) : new Float64Array();
  // An axis of dates counts seconds; one that does not ascend, as names do not, counts elements.
  const isAscending = axis.every((value, i) => i === 0 || value > (axis[i - 1] ?? Number.NaN));
  const x = isAscending
    ? axis.map((value) => (dimension?.isTime ? value / 1000 : value))
    : Float64Array.from(values, (_, i) => interval[0] + i);
  return { first: interval[0], x, lines: [{ name: layer.title, pin: 0, values }], values, exact };
}

function nameOf(layer: Layer, values: Float64Array): string {
  let [low, high] = [Number.NaN, Number.NaN];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (!(low <= value)) low = value;
    if (!(high >= value)) high = value;
  }
  const range = Number.isNaN(low) ? "no values" : `from ${wordsOfNumber(low)} to ${wordsOfNumber(high)}`;
  return `${layer.title} along ${layer.dimensions[0]?.name}: ${range} ${layer.unit ?? ""}`.trim();
}
