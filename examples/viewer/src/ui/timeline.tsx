/** The steps that are not on the screen: the first dimension as a timeline that plays, the others as sliders. */
import { useSignal } from "@preact/signals";
import { Film as FilmIcon, Pause, Play, Repeat, Square } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { chosenIndex, type Dimension, type Layer, labelOf, sliderDimensions } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { gapsOf, marksOf, rhythmOf } from "../data/steps.js";
import { filmed, saveFilm, stopFilm } from "../export/film.js";
import { showProblem } from "../open/opening.js";
import { coloursOf } from "../picture/colour-maps.js";
import { decodedRange } from "../picture/contrast.js";
import { partOf } from "../picture/curve.js";
import { means } from "../picture/means.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import { act, played, seen } from "../session.js";
import { chooseIndex, page } from "../state-of-page.js";
import { Icon } from "./icon.js";
import { isLooped, SPEEDS, speed, togglePlay } from "./playing.js";

export function Timeline() {
  const shown = act.value;
  if (shown.kind !== "picture" && shown.kind !== "table") return <div id="sliders" hidden />;
  const { layer } = shown;
  const [first, ...others] = sliderDimensions(layer).flatMap((d) => layer.dimensions[d] ?? []);
  if (!first) return <div id="sliders" hidden />;
  return (
    <section id="sliders" class="panel" aria-label="Steps" data-edge="bottom">
      <MainDimension key={first.name} layer={layer} dimension={first} />
      {others.length > 0 && (
        <div class="timeline">
          {others.map((dimension) => (
            <OtherDimension key={dimension.name} dimension={dimension} />
          ))}
        </div>
      )}
    </section>
  );
}

const wordsAt = (dimension: Dimension, index: number): string =>
  `${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""} of 0 to ${dimension.length - 1}`;

function MainDimension({ layer, dimension }: { readonly layer: Layer; readonly dimension: Dimension }) {
  const { name, length } = dimension;
  const index = chosenIndex(dimension, page.value.indices);
  const isPlaying = played.value === name;
  const rhythm = rhythmOf(dimension);
  return (
    <div class="timeline">
      <button
        type="button"
        class="play"
        aria-label={`${isPlaying ? "Pause" : "Play"} ${name}`}
        onClick={() => togglePlay(dimension)}
      >
        <Icon of={isPlaying ? Pause : Play} />
      </button>
      <div class="when">
        <b class="cut">{stepInWords(dimension, index)}</b>
        <span class="meta number">
          {filmed.value
            ? `saving a film: ${filmed.value.value} of ${filmed.value.max}`
            : `step ${index + 1} of ${length}${rhythm ? ` · ${rhythm}` : ""}`}
        </span>
      </div>
      <div class="track">
        <Strip layer={layer} dimension={dimension} />
        <input
          id={`dimension-${name}`}
          type="range"
          min={0}
          max={length - 1}
          step={1}
          value={index}
          aria-label={name}
          aria-valuetext={stepInWords(dimension, index)}
          onInput={(event) => chooseIndex(name, event.currentTarget.valueAsNumber)}
        />
        <output class="hidden" for={`dimension-${name}`}>
          {wordsAt(dimension, index)}
        </output>
        <div class="labels" aria-hidden="true">
          {marksOf(dimension).map(({ index: at, words }) => (
            <span key={at} style={{ left: `${(100 * at) / length}%` }}>
              {words}
            </span>
          ))}
        </div>
      </div>
      <div class="row">
        <fieldset class="choices" aria-label="Speed">
          {SPEEDS.map((each) => (
            <button
              type="button"
              class="button small"
              key={each}
              aria-pressed={speed.value === each}
              onClick={() => {
                speed.value = each;
              }}
            >
              {each}×
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          class="button bare wide"
          aria-label="Begin again after the last step"
          title="Begin again after the last step"
          aria-pressed={isLooped.value}
          onClick={() => {
            isLooped.value = !isLooped.value;
          }}
        >
          <Icon of={Repeat} />
        </button>
        <Film layer={layer} dimension={dimension} />
      </div>
    </div>
  );
}

function Film({ layer, dimension }: { readonly layer: Layer; readonly dimension: Dimension }) {
  const counts = filmed.value;
  const run = (): void => void saveFilm(layer, dimension).catch((error: unknown) => showProblem(error, run));
  const name = counts ? `Stop: ${counts.value} of ${counts.max} pictures` : "Save a film";
  return (
    <button
      type="button"
      class="button bare wide"
      aria-label={name}
      title={name}
      aria-pressed={counts !== undefined}
      onClick={counts ? stopFilm : run}
    >
      <Icon of={counts ? Square : FilmIcon} />
    </button>
  );
}

function OtherDimension({ dimension }: { readonly dimension: Dimension }) {
  const { name, length } = dimension;
  const index = chosenIndex(dimension, page.value.indices);
  return (
    <div class="dimension">
      <label for={`dimension-${name}`} class="cut">
        {name}
      </label>
      <input
        id={`dimension-${name}`}
        type="range"
        min={0}
        max={length - 1}
        step={1}
        value={index}
        aria-valuetext={labelOf(dimension, index)}
        onInput={(event) => chooseIndex(name, event.currentTarget.valueAsNumber)}
      />
      <output class="meta number cut" for={`dimension-${name}`}>
        {wordsAt(dimension, index)}
      </output>
    </div>
  );
}

/** A stripe in the colour of its mean for each step that has been read; gaps are hatched. */
function Strip({ layer, dimension }: { readonly layer: Layer; readonly dimension: Dimension }) {
  const place = useRef<HTMLCanvasElement>(null);
  const known = means.value;
  const stored = seen.value.ranges.get(ONLY);
  const colours = coloursFor(layer, page.value);
  const { curve } = page.value;
  const width = useSignal(0);
  useEffect(() => {
    const canvas = place.current;
    if (!canvas) return;
    const observer = new ResizeObserver(() => {
      width.value = Math.round(canvas.clientWidth * devicePixelRatio);
    });
    observer.observe(canvas);
    return () => observer.disconnect();
  }, []);
  const pixels = width.value;
  useEffect(() => {
    const canvas = place.current;
    if (!canvas || pixels === 0) return;
    canvas.width = pixels;
    canvas.height = 24;
    const context = canvas.getContext("2d");
    if (!context) return;
    const table = coloursOf(colours);
    const step = pixels / dimension.length;
    const range = stored && decodedRange(layer, stored);
    for (const [index, mean] of known) {
      if (!range) break;
      const at = 4 * Math.round(255 * Math.min(1, Math.max(0, partOf(mean, range, curve))));
      context.fillStyle = layer.channels ? "#8a97a3" : `rgb(${table.subarray(at, at + 3).join()})`;
      context.fillRect(Math.floor(index * step), 0, Math.ceil(step), 24);
    }
    context.strokeStyle = getComputedStyle(canvas).getPropertyValue("--ink-3");
    for (const index of gapsOf(dimension)) {
      const left = (index + 1) * step;
      for (let offset = -4; offset <= 4; offset += 4) {
        context.beginPath();
        context.moveTo(left + offset - 5, 24);
        context.lineTo(left + offset + 5, 0);
        context.stroke();
      }
    }
  }, [known, stored, colours, curve, pixels, dimension]);
  return (
    <span class="mute" aria-hidden="true">
      <canvas ref={place} width={0} height={24} />
    </span>
  );
}
