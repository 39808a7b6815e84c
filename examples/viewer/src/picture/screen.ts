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
import { setStage } from "../stage.js";
import { coloursOf } from "./colour-maps.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";
import { choiceOf, choose, makeOverlays, type Overlay, overlayPasses } from "./overlays.js";
import type { Pass, Picture } from "./picture.js";
import type { Renderer } from "./renderer.js";
import { createTiles, type Tiles } from "./tiles.js";

export interface Shown {
  readonly layer: Layer;
  /** By channel, once they were seen. */
  readonly tiles: Map<number, Tiles>;
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
  /** Those that the settings show. */
  const told = new Map<number, Range>();
  let overlayProblems: readonly Problem[] = [];

  function show(layer: Layer, indices: number[]): void {
    const state = currentState();
    const channels = layer.channels?.list.map((channel, c) => ({ ...channel, ...state.channels.get(c) }));
    const sliders = makeSliders(page.sliders, layer, indices, {
      isReady: () => passes().every(({ tiles }) => tiles.picture().isComplete),
      onIndex: redraw,
    });
    shown = { layer, tiles: new Map(), indices, channels, sliders, overlays: [] };
    ends.clear();
    told.clear();
    if (channels) showChannels(channels);
    else showMap(layer);
    const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`);
    page.canvas.setAttribute("aria-label", `${layer.title}: ${lengths.join(", ")}`);
    const played = layer.dimensions[sliders[0]?.dimension ?? -1]?.name;
    picture.show({ layer, passes: passes(), played }, state);
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
        told.clear();
        picture.draw();
      },
      onRange(range) {
        remember({ range });
        if (range) ends.set(ONLY, storedRange(layer, range));
        else ends.delete(ONLY);
        redraw();
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
    });
    showEnds = controls.show;
  }

  async function addLabels(over: Shown, open: NonNullable<Layer["openLabels"]>): Promise<void> {
    try {
      const labels = await open();
      if (shown !== over || labels.length === 0) return;
      const overlays = makeOverlays(labels, over.layer, picture.draw);
      over.overlays = overlays;
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
      picture.draw();
    }
  }

  /** The channels that are seen. */
  function seenOf({ layer, channels, tiles }: Shown): readonly (readonly [channel: number, tiles: Tiles])[] {
    const seen = channels?.flatMap(({ isVisible }, c) => (isVisible ? [c] : [])) ?? [ONLY];
    return seen.map((c) => {
      const found =
        tiles.get(c) ?? createTiles({ layer, channels: channels?.length, onChange: picture.draw });
      tiles.set(c, found);
      return [c, found];
    });
  }

  /** Until all of the first screen is there, what arrives may be darker or lighter. */
  function rangeOf(channel: number, tiles: Tiles): Range | undefined {
    return ends.get(channel) ?? usualRange(tiles.samples());
  }

  /** A link shows the same colours, wherever it leads first. */
  function rememberRange({ layer, channels }: Shown, c: number, range: Range): void {
    const channel = channels?.[c];
    if (channel === undefined) remember({ range: decodedRange(layer, range) });
    else {
      const { isVisible, opacity } = channel;
      remember({ channels: new Map(currentState().channels).set(c, { isVisible, opacity, range }) });
    }
  }

  /** One for each channel that is to be seen, or one of the colour map; then the labels. */
  function passes(): Pass[] {
    if (!shown) return [];
    const { layer, indices, channels, overlays } = shown;
    const { missing } = layer;
    const own = seenOf(shown).map(([c, tiles]): Pass => {
      const { colour, opacity = 1 } = channels?.[c] ?? {};
      const at = layer.channels ? indices.with(layer.channels.dimension, c) : indices;
      return { tiles, indices: at, paint: { range: rangeOf(c, tiles) ?? [0, 1], missing, colour, opacity } };
    });
    return [...own, ...overlayPasses(overlays, layer, indices)];
  }

  const redraw = (): void => picture.update(passes());

  /** Before each frame. */
  function update(): void {
    if (!shown) return;
    const seen = seenOf(shown);
    for (const [c, tiles] of seen) {
      const range = rangeOf(c, tiles);
      if (range === undefined) continue;
      if (tiles.picture().isComplete && !ends.has(c)) {
        ends.set(c, range);
        rememberRange(shown, c, range);
      }
      if (range !== told.get(c)) showEnds(c, range);
      told.set(c, range);
    }
    const now = passes();
    picture.setPasses(now);
    const all = now.map(({ tiles }) => tiles);
    const waiting = all.filter((tiles) => !tiles.picture().isComplete).length;
    showProgress(page.progress, all);
    page.canvas.dataset.loading = String(waiting);
    const problems = all.flatMap((tiles) => {
      const retry = (): void => {
        tiles.retry();
        picture.draw();
      };
      return tiles.picture().failures.map((error) => ({ message: wordsOf(error), retry }));
    });
    const isEmpty = seen.length > 0 && seen.every(([, tiles]) => tiles.samples().length === 0);
    const hasNone = waiting === 0 && problems.length === 0 && isEmpty;
    setStage("picture", hasNone ? "No values here: all are NaN, infinite or missing." : "");
    showProblems(page.problems, [...problems, ...metadataProblems(shown.layer), ...overlayProblems]);
  }

  return {
    show,
    update,
    current: () => shown,
    window: () => picture.window(),
    /** Nothing of the layer stays. */
    close(): void {
      for (const tiles of shown?.tiles.values() ?? []) tiles.close();
      for (const { tiles } of shown?.overlays ?? []) tiles.close();
      shown = undefined;
      overlayProblems = [];
      showEnds = () => {};
      picture.clear();
    },
  };
}

/** A step that is not drawn yet calls for no frame when one of its tiles arrives: then no share is shown. */
function showProgress(bar: HTMLProgressElement, all: readonly Tiles[]): void {
  bar.hidden = all.every((tiles) => tiles.picture().isComplete);
  const counts = all.map((tiles) => tiles.progress());
  bar.max = counts.reduce((sum, { total }) => sum + total, 0) || 1;
  if (all.every((tiles) => tiles.picture().isCurrent))
    bar.value = counts.reduce((sum, { settled }) => sum + settled, 0);
  else bar.removeAttribute("value");
}

/** Coordinates decide about names, dates and which way is up: the page starts anew. */
const metadataProblems = ({ dimensions, failure, title }: Layer): Problem[] => [
  ...(failure === undefined
    ? []
    : [
        { message: `${title} is shown as it is stored: ${wordsOf(failure)}`, retry: () => location.reload() },
      ]),
  ...dimensions.flatMap(({ name, failure }) =>
    failure === undefined
      ? []
      : { message: `The coordinates of ${name}: ${wordsOf(failure)}`, retry: () => location.reload() },
  ),
];

/** The index that the URL gives for a dimension, or that the metadata give, brought into its bounds. */
export const chosenIndex = ({ name, length, first }: Dimension): number =>
  Math.min(length - 1, Math.max(0, currentState().indices.get(name) ?? first ?? 0));
