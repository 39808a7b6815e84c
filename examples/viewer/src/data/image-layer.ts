/** The layer of an OME-Zarr image. */
import type { Node } from "wazarr";
import type { Channel as OmeChannel, OmeImage } from "wazarr/ome-zarr";
import { commonOf } from "./array-layer.js";
import { openLabelImages } from "./label-layer.js";
import type { Channel, Dimension, Layer } from "./layers.js";
import { colourChannels } from "./rgb.js";

/** Whether a group is an OME-Zarr image; 0.5 has its attributes one level down. */
export function isImage(node: Node): boolean {
  if (node.kind === "array") return false;
  const { ome, multiscales } = node.metadata.attributes;
  // The multiscales of GeoZarr are an object.
  if (Array.isArray(multiscales)) return true;
  return typeof ome === "object" && ome !== null && "multiscales" in ome;
}

export function imageLayer(image: OmeImage): Layer {
  const { axes, levels, name, group } = image;
  const [finest] = levels;
  if (finest === undefined) throw new Error("an image without levels");
  const c = axes.findIndex(({ type }) => type === "channel");
  const dimensions = dimensionsOf(image);
  const list = c < 0 ? [] : channelsOf(image, finest.shape[c] ?? 0);
  const channels = list.length > 0 ? { dimension: c, list } : undefined;
  const layer: Layer = {
    ...commonOf(finest.array, dimensions, channels?.dimension),
    title: name ?? group.path,
    levels: levels.map(({ array }) => array),
    isFlipped: false,
    isMap: false,
    channels,
  };
  return { ...layer, openLabels: () => openLabelImages(image, layer) };
}

function dimensionsOf({ axes, levels: [finest], rendering }: OmeImage): Dimension[] {
  if (finest === undefined) return [];
  const { shape, pixelSize } = finest;
  const origin = finest.toPhysical(shape.map(() => 0));
  return shape.map((length, d): Dimension => {
    const { name = `dim ${d}`, unit, type } = axes[d] ?? {};
    if (type === "channel") return { name, length };
    const first = name === "t" ? rendering?.defaultT : name === "z" ? rendering?.defaultZ : undefined;
    const values = Float64Array.from({ length }, (_, i) => (origin[d] ?? 0) + i * (pixelSize[d] ?? 1));
    const labels = Array.from(values, (value) => String(Number(value.toPrecision(6))));
    return { name, length, first, unit, values, labels };
  });
}

/** Colours of channels that have none in the metadata. */
const COLOURS = ["00FF00", "FF00FF", "00FFFF", "FFFF00", "FF0000", "0000FF", "FF8000", "FFFFFF"];

function channelsOf({ channels, rendering, levels: [finest] }: OmeImage, count: number): readonly Channel[] {
  const isBytes = finest?.array.dtype === "uint8";
  if (channels.length > 0)
    return channels.slice(0, count).map((channel, index) => {
      // Of more bits than eight, an image between the ends of its type is nearly black.
      const window = rendering?.channels[index]?.window ?? (isBytes ? channel.window : undefined);
      return channelOf({ ...channel, window }, index);
    });
  if (count === 3 && isBytes) return colourChannels(255);
  // One is shown with a colour map, and of many one at a time.
  if (count < 2 || count > COLOURS.length) return [];
  return COLOURS.slice(0, count).map((color, index) => ({
    ...channelOf(undefined, index),
    colour: rgbOf(color),
  }));
}

function channelOf(channel: OmeChannel | undefined, index: number): Channel {
  const { label, color = "FFFFFF", active = true, window, inverted = false } = channel ?? {};
  const [low, high] = [window?.start ?? window?.min, window?.end ?? window?.max];
  const isKnown = low !== undefined && high !== undefined;
  return {
    name: label ?? `channel ${index}`,
    colour: rgbOf(color),
    range: isKnown ? (inverted ? [high, low] : [low, high]) : undefined,
    isVisible: active,
    opacity: 1,
  };
}

function rgbOf(color: string): [red: number, green: number, blue: number] {
  const hex = Number.parseInt(color, 16);
  return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}
