/**
 * Colour maps of 256 colours, by the names that Matplotlib gives them; "_r" behind a name turns a map around.
 */
import {
  interpolateBlues,
  interpolateBrBG,
  interpolateCividis,
  interpolateInferno,
  interpolateMagma,
  interpolatePlasma,
  interpolateRdBu,
  interpolateRdYlBu,
  interpolateSpectral,
  interpolateTurbo,
  interpolateViridis,
  interpolateYlOrRd,
} from "d3-scale-chromatic";

/** Functions from 0 to 1 to colours of CSS, "#440154" or "rgb(68, 1, 84)". */
const MAPS = {
  viridis: interpolateViridis,
  plasma: interpolatePlasma,
  inferno: interpolateInferno,
  magma: interpolateMagma,
  cividis: interpolateCividis,
  turbo: interpolateTurbo,
  gray: (part: number) => `rgb(${[part, part, part].map((each) => Math.round(255 * each)).join()})`,
  Blues: interpolateBlues,
  YlOrRd: interpolateYlOrRd,
  RdBu: interpolateRdBu,
  RdYlBu: interpolateRdYlBu,
  BrBG: interpolateBrBG,
  Spectral: interpolateSpectral,
} as const satisfies Readonly<Record<string, (part: number) => string>>;

type BaseName = keyof typeof MAPS;
export type ColourMapName = BaseName | `${BaseName}_r`;

const isBase = (name: string): name is BaseName => Object.hasOwn(MAPS, name);
export const COLOUR_MAPS: readonly BaseName[] = Object.keys(MAPS).filter(isBase);

export function isColourMap(name: string | null): name is ColourMapName {
  return name !== null && isBase(name.replace(/_r$/, ""));
}

export function baseOf(name: ColourMapName): { readonly base: BaseName; readonly isReversed: boolean } {
  const base = name.replace(/_r$/, "");
  if (!isBase(base)) throw new Error(`no colour map ${name}`);
  return { base, isReversed: base !== name };
}

const made = new Map<ColourMapName, Uint8Array>();

/** 256 colours, four bytes each: always the same array. */
export function coloursOf(name: ColourMapName): Uint8Array {
  const known = made.get(name);
  if (known) return known;
  const { base, isReversed } = baseOf(name);
  const bytes = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) {
    const colour = MAPS[base]((isReversed ? 255 - i : i) / 255);
    const digits = /^#(..)(..)(..)$/.exec(colour)?.slice(1);
    const parts = digits
      ? digits.map((pair) => Number.parseInt(pair, 16))
      : (colour.match(/\d+/g) ?? []).map(Number);
    bytes.set([...parts.slice(0, 3), 255], 4 * i);
  }
  made.set(name, bytes);
  return bytes;
}
