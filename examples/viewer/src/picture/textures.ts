/** The tiles that are in the graphics memory. */
import type { Numbers } from "../data/values.js";
import type { Painter, Texture } from "./painter.js";
import type { TextureData } from "./texture-data.js";

/** Of textures that are not on the screen, and those that are if these are fewer. */
const BYTES = 96 << 20;

export function createTextures(painter: Painter) {
  /** In the order of their last use. */
  const held = new Map<Numbers, Texture>();
  let bytes = 0;

  /** Frees those used least recently, until there are at most `most` bytes; the last `kept` stay. */
  function trim(kept: number, most: number): void {
    for (const [data, texture] of held) {
      if (bytes <= most || held.size <= kept) return;
      held.delete(data);
      painter.free(texture);
      bytes -= texture.byteLength;
    }
  }

  return {
    of(
      { data, shape: [height, width] }: { readonly data: Numbers; readonly shape: readonly [number, number] },
      toTexture: (values: Numbers) => TextureData,
    ): Texture {
      const known = held.get(data);
      const texture = known ?? painter.upload(toTexture(data), width, height);
      if (!known) bytes += texture.byteLength;
      held.delete(data);
      held.set(data, texture);
      return texture;
    },
    /** After a frame of so many tiles. */
    trim: (drawn: number): void => trim(drawn, BYTES),
    clear: (): void => trim(0, 0),
  };
}
