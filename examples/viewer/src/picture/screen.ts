/** A layer as a picture: puts its tiles, the picture and the controls together. */
import type { Channel, Dimension, Layer } from "../data/layers.js";
import { currentState, remember } from "../link.js";
import { page } from "../page.js";
import { makeColours } from "../panel/colours.js";
import { showProblems } from "../panel/problems.js";
import { makeSliders, type Slider } from "../panel/sliders.js";
import { cache, workers } from "../reading.js";
import { setStage } from "../stage.js";
import { coloursOf } from "./colour-maps.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";
import type { Pass, Picture } from "./picture.js";
import type { Renderer } from "./renderer.js";
import { createTiles, type Tiles } from "./tiles.js";

export interface Shown {
  readonly layer: Layer;
  readonly tiles: Tiles;
  /** Index along each dimension; those of x and y are not looked at. */
  readonly indices: number[];
  readonly channels: Channel[] | undefined;
  readonly sliders: readonly Slider[];
}

export type Screen = ReturnType<typeof createScreen>;

/** Stands for the only pass of a layer without channels. */
const ONLY = -1;

export function createScreen(renderer: Renderer, picture: Picture) {
  let shown: Shown | undefined;
  let legend: ReturnType<typeof makeColours> | undefined;
  /** Stored values at the ends of the colours, by channel. */
  const ends = new Map<number, Range>();

  function show(layer: Layer, indices: number[]): void {
    const state = currentState();
    const tiles = createTiles({ layer, renderer, cache, workers, onChange: update });
    const channels = layer.channels && [...layer.channels.list];
    const sliders = makeSliders(page.sliders, layer, indices, {
      isReady: () => tiles.progress.done === tiles.progress.total,
      onIndex: () => picture.update(passes()),
    });
    legend = makeColours(page.colours, layer, state.colours, channels, {
      onColours(colours) {
        remember({ colours });
        renderer.setColours(coloursOf(colours));
        update();
      },
      onRange(range) {
        remember({ range });
        if (range) ends.set(ONLY, storedRange(layer, range));
        else ends.delete(ONLY);
        update();
        picture.update(passes());
      },
      onChannel(index, isVisible) {
        const channel = channels?.[index];
        if (channels && channel) channels[index] = { ...channel, isVisible };
        picture.update(passes());
      },
    });
    shown = { layer, tiles, indices, channels, sliders };
    ends.clear();
    if (state.range) ends.set(ONLY, storedRange(layer, state.range));
    for (const [c, { range }] of (channels ?? []).entries()) if (range) ends.set(c, range);
    renderer.setColours(coloursOf(state.colours));
    const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`);
    page.canvas.setAttribute("aria-label", `${layer.title}: ${lengths.join(", ")}`);
    picture.show({ layer, tiles, passes: passes() }, state.view);
  }

  /** One for each channel that is to be seen, or one of the colour map. */
  function passes(): Pass[] {
    if (!shown) return [];
    const { layer, indices, channels, tiles } = shown;
    const { missing } = layer;
    const dimension = layer.channels?.dimension ?? -1;
    // Until all of the first screen is there, what arrives may be darker or lighter.
    const rangeOf = (c: number, of?: number): Range => ends.get(c) ?? usualRange(tiles.samples(of)) ?? [0, 1];
    if (!channels) return [{ indices, paint: { range: rangeOf(ONLY), missing } }];
    return channels.flatMap(({ isVisible, colour }, c) =>
      isVisible
        ? [{ indices: indices.with(dimension, c), paint: { range: rangeOf(c, c), missing, colour } }]
        : [],
    );
  }

  /** After something arrived or failed. */
  function update(): void {
    if (!shown) return;
    const { layer, tiles, channels } = shown;
    const { done, total } = tiles.progress;
    page.progress.hidden = done === total;
    page.progress.max = Math.max(1, total);
    page.progress.value = done;
    page.canvas.dataset.loading = String(total - done);
    const isDone = done === total && total > 0;
    const missingEnds = (channels ? [...channels.keys()] : [ONLY]).filter((c) => !ends.has(c));
    if (done > 0 && missingEnds.length > 0) picture.setPasses(passes());
    for (const c of isDone ? missingEnds : []) {
      const range = usualRange(tiles.samples(c === ONLY ? undefined : c));
      if (range) ends.set(c, range);
    }
    const only = ends.get(ONLY) ?? usualRange(tiles.samples());
    if (only) legend?.show(currentState().colours, decodedRange(layer, only));
    const hasNone = isDone && tiles.failures.length === 0 && tiles.samples().length === 0;
    setStage("picture", hasNone ? "No values here: all are NaN, infinite or missing." : "");
    showProblems(page.problems, tiles.failures);
    picture.draw();
    if (isDone) prefetchNext(shown);
  }

  function prefetchNext({ layer, tiles, indices, sliders: [first] }: Shown): void {
    const length = first ? (layer.dimensions[first.dimension]?.length ?? 1) : 1;
    const later = first
      ? [1, 2].map((by) => indices.with(first.dimension, ((indices[first.dimension] ?? 0) + by) % length))
      : [];
    tiles.prefetch(picture.around(later));
  }

  return {
    show,
    current: () => shown,
    /** Nothing of the layer stays. */
    close(): void {
      shown?.tiles.close();
      shown = undefined;
      legend = undefined;
      picture.clear();
    },
  };
}

/** The index that the URL gives for a dimension, brought into its bounds. */
export const chosenIndex = ({ name, length }: Dimension): number =>
  Math.min(length - 1, Math.max(0, currentState().indices.get(name) ?? 0));
