/** A layer as it is drawn: tiles of its channels and labels, their colours, and what the panels show of them. */
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { wordsOf } from "../open/opening.js";
import { type Problem, problems, progress, seen, waiting } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { classColours } from "./class-colours.js";
import { type ColourMapName, coloursOf } from "./colour-maps.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";
import { rememberMean } from "./means.js";
import { makeOverlays, namesOf, type Overlay, overlayPasses } from "./overlays.js";
import type { Paint, Painter } from "./painter.js";
import { coloursFor, rangeFor } from "./scales.js";
import { createTiles, type Placing, type Tiles } from "./tiles.js";

export interface Pass {
  readonly tiles: Tiles;
  readonly indices: readonly number[];
  readonly paint: Paint;
}

/** Stands for the only pass of a layer without channels. */
export const ONLY = -1;

/** The name of the dimension that the timeline plays: the first one with a slider. */
export const playedOf = (layer: Layer): string | undefined =>
  layer.dimensions[sliderDimensions(layer)[0] ?? -1]?.name;

export interface SceneOptions {
  readonly layer: Layer;
  readonly painter: Painter;
  /** Something has arrived. */
  readonly onChange: () => void;
  /** Where tiles lie on a map. */
  readonly placing?: Placing | undefined;
}

export type Scene = ReturnType<typeof createScene>;

