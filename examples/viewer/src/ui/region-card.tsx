/** Mean, extremes, histogram and series of the region that is drawn on the picture. */
import { useSignal } from "@preact/signals";
import { Download, X } from "lucide";
import { useEffect } from "preact/hooks";
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { short, shortWithin } from "../data/numbers.js";
import { regionsOf, type Statistics } from "../data/region.js";
import { axisOf } from "../data/steps.js";
import { csvOfSeries, save } from "../export/files.js";
import { wordsOf } from "../open/opening.js";
import type { Point } from "../picture/controls.js";
import { act, tool } from "../session.js";
import { chooseIndex, page, remember } from "../state-of-page.js";
import { Extremes } from "./extremes.js";
import { Icon } from "./icon.js";
import { Panel } from "./panel.js";
import { type Line, Plot } from "./plot.js";

export function RegionCard() {
  const shown = act.value;
  const { region } = page.value;
  if (shown.kind !== "picture") return null;
  if (region.length > 1) return <Region layer={shown.layer} region={region} />;
  if (tool.value !== "region") return null;
  return (
    <Panel name="Region" tab="answers">
      <p>Drag a box over the picture, or click the corners of a polygon and double-click the last one.</p>
    </Panel>
  );
}

interface Series {
  readonly x: Float64Array;
  readonly lines: readonly Line[];
}

function Region({ layer, region }: { readonly layer: Layer; readonly region: readonly Point[] }) {
  const statistics = useSignal<Statistics | undefined>(undefined);
  const series = useSignal<Series | undefined>(undefined);
  const words = useSignal("");
  const { indices: chosen } = page.value;
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, chosen));
  const [main = -1] = sliderDimensions(layer);
  const dimension = layer.dimensions[main];
  const place = region.map(({ x, y }) => `${x},${y}`).join();
  const key = indices.filter((_, d) => d !== layer.x && d !== layer.y).join();
  const others = indices.filter((_, d) => d !== layer.x && d !== layer.y && d !== main).join();
  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    const regions = regionsOf(layer);
    // While the box is dragged, only its last form is read.
    const timer = setTimeout(() => {
      words.value = "Reading…";
      regions.statistics(region, indices, signal).then(
        (found) => {
          statistics.value = found;
          words.value = "";
        },
        (error: unknown) => {
          if (!signal.aborted) words.value = wordsOf(error);
        },
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      reading.abort();
      regions.close();
    };
  }, [layer, place, key]);
  useEffect(() => {
    if (!dimension) return;
    const reading = new AbortController();
    const { signal } = reading;
    const regions = regionsOf(layer);
    series.value = undefined;
    const timer = setTimeout(() => {
      regions.series(region, indices, dimension.name, signal).then(
        (values) => {
          const axis = axisOf(dimension);
          const x = dimension.isTime ? axis.map((value) => value / 1000) : axis;
          series.value = { x, lines: [{ name: "mean", pin: 0, values }] };
        },
        (error: unknown) => {
          if (!signal.aborted) words.value = wordsOf(error);
        },
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      reading.abort();
      regions.close();
    };
  }, [layer, place, others]);
  const { value: found } = statistics;
  return (
    <Panel
      name="Region"
      tab="answers"
      class="shrinks"
      head={
        <button
          type="button"
          class="button small bare"
          aria-label="Remove the region"
          onClick={() => remember({ region: [] })}
        >
          <Icon of={X} />
        </button>
      }
    >
      <div id="region">
        {found && <Found statistics={found} unit={layer.unit} />}
        <p class="meta" role="status">
          {words.value}
        </p>
        {dimension && series.value && (
          <>
            <div class="row">
              <span class="meta grow">Mean along {dimension.name}</span>
              <button
                type="button"
                class="button small bare"
                aria-label="Save the means as CSV"
                title="Save the means as CSV"
                onClick={() =>
                  series.value &&
                  save(
                    new Blob([csvOfSeries(dimension, series.value.lines)], { type: "text/csv" }),
                    layer,
                    "csv",
                  )
                }
              >
                <Icon of={Download} />
              </button>
            </div>
            <Plot
              name={`Mean of the region along ${dimension.name}`}
              x={series.value.x}
              isTime={dimension.isTime === true}
              lines={series.value.lines}
              mark={series.value.x[indices[main] ?? 0]}
              height={150}
              onClick={(index) => chooseIndex(dimension.name, index)}
            />
            <Extremes dimension={dimension} values={series.value.lines[0]?.values ?? []} unit={layer.unit} />
          </>
        )}
      </div>
    </Panel>
  );
}

function Found({ statistics, unit }: { readonly statistics: Statistics; readonly unit: string | undefined }) {
  const { mean, low, high, count, total, histogram, isWeighted } = statistics;
  const words = (value: number): string => shortWithin(value, high - low);
  const most = Math.max(1, ...histogram);
  return (
    <>
      <p class="answer">
        {count === 0 ? "No values" : words(mean)}
        {unit && count > 0 && <small>{unit}</small>}
      </p>
      <p class="meta">mean{isWeighted ? ", weighted by area" : ""}</p>
      <dl class="facts">
        <div>
          <dt>Lowest</dt>
          <dd>{words(low)}</dd>
        </div>
        <div>
          <dt>Highest</dt>
          <dd>{words(high)}</dd>
        </div>
        <div>
          <dt>Elements</dt>
          <dd>{count === total ? short(count) : `${short(count)} of ${short(total)}`}</dd>
        </div>
      </dl>
      <svg
        class="histogram"
        viewBox={`0 0 ${histogram.length} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Histogram from ${words(low)} to ${words(high)}`}
      >
        {histogram.map((bar, i) => {
          const height = (40 * bar) / most;
          return <rect key={i} x={i} y={40 - height} width={0.85} height={height} fill="var(--accent)" />;
        })}
      </svg>
    </>
  );
}
