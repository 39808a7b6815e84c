/** A small picture of a node: what opening it would show, if reading that takes little. */
import { get, type Node, slice, type Array as ZarrArray } from "wazarr";
import { layerWith } from "../data/array-layer.js";
import { isPicture } from "../data/choose.js";
import { dimensionsOf } from "../data/coordinates.js";
import { type Channel, isNorthward, type Layer } from "../data/layers.js";
import { formOf, layerOf } from "../data/open-layer.js";
import { drawnTypeOf, type Numbers, numbersOf } from "../data/values.js";
import { cache, workers } from "../reading.js";
import { classColours } from "./class-colours.js";
import { coloursOf } from "./colour-maps.js";
import { decodedRange, usualRange } from "./contrast.js";
import { coloursFor, rangeFor } from "./scales.js";
import { sample } from "./texture-data.js";

/** Chunks that are read for a picture, and their elements: a store of terabytes costs nothing. */
const CHUNKS = 8;
const ELEMENTS = 4 << 20;

/** Whether a node may have one: of images, only their documents say more. */
export function hasSmallPicture(node: Node): boolean {
  if (!isPicture(node)) return false;
  return node.kind === "group" || isSmall(layerWith(node, dimensionsOf(node)));
}

/**
 * Leaves the canvas as it is if the picture is too large to be read.
 * @param beside nodes of the same group, among which are coordinates
 * @param size pixels that it has at most, or one for each element if these are fewer
 */
export async function paintSmall(
  canvas: HTMLCanvasElement,
  node: Node,
  beside: readonly Node[],
  size: readonly [width: number, height: number],
  signal: AbortSignal,
): Promise<void> {
  const found = node.kind === "group" ? await layerOf(node) : await turnedNorth(node, beside, signal);
  if (!("dimensions" in found) || formOf(found) !== "picture" || !isSmall(found) || signal.aborted) return;
  const passes = await Promise.all(
    channelsOf(found).map(async ({ index, channel }) => {
      const { data, shape } = await readPlane(found, index, signal);
      return { data, shape, channel };
    }),
  );
  const [height = 1, width = 1] = passes[0]?.shape ?? [];
  const scale = Math.min(1, size[0] / width, size[1] / height);
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const image = new ImageData(canvas.width, canvas.height);
  for (const { data, channel } of passes) paint(image, found, { data, width, height, channel });
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

/** The layer of an array with what is known of the north, without a request for documents. */
async function turnedNorth(array: ZarrArray, beside: readonly Node[], signal: AbortSignal): Promise<Layer> {
  const dimensions = dimensionsOf(array);
  const layer = layerWith(array, dimensions);
  const y = dimensions[layer.y];
  const coordinate = beside.find(({ path }) => path.slice(path.lastIndexOf("/") + 1) === y?.name);
  if (!y || !isNorthward(y.name) || coordinate?.kind !== "array") return layer;
  if (coordinate.shape.length !== 1 || coordinate.shape[0] !== y.length) return layer;
  y.values = numbersOf((await get(coordinate, [slice(0, 2)], { cache, signal, priority: -1 })).data);
  return layerWith(array, dimensions);
}

/** Those that are visible; for layers without channels, one pass of the colour map. */
function channelsOf({ channels }: Layer): { index: number; channel?: Channel }[] {
  if (!channels) return [{ index: 0 }];
  return channels.list.flatMap((channel, index) => (channel.isVisible ? [{ index, channel }] : []));
}

function isSmall(layer: Layer): boolean {
  const array = layer.levels.at(-1);
  if (array?.metadata.chunkGrid.name !== "regular") return false;
  const { shape, chunks } = array;
  let count = 1;
  for (const [d, length] of chunks.entries())
    if (d === layer.x || d === layer.y) count *= Math.ceil((shape[d] ?? 0) / length);
    else if (d === layer.channels?.dimension)
      count *= new Set(channelsOf(layer).map(({ index }) => Math.floor(index / length))).size;
  return count <= CHUNKS && chunks.reduce((product, length) => product * length, count) <= ELEMENTS;
}

async function readPlane(
  { levels, dimensions, x, y, channels, ...layer }: Layer,
  channel: number,
  signal: AbortSignal,
) {
  const array = levels.at(-1);
  const as = drawnTypeOf(layer.dtype);
  if (!array || !as) throw new Error("no picture");
  const selection = dimensions.map(({ length, first = 0 }, d) => {
    if (d === x || d === y) return null;
    return d === channels?.dimension ? channel : Math.floor((first * (array.shape[d] ?? 1)) / length);
  });
  return get(array, selection, { as, cache, workers, signal, priority: -1 });
}

interface Plane {
  readonly data: Numbers;
  readonly width: number;
  readonly height: number;
  readonly channel: Channel | undefined;
}

/** As the shader does it: with the colour map, or one colour that is added to what is there. */
function paint(image: ImageData, layer: Layer, { data, width, height, channel }: Plane): void {
  const samples = sample(data, layer.missing);
  const range = channel ? (channel.range ?? usualRange(samples)) : rangeFor(layer, samples);
  if (!range) return;
  const [low, high] = range;
  const fitting = coloursFor(layer, { range: decodedRange(layer, range) });
  const colours = layer.classes ? classColours(layer.classes) : coloursOf(fitting);
  for (let row = 0; row < image.height; row++) {
    const down = Math.floor(((row + 0.5) * height) / image.height);
    const first = (layer.isFlipped ? height - 1 - down : down) * width;
    for (let column = 0; column < image.width; column++) {
      const value = data[first + Math.floor(((column + 0.5) * width) / image.width)] ?? Number.NaN;
      if (Number.isNaN(value) || layer.missing.includes(value)) continue;
      const part = Math.min(1, Math.max(0, (value - low) / (high - low || 1e-37)));
      const at = 4 * (row * image.width + column);
      if (!channel) {
        const colour = 4 * Math.round(255 * part);
        image.data.set(colours.subarray(colour, colour + 4), at);
        continue;
      }
      for (const [c, full] of channel.colour.entries())
        image.data[at + c] = (image.data[at + c] ?? 0) + 255 * full * part * channel.opacity;
      image.data[at + 3] = 255;
    }
  }
}
