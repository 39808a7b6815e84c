/** The values at the pinned points, and the series through them. */
import { useSignal } from "@preact/signals";
import { Download, X } from "lucide";
import { useEffect, useMemo } from "preact/hooks";
import { decodedElements, wordsOfElement } from "../data/decode.js";
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { axisOf } from "../data/steps.js";
import { csvOfSeries, save } from "../export/files.js";
import { showProblem } from "../open/opening.js";
import { stageFor } from "../picture/choose-stage.js";
import { comparedIndices, comparedWith } from "../picture/comparison.js";
import type { Point } from "../picture/controls.js";
import { placeOf, seriesAt, valuesAt } from "../probe.js";
import { act, otherVariable } from "../session.js";
import { chooseIndex, page } from "../state-of-page.js";
import { Extremes } from "./extremes.js";
import { Icon } from "./icon.js";
import { Panel } from "./panel.js";
import { letterOf, unpin } from "./pins.js";
import { type Line, Plot } from "./plot.js";

export function PointCard() {
  const shown = act.value;
  const { points } = page.value;
  if (shown.kind !== "picture") return null;
  const { layer } = shown;
  if (stageFor(layer, page.value) === "planes") return <Cross layer={layer} />;
  const inside = points.filter(({ x, y }) => isIn(layer, x, y));
  return inside.length === 0 ? null : <Points layer={layer} points={inside} />;
}

/** The element that three planes go through, with the lines through it. */
function Cross({ layer }: { readonly layer: Layer }) {
  const indexOf = (d: number): number => {
    const dimension = layer.dimensions[d];
    return dimension ? chosenIndex(dimension, page.value.indices) : 0;
  };
  const [x, y] = [indexOf(layer.x), indexOf(layer.y)];
  const points = useMemo(() => [{ x, y }], [x, y]);
  return <Points layer={layer} points={points} isCross />;
}

const isIn = ({ dimensions, x, y }: Layer, column: number, row: number): boolean =>
  column >= 0 && row >= 0 && column < (dimensions[x]?.length ?? 0) && row < (dimensions[y]?.length ?? 0);

interface Series {
  readonly along: number;
  /** Ascending, as the axis of a chart is. */
  readonly x: ArrayLike<number>;
  readonly lines: readonly (Line & { readonly values: Float64Array })[];
  readonly isTurned: boolean;
}

/** Lines over an axis that ascends. @param values of each line, by its name, along the dimension */
function seriesOf(
  { dimensions }: Layer,
  along: number,
  values: readonly (readonly [name: string, line: Float64Array])[],
): Series {
  const dimension = dimensions[along];
  const axis = dimension ? axisOf(dimension) : new Float64Array();
  const x = dimension?.isTime ? axis.map((value) => value / 1000) : axis;
  const isTurned = (x[0] ?? 0) > (x[x.length - 1] ?? 0);
  const turned = (list: Float64Array): Float64Array => (isTurned ? list.slice().reverse() : list);
  const lines = values.map(([name, line], pin) => ({ name, pin, values: turned(line) }));
  return { along, x: turned(x), lines, isTurned };
}

interface PointsProps {
  readonly layer: Layer;
  readonly points: readonly Point[];
  /** Whether planes cross there, which a click moves. Default: the points are pinned. */
  readonly isCross?: boolean;
}

function Points({ layer, points, isCross = false }: PointsProps) {
  const along = useSignal<number | undefined>(undefined);
  const values = useSignal<readonly string[]>([]);
  const series = useSignal<Series | undefined>(undefined);
  const { indices: chosen, compared } = page.value;
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, chosen));
  const key = indices.filter((_, d) => d !== layer.x && d !== layer.y).join();
  const choices = [...sliderDimensions(layer), layer.x, layer.y];
  const first = choices[0] ?? layer.x;
  const dimension = along.value !== undefined && choices.includes(along.value) ? along.value : first;
  const others = indices.filter((_, d) => d !== layer.x && d !== layer.y && d !== dimension).join();
  useEffect(() => {
    const reading = new AbortController();
    void valuesOf(layer, indices, points, reading.signal).then(
      (found) => {
        values.value = found;
      },
      () => {
        // The tile says what failed.
      },
    );
    return () => reading.abort();
  }, [layer, points, key, compared, otherVariable.value]);
  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    const read = async (): Promise<void> => {
      const found = await linesOf(layer, indices, points, dimension, signal);
      if (!signal.aborted) series.value = seriesOf(layer, dimension, found);
    };
    const run = (): void =>
      void read().catch((error: unknown) => {
        if (!signal.aborted) showProblem(error, run);
      });
    run();
    return () => reading.abort();
  }, [layer, points, dimension, others]);

  const last = points.length - 1;
  const newest = points[last];
  return (
    <Panel
      name={newest ? `${isCross ? "Lines" : letterOf(last)} · ${nameOf(layer, newest)}` : "Points"}
      tab="answers"
      class="shrinks"
    >
      <p class={layer.channels ? "answer many" : "answer"}>
        {values.value[last] ?? "…"}
        {layer.unit && <small>{layer.unit}</small>}
      </p>
      {newest && <p class="meta">{placeOf(layer, newest)}</p>}
      <div class="row">
        <fieldset class="choices" aria-label="Along">
          {choices.map((d) => (
            <button
              type="button"
              class="button small"
              key={d}
              aria-pressed={d === dimension}
              onClick={() => {
                along.value = d;
              }}
            >
              {layer.dimensions[d]?.name}
            </button>
          ))}
        </fieldset>
        <span class="grow" />
        <button
          type="button"
          class="button small bare"
          aria-label="Save the series as CSV"
          title="Save the series as CSV"
          onClick={() => series.value && saveSeries(layer, series.value)}
        >
          <Icon of={Download} />
        </button>
      </div>
      {series.value && <SeriesPlot {...{ layer, points, isCross, indices }} series={series.value} />}
      <ul class="pins" hidden={isCross}>
        {points.map((point, pin) => (
          <li class="pin" key={`${point.x},${point.y}`} data-pin={pin}>
            <span class="dot">{letterOf(pin)}</span>
            <span class="cut">{nameOf(layer, point)}</span>
            <b class="number">{values.value[pin] ?? "…"}</b>
            <button
              type="button"
              class="button small bare"
              aria-label={`Remove point ${letterOf(pin)}`}
              onClick={() => unpin(point)}
            >
              <Icon of={X} />
            </button>
          </li>
        ))}
      </ul>
      <p class="meta">
        {isCross ? "Click a plane to move the lines." : "Click the picture to pin another point."}
      </p>
    </Panel>
  );
}

