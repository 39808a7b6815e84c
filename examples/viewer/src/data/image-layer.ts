/** The layer of an OME-Zarr image. */
import type { Node } from "wazarr";
import type { Channel as OmeChannel, OmeImage } from "wazarr/ome-zarr";
import { commonOf } from "./array-layer.js";
import type { Channel, Dimension, Layer } from "./layers.js";

/** Whether a group is an OME-Zarr image; 0.5 has its attributes one level down. */
export function isImage(node: Node): boolean {
  if (node.kind === "array") return false;
  const { ome, multiscales } = node.metadata.attributes;
  return multiscales !== undefined || (typeof ome === "object" && ome !== null && "multiscales" in ome);
}

export function imageLayer({ axes, levels, channels, name, group }: OmeImage): Layer {
  const [finest] = levels;
  if (finest === undefined) throw new Error("an image without levels");
  const { shape } = finest;
  const first = finest.toPhysical(shape.map(() => 0));
  const dimensions = shape.map((length, d): Dimension => {
    const { name: axis = `dim ${d}`, unit, type } = axes[d] ?? {};
    if (type === "channel") return { name: axis, length };
    const values = Float64Array.from({ length }, (_, i) => (first[d] ?? 0) + i * (finest.pixelSize[d] ?? 1));
    const labels = Array.from(values, (value) => String(Number(value.toPrecision(6))));
    return { name: axis, length, unit, values, labels };
  });
  const c = axes.findIndex(({ type }) => type === "channel");
  return {
    ...commonOf(finest.array, dimensions),
    title: name ?? group.path,
    levels: levels.map(({ array }) => ({
      array,
      factors: array.shape.map((length, d) => Math.max(1, Math.round((shape[d] ?? 1) / Math.max(1, length)))),
    })),
    isFlipped: false,
    isMap: false,
    channels: c >= 0 && channels.length > 0 ? { dimension: c, list: channels.map(channelOf) } : undefined,
  };
}

function channelOf({ label, color = "FFFFFF", active, window }: OmeChannel, index: number): Channel {
  const [low, high] = [window?.start ?? window?.min, window?.end ?? window?.max];
  const hex = Number.parseInt(color, 16);
  return {
    name: label ?? `channel ${index}`,
    colour: [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255],
    range: low !== undefined && high !== undefined ? [low, high] : undefined,
    isVisible: active,
  };
}
