/** A layer as a picture: puts its tiles, the picture and the controls together. */
import type { Channel, Dimension, Layer } from "../data/layers.js";
import { currentState, remember } from "../link.js";
import { wordsOf } from "../opening.js";
import { page } from "../page.js";
import { makeChannels } from "../panel/channels.js";
import { makeColours } from "../panel/colours.js";
import { makeLabelChoices } from "../panel/label-choice.js";
import { type Problem, showProblems } from "../panel/problems.js";
import { makeSliders, type Slider } from "../panel/sliders.js";
import { cache, workers } from "../reading.js";
import { setStage } from "../stage.js";
import { coloursOf } from "./colour-maps.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";
import { choiceOf, choose, makeOverlays, type Overlay, overlayPasses } from "./overlays.js";
import type { Pass, Picture } from "./picture.js";
import type { Renderer } from "./renderer.js";
import { createTiles, type Tiles } from "./tiles.js";

export interface Shown {
  readonly layer: Layer;
  readonly tiles: Tiles;
  /** Index along each dimension; those of x and y are not looked at. */
  readonly indices: number[];
  /** As they are shown. */
  readonly channels: Channel[] | undefined;
  readonly sliders: readonly Slider[];
  overlays: readonly Overlay[];
}

export type Screen = ReturnType<typeof createScreen>;

/** Stands for the only pass of a layer without channels. */
const ONLY = -1;

