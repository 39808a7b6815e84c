/** A layer as it is drawn: tiles of its channels and labels, their colours, and what the panels show of them. */
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { wordsOf } from "../open/opening.js";
import { type Problem, progress, seen, waiting } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { classColours } from "./class-colours.js";
import { coloursOf } from "./colour-maps.js";
import { type Compared, comparedIndices, comparedWith, shownLayer } from "./comparison.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";
import { rememberMean } from "./means.js";
import { makeOverlays, namesOf, type Overlay, overlayPasses } from "./overlays.js";
import type { Paint } from "./painter.js";
import { metadataProblems, problemsOf, progressOf, setProblems } from "./report.js";
import { coloursFor, rangeFor } from "./scales.js";
import { createTiles, type Placing, type Tiles } from "./tiles.js";

/** What is read of one array at one step. */
interface Read {
  readonly tiles: Tiles;
  readonly indices: readonly number[];
}

export interface Pass extends Read {
  readonly paint: Paint;
  /** What is taken away, if a difference is shown. */
  readonly minus?: (Read & { readonly factor: number }) | undefined;
  /** On which side of the curtain it is; undefined: on both. */
  readonly side?: "left" | "right" | undefined;
}

/** Stands for the only pass of a layer without channels, and for another variable beside the curtain. */
export const [ONLY, COMPARED] = [-1, -2];

/** The name of the dimension that the timeline plays: the first one with a slider. */
export const playedOf = (layer: Layer): string | undefined =>
  layer.dimensions[sliderDimensions(layer)[0] ?? -1]?.name;

export interface SceneOptions {
  readonly layer: Layer;
  /** Something has arrived. */
  readonly onChange: () => void;
  /** There are label images, too, of which nothing is read yet. */
  readonly onLabels?: (() => void) | undefined;
  /** Whether the panels are about this one. Default: true. */
  readonly isMain?: boolean | undefined;
  /** Whether another variable may be taken away. Default: false. */
  readonly isFloat?: boolean | undefined;
  /** Where tiles lie on a map. */
  readonly placing?: Placing | undefined;
  /** Where those of another variable lie. */
  readonly otherPlacing?: Placing | undefined;
}

export type Scene = ReturnType<typeof createScene>;

