/** The histogram of what is on the screen over the colours, with a limit at each end. */
import { useEffect, useRef } from "preact/hooks";
import type { Layer } from "../data/layers.js";
import { plain, shortWithin } from "../data/numbers.js";
import { baseOf, COLOUR_MAPS, type ColourMapName, coloursOf, isColourMap } from "../picture/colour-maps.js";
import { decodedRange, type Range } from "../picture/contrast.js";
import { partOf, valueAt } from "../picture/curve.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import { seen, waiting } from "../session.js";
import { CURVES, type Curve } from "../state.js";
import { page, remember } from "../state-of-page.js";
import { theme } from "./theme.js";

const BARS = 48;
const CURVE_NAMES: Readonly<Record<Curve, string>> = {
  linear: "Linear",
  log: "Log",
  symmetric: "Symmetric log",
};

export function Legend({ layer }: { readonly layer: Layer }) {
  const { curve } = page.value;
  const colours = coloursFor(layer, page.value);
  const { ranges, samples } = seen.value;
  const stored = ranges.get(ONLY);
  if (!stored)
    return (
      <p class="meta">{waiting.value === "0" ? "There are no values on the screen." : "Reading values…"}</p>
    );
  const range = decodedRange(layer, stored);
  const values = samples.map((value) => value * layer.scale + layer.offset);
  const domain = domainOf(values, range);
  const { base, isReversed } = baseOf(colours);
  const setRange = (low: number, high: number): void => {
    if (Number.isFinite(low) && Number.isFinite(high)) remember({ range: [low, high] });
  };
  const setColours = (name: string, reversed: boolean): void => {
    const chosen = `${name}${reversed ? "_r" : ""}`;
    if (isColourMap(chosen)) remember({ colours: chosen });
  };
  return (
    <>
      <Histogram values={values} domain={domain} range={range} curve={curve} colours={colours} />
      <div class="limits">
        {(["low", "high"] as const).map((end) => (
          <Limit
            key={end}
            end={end}
            range={range}
            domain={domain}
            curve={curve}
            unit={layer.unit}
            onChange={(value) =>
              end === "low"
                ? setRange(Math.min(value, range[1]), range[1])
                : setRange(range[0], Math.max(value, range[0]))
            }
          />
        ))}
      </div>
      <div class="ends">
        <input
          id="low"
          type="number"
          step="any"
          aria-label="Value of the first colour"
          value={plain(range[0])}
          onChange={(event) => setRange(event.currentTarget.valueAsNumber, range[1])}
        />
        <input
          id="high"
          type="number"
          step="any"
          aria-label="Value of the last colour"
          value={plain(range[1])}
          onChange={(event) => setRange(range[0], event.currentTarget.valueAsNumber)}
        />
        <button
          type="button"
          class="button small lined"
          title="2 to 98 % of what is on the screen"
          onClick={() => remember({ range: undefined })}
        >
          Auto
        </button>
      </div>
      <div class="row choice">
        <select
          id="map"
          class="grow"
          aria-label="Colour map"
          value={base}
          onChange={(event) => setColours(event.currentTarget.value, isReversed)}
        >
          {COLOUR_MAPS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="row">
        <select
          id="curve"
          class="grow"
          aria-label="Scale of the colours"
          value={curve}
          onChange={(event) =>
            remember({ curve: CURVES.find((name) => name === event.currentTarget.value) ?? "linear" })
          }
        >
          {CURVES.map((name) => (
            <option key={name} value={name}>
              {CURVE_NAMES[name]}
            </option>
          ))}
        </select>
        <label class="row">
          <input
            id="reversed"
            type="checkbox"
            checked={isReversed}
            onChange={(event) => setColours(base, event.currentTarget.checked)}
          />
          Reversed
        </label>
      </div>
    </>
  );
}

/** What the legend reaches over: the values, and the limits if these are outside. */
function domainOf(values: readonly number[], [low, high]: Range): Range {
  let [least, most] = [Math.min(low, high), Math.max(low, high)];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least < most ? [least, most] : [least - 0.5, most + 0.5];
}

interface HistogramProps {
  readonly values: readonly number[];
  readonly domain: Range;
  readonly range: Range;
  readonly curve: Curve;
  readonly colours: ColourMapName;
}

function Histogram({ values, domain, range, curve, colours }: HistogramProps) {
  const [bars, ramp] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const look = theme.value;
  useEffect(() => {
    const table = coloursOf(colours);
    const colourAt = (part: number): string => {
      const at = 4 * Math.round(255 * Math.min(1, Math.max(0, part)));
      return `rgb(${table.subarray(at, at + 3).join()})`;
    };
    const counts = new Array<number>(BARS).fill(0);
    for (const value of values) {
      const bar = Math.floor(Math.min(0.9999, Math.max(0, partOf(value, domain, curve))) * BARS);
      counts[bar] = (counts[bar] ?? 0) + 1;
    }
    const most = Math.max(1, ...counts);
    const context = bars.current?.getContext("2d");
    const outside = look === "dark" ? "#3a454f" : "#c3ccd4";
    const partAt = (bar: number): number => partOf(valueAt((bar + 0.5) / BARS, domain, curve), range, curve);
    context?.clearRect(0, 0, 4 * BARS, 52);
    for (const [bar, count] of counts.entries()) {
      if (!context || count === 0) continue;
      const part = partAt(bar);
      context.fillStyle = part < 0 || part > 1 ? outside : colourAt(part);
      const height = Math.max(1.5, 50 * Math.sqrt(count / most));
      context.fillRect(4 * bar, 52 - height, 3, height);
    }
    const line = ramp.current?.getContext("2d");
    for (let i = 0; i < 252; i++) {
      if (!line) break;
      line.fillStyle = colourAt(partOf(valueAt(i / 251, domain, curve), range, curve));
      line.fillRect(i, 0, 1, 1);
    }
  });
  const ends = range.map((end) => shortWithin(end, range[1] - range[0]));
  return (
    <>
      <span class="mute" aria-hidden="true">
        <canvas ref={bars} class="histogram" width={4 * BARS} height={52} />
      </span>
      <canvas
        ref={ramp}
        id="legend"
        class="ramp"
        width={252}
        height={1}
        role="img"
        aria-label={`Colours from ${ends[0]} to ${ends[1]}`}
      />
    </>
  );
}

interface LimitProps {
  readonly end: "low" | "high";
  readonly range: Range;
  readonly domain: Range;
  readonly curve: Curve;
  readonly unit: string | undefined;
  readonly onChange: (value: number) => void;
}

function Limit({ end, range, domain, curve, unit, onChange }: LimitProps) {
  const value = range[end === "low" ? 0 : 1];
  const part = Math.min(1, Math.max(0, partOf(value, domain, curve)));
  const words = shortWithin(value, range[1] - range[0]);
  const move = (event: PointerEvent): void => {
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLElement) || !currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (!box) return;
    const at = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    onChange(Number(valueAt(at, domain, curve).toPrecision(3)));
  };
  return (
    <div
      class="limit"
      role="slider"
      tabIndex={0}
      aria-label={end === "low" ? "Lower limit" : "Upper limit"}
      aria-valuenow={value}
      aria-valuemin={domain[0]}
      aria-valuemax={domain[1]}
      aria-valuetext={`${words} ${unit ?? ""}`.trim()}
      style={{ left: `${100 * part}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onChange(Number(valueAt(Math.min(1, Math.max(0, part + step)), domain, curve).toPrecision(6)));
      }}
    />
  );
}
