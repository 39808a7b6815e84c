/** A layer as it is drawn: tiles of its channels and labels, their colours, and what the panels show of them. */
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { wordsOf } from "../open/opening.js";
import { type Problem, problems, progress, seen, waiting } from "../session.js";
import type { State } from "../state.js";
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
  /** The step that is taken away, if a difference is shown. */
  readonly minus?: { readonly tiles: Tiles; readonly indices: readonly number[] } | undefined;
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
  /** There are label images, too, of which nothing is read yet. */
  readonly onLabels?: (() => void) | undefined;
  /** Whether the panels are about this one. Default: true. */
  readonly isMain?: boolean | undefined;
  /** Where tiles lie on a map. */
  readonly placing?: Placing | undefined;
}

export type Scene = ReturnType<typeof createScene>;

/** Reads the state whenever it is asked for something: state and scene never differ. */
export function createScene({ layer, painter, onChange, onLabels, placing, isMain = true }: SceneOptions) {
  const tilesByChannel = new Map<number, Tiles>();
  let compared: Tiles | undefined;
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
      onLabels?.();
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

  /** The tiles of the step that the picture is compared with, if it is. */
  function comparedPass(indices: readonly number[]): Pass["minus"] {
    const { compared: index } = page.value;
    const [main] = sliderDimensions(layer);
    if (index === undefined || main === undefined || !canCompare(layer)) return undefined;
    compared ??= createTiles({ layer, onChange, placing });
    const last = (layer.dimensions[main]?.length ?? 1) - 1;
    return { tiles: compared, indices: indices.with(main, Math.min(last, Math.max(0, index))) };
  }

  /** What somebody chose; undefined: as the values on the screen are. */
  function chosenRange(channel: number): Range | undefined {
    if (channel !== ONLY) return channelsNow()?.[channel]?.range;
    const { range } = page.value;
    return range && storedRange(shownLayer(layer, page.value), range);
  }

  function rangeOf(channel: number, tiles: Tiles): Range | undefined {
    const chosen = chosenRange(channel);
    if (chosen) return chosen;
    if (channel !== ONLY) return usualRange(tiles.samples());
    return rangeFor(shownLayer(layer, page.value), samplesOf(tiles));
  }

  function samplesOf(tiles: Tiles): readonly number[] {
    return page.value.compared === undefined || !compared ? tiles.samples() : tiles.differences(compared);
  }

  /** One for each channel that is to be seen, or one of the colour map; then the labels. */
  function passes(): Pass[] {
    setColours();
    const { missing, scale } = layer;
    const { curve } = page.value;
    const indices = indicesNow();
    const channels = channelsNow();
    const own = shownTiles().map(([c, tiles]): Pass => {
      const { colour, opacity = 1 } = channels?.[c] ?? {};
      const at = layer.channels ? indices.with(layer.channels.dimension, c) : indices;
      const range = rangeOf(c, tiles) ?? [0, 1];
      const bend =
        c === ONLY && !layer.classes
          ? { curve, decoding: [scale, shownLayer(layer, page.value).offset] as const }
          : {};
      const minus = c === ONLY ? comparedPass(indices) : undefined;
      return { tiles, indices: at, minus, paint: { range, missing, colour, opacity, ...bend } };
    });
    return [...own, ...overlayPasses(overlays, layer, indices)];
  }

  function setColours(): void {
    const colours = coloursFor(shownLayer(layer, page.value), page.value);
    if (colours === painted) return;
    painted = colours;
    painter.setColours(layer.classes ? classColours(layer.classes) : coloursOf(colours));
  }

  /** A link shows the same colours, wherever it leads first. */
  function rememberRange(channel: number, range: Range): void {
    const chosen = channelsNow()?.[channel];
    if (chosen === undefined) remember({ range: decodedRange(shownLayer(layer, page.value), range) });
    else {
      const { isVisible, opacity } = chosen;
      remember({ channels: new Map(page.peek().channels).set(channel, { isVisible, opacity, range }) });
    }
  }

  /** Before each frame: what the panels show. */
  function report(): void {
    if (!isMain) return;
    const shown = shownTiles();
    const ranges = new Map<number, Range>();
    for (const [c, tiles] of shown) {
      const range = rangeOf(c, tiles);
      if (range === undefined) continue;
      ranges.set(c, range);
      // Until all of the first screen is there, what arrives may be darker or lighter.
      if (isThere(tiles) && !isFromItself() && chosenRange(c) === undefined && !layer.classes)
        rememberRange(c, range);
    }
    const all = passes().flatMap(({ tiles, minus }) => [tiles, ...(minus ? [minus.tiles] : [])]);
    const left = all.filter((tiles) => !tiles.picture().isComplete).length;
    const failed = all.flatMap((tiles) => {
      const retry = (): void => {
        tiles.retry();
        onChange();
      };
      return tiles.picture().failures.map((error) => ({ message: wordsOf(error), retry }));
    });
    const samples = shown.flatMap(([, tiles]) => samplesOf(tiles));
    const main = sliderDimensions(layer)[0];
    if (left === 0 && main !== undefined && page.value.compared === undefined)
      rememberMean(layer, indicesNow()[main] ?? 0, samples);
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

  /** The difference of a step from itself says nothing of those to come. */
  const isFromItself = (): boolean => {
    const [main = -1] = sliderDimensions(layer);
    return page.value.compared !== undefined && page.value.compared === indicesNow()[main];
  };

  const isThere = (tiles: Tiles): boolean =>
    tiles.picture().isComplete &&
    (page.value.compared === undefined || compared?.picture().isComplete === true);

  return {
    layer,
    passes,
    report,
    indices: indicesNow,
    overlays: () => overlays,
    isWhole: () => passes().every(({ tiles }) => tiles.picture().isComplete),
    close(): void {
      isClosed = true;
      compared?.close();
      for (const tiles of tilesByChannel.values()) tiles.close();
      for (const { tiles } of overlays) tiles.close();
    },
  };
}

/** What scenes reported last. */
let reported = "";

/** Amounts can be taken from each other; classes and colours cannot. */
export const canCompare = (layer: Layer): boolean => !layer.channels && !layer.classes;

/** A difference has no offset, and is named after the layer. */
export function shownLayer(layer: Layer, { compared }: Pick<State, "compared">): Layer {
  if (compared === undefined || !canCompare(layer)) return layer;
  return { ...layer, offset: 0, standardName: "anomaly" };
}

/** A list of the same words stays: a screen reader would read it all again, and others add to it. */
function setProblems(next: readonly Problem[]): void {
  const words = next.map(({ message }) => message).join("\n");
  if (reported === words && (words === "" || problems.peek().length > 0)) return;
  reported = words;
  problems.value = next;
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