/** Reads the state whenever it is asked for something: state and scene never differ. */
export function createScene(options: SceneOptions) {
  const { layer, onChange, onLabels, placing, isMain = true, isFloat } = options;
  const tilesByChannel = new Map<number, Tiles>();
  let comparedTiles: { readonly of: Layer; readonly tiles: Tiles } | undefined;
  let overlays: readonly Overlay[] = [];
  let overlayProblems: readonly Problem[] = [];
  let isClosed = false;
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
      const tiles = known ?? createTiles({ layer, channels: channels?.length, onChange, placing, isFloat });
      tilesByChannel.set(c, tiles);
      return [c, tiles];
    });
  }

  function tilesOf({ layer: of }: Compared): Tiles {
    if (comparedTiles?.of === of) return comparedTiles.tiles;
    comparedTiles?.tiles.close();
    const at = of === layer ? placing : options.otherPlacing;
    const tiles = createTiles({ layer: of, onChange, placing: at, isFloat });
    comparedTiles = { of, tiles };
    return tiles;
  }

  /** What somebody chose; undefined: as the values on the screen are. */
  function chosenRange(channel: number): Range | undefined {
    if (channel !== ONLY) return channelsNow()?.[channel]?.range;
    const { range } = page.value;
    return range && storedRange(shownLayer(layer), range);
  }

  function rangeOf(channel: number, tiles: Tiles): Range | undefined {
    const chosen = chosenRange(channel);
    if (chosen) return chosen;
    if (channel !== ONLY) return usualRange(tiles.samples());
    return rangeFor(shownLayer(layer), samplesOf(tiles));
  }

  function otherRange({ layer: other }: Compared, tiles: Tiles): Range | undefined {
    const { comparedRange } = page.value;
    return comparedRange ? storedRange(other, comparedRange) : rangeFor(other, tiles.samples());
  }

  function samplesOf(tiles: Tiles): readonly number[] {
    const compared = comparedWith(layer);
    return !compared || compared.curtain !== undefined
      ? tiles.samples()
      : tiles.differences(tilesOf(compared), compared.factor);
  }

  /** The colours of a layer without channels. */
  function paintOf(of: Layer, range: Range, shown = of): Paint {
    const { missing, scale, classes } = of;
    const { curve, colours, range: chosen, base } = page.value;
    const own = of === layer ? { colours, range: chosen } : {};
    const table = classes ? classColours(classes) : coloursOf(coloursFor(shown, own));
    const bend = classes || of !== layer ? {} : { curve, decoding: [scale, shown.offset] as const };
    return { range, missing, table, opacity: placing && base ? base.opacity : 1, ...bend };
  }

  /** One for each channel that is to be seen, or one of the colour map; then the labels. */
  function passes(): Pass[] {
    const indices = indicesNow();
    const { channels } = layer;
    if (!channels) return [...amountPasses(indices), ...overlayPasses(overlays, layer, indices)];
    const all = channelsNow();
    const own = shownTiles().map(([c, tiles]): Pass => {
      const { colour, opacity = 1 } = all?.[c] ?? {};
      const paint = {
        range: rangeOf(c, tiles) ?? ([0, 1] as const),
        missing: layer.missing,
        colour,
        opacity,
      };
      return { tiles, indices: indices.with(channels.dimension, c), paint };
    });
    return [...own, ...overlayPasses(overlays, layer, indices)];
  }

  /** Of amounts with a colour map, beside what they are compared with, or without it. */
  function amountPasses(indices: readonly number[]): Pass[] {
    const compared = comparedWith(layer);
    return shownTiles().flatMap(([c, tiles]): Pass[] => {
      const paint = paintOf(layer, rangeOf(c, tiles) ?? [0, 1], shownLayer(layer));
      if (!compared) return [{ tiles, indices, paint }];
      const other = { tiles: tilesOf(compared), indices: comparedIndices(compared) };
      if (compared.curtain === undefined)
        return [{ tiles, indices, paint, minus: { ...other, factor: compared.factor } }];
      const range = otherRange(compared, other.tiles) ?? [0, 1];
      const isSame = compared.layer === layer;
      return [
        { tiles, indices, paint, side: "right" },
        { ...other, paint: isSame ? paint : paintOf(compared.layer, range), side: "left" },
      ];
    });
  }

  /** A link shows the same colours, wherever it leads first. */
  function rememberRange(channel: number, range: Range): void {
    const chosen = channelsNow()?.[channel];
    if (chosen === undefined) remember({ range: decodedRange(shownLayer(layer), range) });
    else {
      const { isVisible, opacity } = chosen;
      remember({ channels: new Map(page.peek().channels).set(channel, { isVisible, opacity, range }) });
    }
  }

  /** The ends of the colours, by channel. They are kept once all of the first screen is there. */
  function rangesNow(): ReadonlyMap<number, Range> {
    const ranges = new Map<number, Range>();
    const compared = comparedWith(layer);
    for (const [c, tiles] of shownTiles()) {
      const range = rangeOf(c, tiles);
      if (range === undefined) continue;
      ranges.set(c, range);
      // Until all is there, what arrives may be darker or lighter.
      if (isThere(tiles) && !isFromItself() && chosenRange(c) === undefined && !layer.classes)
        rememberRange(c, range);
    }
    if (compared?.curtain === undefined || compared.layer === layer) return ranges;
    const tiles = tilesOf(compared);
    const range = otherRange(compared, tiles);
    if (range === undefined) return ranges;
    if (tiles.picture().isComplete && page.value.comparedRange === undefined)
      remember({ comparedRange: decodedRange(compared.layer, range) });
    return ranges.set(COMPARED, range);
  }

  /** Before each frame: what the panels show. */
  function report(): void {
    if (!isMain) return;
    const all = passes().flatMap(({ tiles, minus }) => [tiles, ...(minus ? [minus.tiles] : [])]);
    const left = all.filter((tiles) => !tiles.picture().isComplete).length;
    const failed = problemsOf(all, onChange);
    const shown = shownTiles();
    const samples = shown.flatMap(([, tiles]) => samplesOf(tiles));
    const main = sliderDimensions(layer)[0];
    const isPlain = page.value.compared === undefined || page.value.curtain !== undefined;
    if (left === 0 && main !== undefined && isPlain) rememberMean(layer, indicesNow()[main] ?? 0, samples);
    const hasNone = left === 0 && failed.length === 0 && shown.length > 0 && samples.length === 0;
    seen.value = {
      ranges: rangesNow(),
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
    const { step, curtain } = comparedWith(layer) ?? {};
    return step !== undefined && curtain === undefined && step === indicesNow()[main];
  };

  /** Whether all of the values that colours are chosen by have arrived. */
  function isThere(tiles: Tiles): boolean {
    if (!tiles.picture().isComplete) return false;
    const { compared: wanted, curtain } = page.value;
    if (wanted === undefined || curtain !== undefined) return true;
    const compared = comparedWith(layer);
    // Another variable may not be open yet.
    return compared ? tilesOf(compared).picture().isComplete : !("path" in wanted);
  }

  return {
    layer,
    passes,
    report,
    indices: indicesNow,
    overlays: () => overlays,
    close(): void {
      isClosed = true;
      comparedTiles?.tiles.close();
      for (const tiles of tilesByChannel.values()) tiles.close();
      for (const { tiles } of overlays) tiles.close();
    },
  };
}