/** A line of each point; of channels, one of each through the newest point. */
async function linesOf(
  layer: Layer,
  indices: readonly number[],
  points: readonly Point[],
  along: number,
  signal: AbortSignal,
): Promise<readonly (readonly [name: string, line: Float64Array])[]> {
  const { channels } = layer;
  const newest = points.at(-1);
  const wanted =
    channels && newest
      ? channels.list.map(({ name }, c) => [name, newest, indices.with(channels.dimension, c)] as const)
      : points.map((point, pin) => [letterOf(pin), point, indices] as const);
  return Promise.all(
    wanted.map(async ([name, point, at]) => [name, await seriesAt(layer, at, point, along, signal)] as const),
  );
}

interface SeriesPlotProps {
  readonly layer: Layer;
  readonly points: readonly Point[];
  readonly series: Series;
  readonly indices: readonly number[];
  readonly isCross: boolean;
}

function SeriesPlot({ layer, points, series, indices, isCross }: SeriesPlotProps) {
  const { along, x, lines, isTurned } = series;
  const dimension = layer.dimensions[along];
  if (!dimension) return null;
  const [newest] = points.slice(-1);
  const isOnScreen = along === layer.x || along === layer.y;
  const index = along === layer.x ? newest?.x : along === layer.y ? newest?.y : indices[along];
  const turned = (at: number): number => (isTurned ? dimension.length - 1 - at : at);
  const place = newest && !isOnScreen ? ` at ${placeOf(layer, newest)}` : "";
  return (
    <figure id="profile">
      <Plot
        name={`${layer.title} along ${dimension.name}${place}`}
        x={x}
        isTime={dimension.isTime === true}
        lines={lines}
        mark={index === undefined ? undefined : x[turned(index)]}
        height={170}
        onClick={isOnScreen && !isCross ? undefined : (at) => chooseIndex(dimension.name, turned(at))}
      />
      {layer.channels ? (
        <ul class="swatches">
          {lines.map(({ name, pin }) => (
            <li key={name}>
              <span class="swatch" style={{ background: `var(--pin-${pin % 3})` }} />
              {name}
            </li>
          ))}
        </ul>
      ) : (
        lines.length === 1 && (
          <Extremes
            dimension={dimension}
            values={inOrder(lines[0]?.values ?? [], isTurned)}
            unit={layer.unit}
          />
        )
      )}
    </figure>
  );
}

/** Values in the order of the steps. */
const inOrder = (values: ArrayLike<number>, isTurned: boolean): ArrayLike<number> =>
  isTurned ? Array.from(values).reverse() : values;

async function valuesOf(
  layer: Layer,
  indices: readonly number[],
  points: readonly Point[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = points.map(async (point) => {
    const stored = await valuesAt(layer, indices, point, layer.channels?.dimension, signal);
    const words = decodedElements(layer, stored).map((value, c) => {
      const name = layer.classes?.get(Number(value));
      const channel = layer.channels?.list[c];
      const number = wordsOfElement(value).replace(/^-/, "−");
      if (channel) return `${channel.name} ${number}`;
      return value !== undefined && name !== undefined ? name : number;
    });
    const there = await comparedWords(layer, point, signal);
    return `${there}${words.join(", ")}`;
  });
  return Promise.all(all);
}

/** "271.3 → ": the value of what the picture is compared with. */
async function comparedWords(layer: Layer, point: Point, signal: AbortSignal): Promise<string> {
  const compared = comparedWith(layer);
  if (!compared) return "";
  const stored = await valuesAt(compared.layer, comparedIndices(compared), point, undefined, signal);
  const [value] = decodedElements(compared.layer, stored);
  return `${wordsOfElement(value).replace(/^-/, "−")} → `;
}

function nameOf({ dimensions, x, y }: Layer, point: Point): string {
  const [down, across] = [dimensions[y], dimensions[x]];
  return [down && stepInWords(down, point.y), across && stepInWords(across, point.x)]
    .filter(Boolean)
    .join(", ");
}

function saveSeries(layer: Layer, { along, lines, isTurned }: Series): void {
  const dimension = layer.dimensions[along];
  if (!dimension) return;
  const inOrder = lines.map((line) => ({
    ...line,
    values: isTurned ? [...line.values].reverse() : line.values,
  }));
  save(new Blob([csvOfSeries(dimension, inOrder)], { type: "text/csv" }), layer, "csv");
}