export function createScreen(renderer: Renderer, picture: Picture) {
  let shown: Shown | undefined;
  /** Shows decoded values at the ends of the colours, by channel. */
  let showEnds: (channel: number, range: Range) => void = () => {};
  /** Stored values at the ends of the colours, by channel. */
  const ends = new Map<number, Range>();
  let overlayProblems: readonly Problem[] = [];

  function show(layer: Layer, indices: number[]): void {
    const state = currentState();
    const tiles = createTiles({ layer, renderer, cache, workers, onChange: update });
    const channels = layer.channels?.list.map((channel, c) => ({ ...channel, ...state.channels.get(c) }));
    const sliders = makeSliders(page.sliders, layer, indices, {
      isReady: () => tiles.progress.done === tiles.progress.total,
      onIndex: redraw,
    });
    shown = { layer, tiles, indices, channels, sliders, overlays: [] };
    ends.clear();
    if (channels) showChannels(channels);
    else showMap(layer);
    const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`);
    page.canvas.setAttribute("aria-label", `${layer.title}: ${lengths.join(", ")}`);
    picture.show({ layer, sources: [tiles], passes: passes() }, state.view);
    if (layer.openLabels) void addLabels(shown, layer.openLabels);
  }

  function showMap(layer: Layer): void {
    const { colours, range } = currentState();
    renderer.setColours(coloursOf(colours));
    if (range) ends.set(ONLY, storedRange(layer, range));
    const legend = makeColours(page.colours, layer, colours, {
      onColours(name) {
        remember({ colours: name });
        renderer.setColours(coloursOf(name));
        update();
      },
      onRange(range) {
        remember({ range });
        if (range) ends.set(ONLY, storedRange(layer, range));
        else ends.delete(ONLY);
        redraw();
        update();
      },
    });
    showEnds = (_, range) => legend.show(currentState().colours, decodedRange(layer, range));
  }

  function showChannels(channels: Channel[]): void {
    for (const [c, { range }] of channels.entries()) if (range) ends.set(c, range);
    const controls = makeChannels(page.colours, channels, (c, change) => {
      const channel = channels[c];
      if (!channel) return;
      const { isVisible, opacity, range } = (channels[c] = { ...channel, ...change });
      remember({ channels: new Map(currentState().channels).set(c, { isVisible, opacity, range }) });
      if (range) ends.set(c, range);
      else ends.delete(c);
      redraw();
      update();
    });
    showEnds = controls.show;
  }

  async function addLabels(over: Shown, open: NonNullable<Layer["openLabels"]>): Promise<void> {
    try {
      const labels = await open();
      if (shown !== over || labels.length === 0) return;
      const overlays = makeOverlays(labels, over.layer, renderer, update);
      over.overlays = overlays;
      for (const { tiles } of overlays) picture.addSource(tiles);
      const choices = overlays.map(({ label: { name } }) => [name, choiceOf(overlays, name)] as const);
      makeLabelChoices(page.colours, new Map(choices), (name, change) => {
        choose(overlays, name, change);
        redraw();
      });
      redraw();
    } catch (error) {
      if (shown !== over) return;
      const retry = (): void => {
        overlayProblems = [];
        void addLabels(over, open);
      };
      overlayProblems = [{ message: `The labels: ${wordsOf(error)}`, retry }];
      update();
    }
  }

  /** Until all of the first screen is there, what arrives may be darker or lighter. */
  function rangeOf(tiles: Tiles, channel: number): Range | undefined {
    return ends.get(channel) ?? usualRange(tiles.samples(channel === ONLY ? undefined : channel));
  }

  /** One for each channel that is to be seen, or one of the colour map; then the labels. */
  function passes(): Pass[] {
    if (!shown) return [];
    const { layer, indices, channels, tiles, overlays } = shown;
    const { missing } = layer;
    const dimension = layer.channels?.dimension ?? -1;
    const paint = (channel: number) => ({ range: rangeOf(tiles, channel) ?? ([0, 1] as const), missing });
    const own: Pass[] = channels
      ? channels.flatMap(({ isVisible, colour, opacity }, c) =>
          isVisible
            ? [
                {
                  tiles,
                  indices: indices.with(dimension, c),
                  paint: { ...paint(c), colour, opacity },
                  isBlended: true,
                },
              ]
            : [],
        )
      : [{ tiles, indices, paint: { ...paint(ONLY), opacity: 1 }, isBlended: false }];
    return [...own, ...overlayPasses(overlays, layer, indices)];
  }

  const redraw = (): void => picture.update(passes());

  /** After something arrived or failed. */
  function update(): void {
    if (!shown) return;
    const { tiles, channels, overlays } = shown;
    const sources = [tiles, ...overlays.map((overlay) => overlay.tiles)];
    const [done, total] = [0, 0].map((_, i) =>
      sources.reduce((sum, { progress }) => sum + (i === 0 ? progress.done : progress.total), 0),
    );
    showProgress(done ?? 0, total ?? 0);
    const { progress } = tiles;
    const isDone = progress.done === progress.total && progress.total > 0;
    const keys = channels ? channels.flatMap(({ isVisible }, c) => (isVisible ? [c] : [])) : [ONLY];
    for (const key of keys) {
      const range = rangeOf(tiles, key);
      if (range && isDone) ends.set(key, range);
      if (range) showEnds(key, range);
    }
    picture.setPasses(passes());
    const hasNone = isDone && tiles.failures.length === 0 && keys.length > 0 && tiles.samples().length === 0;
    setStage("picture", hasNone ? "No values here: all are NaN, infinite or missing." : "");
    showProblems(page.problems, [...sources.flatMap(({ failures }) => failures), ...overlayProblems]);
    picture.draw();
    if (isDone) prefetchNext(shown);
  }

  function prefetchNext({ layer, tiles, indices, sliders: [first] }: Shown): void {
    const length = first ? (layer.dimensions[first.dimension]?.length ?? 1) : 1;
    const later = first
      ? [1, 2].map((by) => indices.with(first.dimension, ((indices[first.dimension] ?? 0) + by) % length))
      : [];
    tiles.prefetch(picture.around(tiles, later));
  }

  return {
    show,
    current: () => shown,
    window: () => picture.window(),
    /** Nothing of the layer stays. */
    close(): void {
      shown?.tiles.close();
      for (const { tiles } of shown?.overlays ?? []) tiles.close();
      shown = undefined;
      overlayProblems = [];
      showEnds = () => {};
      picture.clear();
    },
  };
}

function showProgress(done: number, total: number): void {
  page.progress.hidden = done === total;
  page.progress.max = Math.max(1, total);
  page.progress.value = done;
  page.canvas.dataset.loading = String(total - done);
}

/** The index that the URL gives for a dimension, or that the metadata give, brought into its bounds. */
export const chosenIndex = ({ name, length, first }: Dimension): number =>
  Math.min(length - 1, Math.max(0, currentState().indices.get(name) ?? first ?? 0));