/** Reads the state whenever it is asked for something: state and scene never differ. */
export function createScene({ layer, painter, onChange, placing }: SceneOptions) {
  const tilesByChannel = new Map<number, Tiles>();
  let overlays: readonly Overlay[] = [];
  let overlayProblems: readonly Problem[] = [];
  let isClosed = false;
  let painted: ColourMapName | undefined;
  if (layer.openLabels && placing === undefined) void addLabels(layer.openLabels);

  async function addLabels(open: NonNullable<Layer["openLabels"]>): Promise<void> {
    try {
      const labels = await open();
      if (isClosed || labels.length === 0) return;
      overlays = makeOverlays(labels, layer, onChange);
    } catch (error) {
      const retry = (): void => {
        overlayProblems = [];
        void addLabels(open);
      };
      overlayProblems = [{ message: `The labels: ${wordsOf(error)}`, retry }];
    }
    if (!isClosed) onChange();
  }

  const indicesNow = (): number[] =>
    layer.dimensions.map((dimension) => chosenIndex(dimension, page.value.indices));

  const channelsNow = () =>
    layer.channels?.list.map((channel, c) => ({ ...channel, ...page.value.channels.get(c) }));

  /** The channels that are seen. */
  function shownTiles(): readonly (readonly [channel: number, tiles: Tiles])[] {
    const channels = channelsNow();
    const shown = channels?.flatMap(({ isVisible }, c) => (isVisible ? [c] : [])) ?? [ONLY];
    return shown.map((c) => {
      const known = tilesByChannel.get(c);
      const tiles = known ?? createTiles({ layer, channels: channels?.length, onChange, placing });
      tilesByChannel.set(c, tiles);
      return [c, tiles];
    });
  }

  /** What somebody chose; undefined: as the values on the screen are. */
  function chosenRange(channel: number): Range | undefined {
    if (channel !== ONLY) return channelsNow()?.[channel]?.range;
    const { range } = page.value;
    return range && storedRange(layer, range);
  }

  function rangeOf(channel: number, tiles: Tiles): Range | undefined {
    const samples = (): readonly number[] => tiles.samples();
    return chosenRange(channel) ?? (channel === ONLY ? rangeFor(layer, samples()) : usualRange(samples()));
  }

  /** One for each channel that is to be seen, or one of the colour map; then the labels. */
  function passes(): Pass[] {
    setColours();
    const { missing, scale, offset } = layer;
    const { curve } = page.value;
    const indices = indicesNow();
    const channels = channelsNow();
    const own = shownTiles().map(([c, tiles]): Pass => {
      const { colour, opacity = 1 } = channels?.[c] ?? {};
      const at = layer.channels ? indices.with(layer.channels.dimension, c) : indices;
      const range = rangeOf(c, tiles) ?? [0, 1];
      const bend = c === ONLY && !layer.classes ? { curve, decoding: [scale, offset] as const } : {};
      return { tiles, indices: at, paint: { range, missing, colour, opacity, ...bend } };
    });
    return [...own, ...overlayPasses(overlays, layer, indices)];
  }

  function setColours(): void {
    const colours = coloursFor(layer, page.value);
    if (colours === painted) return;
    painted = colours;
    painter.setColours(layer.classes ? classColours(layer.classes) : coloursOf(colours));
  }

  /** A link shows the same colours, wherever it leads first. */
  function rememberRange(channel: number, range: Range): void {
    const chosen = channelsNow()?.[channel];
    if (chosen === undefined) remember({ range: decodedRange(layer, range) });
    else {
      const { isVisible, opacity } = chosen;
      remember({ channels: new Map(page.peek().channels).set(channel, { isVisible, opacity, range }) });
    }
  }

  /** Before each frame: what the panels show. */
  function report(): void {
    const shown = shownTiles();
    const ranges = new Map<number, Range>();
    for (const [c, tiles] of shown) {
      const range = rangeOf(c, tiles);
      if (range === undefined) continue;
      ranges.set(c, range);
      // Until all of the first screen is there, what arrives may be darker or lighter.
      if (tiles.picture().isComplete && chosenRange(c) === undefined && !layer.classes)
        rememberRange(c, range);
    }
    const all = passes().map(({ tiles }) => tiles);
    const left = all.filter((tiles) => !tiles.picture().isComplete).length;
    const failed = all.flatMap((tiles) => {
      const retry = (): void => {
        tiles.retry();
        onChange();
      };
      return tiles.picture().failures.map((error) => ({ message: wordsOf(error), retry }));
    });
    const samples = shown.flatMap(([, tiles]) => tiles.samples());
    const main = sliderDimensions(layer)[0];
    if (left === 0 && main !== undefined) rememberMean(layer, indicesNow()[main] ?? 0, samples);
    const hasNone = left === 0 && failed.length === 0 && shown.length > 0 && samples.length === 0;
    seen.value = {
      ranges,
      samples,
      channels: channelsNow(),
      labels: namesOf(overlays),
      words: hasNone ? "No values here: all are NaN, infinite or missing." : "",
    };
    progress.value = left === 0 ? undefined : progressOf(all);
    waiting.value = String(left);
    setProblems([...failed, ...metadataProblems(layer), ...overlayProblems]);
  }

  return {
    layer,
    passes,
    report,
    indices: indicesNow,
    overlays: () => overlays,
    isWhole: () => passes().every(({ tiles }) => tiles.picture().isComplete),
    close(): void {
      isClosed = true;
      for (const tiles of tilesByChannel.values()) tiles.close();
      for (const { tiles } of overlays) tiles.close();
    },
  };
}

/** A list of the same words stays: a screen reader would read it all again. */
function setProblems(next: readonly Problem[]): void {
  const wordsIn = (list: readonly Problem[]): string => list.map(({ message }) => message).join("\n");
  if (wordsIn(problems.peek()) !== wordsIn(next)) problems.value = next;
}

/** A step that is not drawn yet calls for no frame when one of its tiles arrives: then no share is shown. */
function progressOf(all: readonly Tiles[]): { readonly value: number; readonly max: number } {
  const counts = all.map((tiles) => tiles.progress());
  const max = counts.reduce((sum, { total }) => sum + total, 0) || 1;
  const isCurrent = all.every((tiles) => tiles.picture().isCurrent);
  return { max, value: isCurrent ? counts.reduce((sum, { settled }) => sum + settled, 0) : -1 };
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
