/** The layer on the screen: puts its tiles, the picture and the controls together. */
import { type Node, prefetch, type Array as ZarrArray } from "wazarr";
import { dimensionsOf } from "./data/coordinates.js";
import { type Channel, type Dimension, type Layer, turned } from "./data/layers.js";
import { layerOf } from "./data/open-layer.js";
import { currentState, remember } from "./link.js";
import { opens } from "./opening.js";
import { page } from "./page.js";
import { showAbout } from "./panel/about.js";
import { makeColours } from "./panel/colours.js";
import { showProblems } from "./panel/problems.js";
import { makeAxes } from "./panel/screen-axes.js";
import { makeSliders, type Slider } from "./panel/sliders.js";
import { markInTree } from "./panel/tree.js";
import { coloursOf } from "./picture/colour-maps.js";
import type { Pass, Picture } from "./picture/picture.js";
import type { Renderer } from "./picture/renderer.js";
import { createTiles, type Tiles } from "./picture/tiles.js";
import { cache, workers } from "./reading.js";

/** Elements along a side of an array that is read before anything else is known of it. */
const SCREEN = 2048;

export interface Shown {
  readonly layer: Layer;
  readonly tiles: Tiles;
  /** Index along each dimension; those of x and y are not looked at. */
  readonly indices: number[];
  readonly channels: Channel[] | undefined;
  readonly sliders: readonly Slider[];
}

export type Screen = ReturnType<typeof createScreen>;

export function createScreen(renderer: Renderer, picture: Picture) {
  let shown: Shown | undefined;
  let legend: ReturnType<typeof makeColours> | undefined;
  /** Ends of the colour map, in stored values. */
  let ends: readonly [number, number] | undefined;

  async function showNode(node: Node, isLast: () => boolean): Promise<void> {
    const state = currentState();
    markInTree(page.tree, state.path ?? "/");
    void showAbout(page.about, node);
    // While the coordinates are read, so is what they label.
    if (node.kind === "array") void prefetchFirst(node);
    const layer = turned(await layerOf(node), state.axes);
    if (!isLast()) return;
    shown?.tiles.close();
    page.profile.hidden = true;
    const tiles = createTiles({ layer, renderer, cache, workers, onChange: update });
    const indices = layer.dimensions.map(chosenIndex);
    const channels = layer.channels && [...layer.channels.list];
    const sliders = makeSliders(page.sliders, layer, indices, {
      isReady: () => tiles.progress.done === tiles.progress.total,
      onIndex(dimension, index) {
        indices[dimension] = index;
        const name = layer.dimensions[dimension]?.name ?? "";
        remember({ indices: new Map(currentState().indices).set(name, index) });
        picture.update(passes());
      },
    });
    makeAxes(page.sliders, layer, (axes) => {
      remember({ axes, view: undefined });
      void opens(async (last) => showNode(node, last));
    });
    legend = makeColours(page.colours, layer, state.colours, channels, {
      onColours(colours) {
        remember({ colours });
        renderer.setColours(coloursOf(colours));
        update();
      },
      onRange(range) {
        remember({ range });
        ends = range && stored(layer, range);
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
    ends = state.range && stored(layer, state.range);
    renderer.setColours(coloursOf(state.colours));
    const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`);
    page.canvas.setAttribute("aria-label", `${layer.title}: ${lengths.join(", ")}`);
    document.title = `${layer.title} – wazarr viewer`;
    picture.show({ layer, tiles, passes: passes() }, state.view);
  }

  /** One for each channel that is to be seen, or one of the colour map. */
  function passes(): Pass[] {
    if (!shown) return [];
    const { layer, indices, channels } = shown;
    const dimension = layer.channels?.dimension ?? -1;
    if (!channels) return [{ indices, paint: { range: ends ?? [0, 1], missing: layer.missing } }];
    return channels.flatMap(({ isVisible, colour, range }, c) =>
      isVisible
        ? [
            {
              indices: indices.with(dimension, c),
              paint: { range: range ?? ends ?? [0, 65535], missing: layer.missing, colour },
            },
          ]
        : [],
    );
  }

  /** After something arrived or failed. */
  function update(): void {
    if (!shown) return;
    const { layer, tiles, indices } = shown;
    const { done, total } = tiles.progress;
    page.progress.hidden = done === total;
    page.progress.max = Math.max(1, total);
    page.progress.value = done;
    page.canvas.dataset.loading = String(total - done);
    // Two of a hundred values on either side may be anything.
    const isFirst = ends === undefined && done > 0;
    if (isFirst) {
      const samples = [...tiles.samples()].sort((a, b) => a - b);
      const at = (part: number): number | undefined => samples[Math.round(part * (samples.length - 1))];
      const [low, high] = [at(0.02), at(0.98)];
      if (low !== undefined && high !== undefined) {
        const range = low < high ? ([low, high] as const) : ([low - 0.5, high + 0.5] as const);
        // Until all of the first screen is there, what arrives may be darker or lighter.
        if (done === total) ends = range;
        showEnds(layer, range);
        picture.update(shown.channels ? passes() : [{ indices, paint: { range, missing: layer.missing } }]);
      }
    } else if (ends) showEnds(layer, ends);
    showProblems(page.problems, tiles.failures);
    picture.draw();
    if (done === total && total > 0) prefetchNext(shown);
  }

  function prefetchNext({ layer, tiles, indices, sliders: [first] }: Shown): void {
    const length = first ? (layer.dimensions[first.dimension]?.length ?? 1) : 1;
    const later = first
      ? [1, 2].map((by) => indices.with(first.dimension, ((indices[first.dimension] ?? 0) + by) % length))
      : [];
    tiles.prefetch(picture.around(later));
  }

  function showEnds({ scale, offset }: Layer, [low, high]: readonly [number, number]): void {
    legend?.show(currentState().colours, [low * scale + offset, high * scale + offset]);
  }

  return { showNode, current: () => shown };
}

/** The index that the URL gives for a dimension, brought into its bounds. */
const chosenIndex = ({ name, length }: Dimension): number =>
  Math.min(length - 1, Math.max(0, currentState().indices.get(name) ?? 0));

/** The plane that is going to be seen, where it is no larger than a screen. */
async function prefetchFirst(array: ZarrArray): Promise<void> {
  const rank = array.shape.length;
  const isSmall = array.shape.slice(-2).every((length) => length <= SCREEN);
  if (rank < 2 || !isSmall || currentState().axes) return;
  const selection = dimensionsOf(array).map((dimension, d) => (d < rank - 2 ? chosenIndex(dimension) : null));
  // What fails here fails again, and is told, when it is wanted.
  await prefetch(array, selection, { cache, workers, concurrency: 8, priority: 0 }).catch(() => {});
}

const stored = ({ scale, offset }: Layer, range: readonly [number, number]): readonly [number, number] => [
  (range[0] - offset) / scale,
  (range[1] - offset) / scale,
];
