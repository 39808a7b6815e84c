/**
 * Colour maps of 256 colours. Each is a path through OKLCh, whose lightness rises (or rises and falls) in equal steps: equal differences of
 * values look equal, in print without colours and to the colour-blind too.
 */
type Lch = readonly [lightness: number, chroma: number, hue: number];

/** Points of a path, in equal steps; between them lightness, chroma and hue run straight. */
const PATHS = {
  dusk: [
    [0.2, 0.06, 290],
    [0.38, 0.14, 285],
    [0.53, 0.12, 230],
    [0.68, 0.12, 170],
    [0.81, 0.15, 130],
    [0.95, 0.14, 105],
  ],
  ember: [
    [0.12, 0.02, 300],
    [0.34, 0.13, 310],
    [0.52, 0.2, 370],
    [0.68, 0.18, 400],
    [0.83, 0.13, 435],
    [0.97, 0.06, 460],
  ],
  sea: [
    [0.25, 0.07, 270],
    [0.5, 0.09, 245],
    [0.72, 0.08, 200],
    [0.96, 0.03, 170],
  ],
  grey: [
    [0.05, 0, 0],
    [1, 0, 0],
  ],
  /** Two sides of a middle. */
  split: [
    [0.38, 0.13, 260],
    [0.67, 0.1, 255],
    [0.96, 0.005, 150],
    [0.67, 0.12, 35],
    [0.38, 0.13, 25],
  ],
} as const satisfies Readonly<Record<string, readonly Lch[]>>;

export type ColourMapName = keyof typeof PATHS;
export const COLOUR_MAPS = Object.keys(PATHS).filter((name) => isColourMap(name));

export function isColourMap(name: string | null): name is ColourMapName {
  return name !== null && Object.hasOwn(PATHS, name);
}

/** 256 colours, four bytes each. */
export function coloursOf(name: ColourMapName): Uint8Array {
  const path: readonly Lch[] = PATHS[name];
  const bytes = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (path.length - 1);
    const from = path[Math.min(Math.floor(at), path.length - 2)] ?? [0, 0, 0];
    const to = path[Math.min(Math.floor(at) + 1, path.length - 1)] ?? from;
    const part = at - Math.min(Math.floor(at), path.length - 2);
    const mixed = from.map((value, k) => value + ((to[k] ?? 0) - value) * part);
    bytes.set(rgbOf(mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0), 4 * i);
  }
  return bytes;
}

/** OKLCh to sRGB with an opaque alpha (B. Ottosson, 2020). */
function rgbOf(lightness: number, chroma: number, hue: number): number[] {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const encode = (value: number): number =>
    value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return [...linear.map((value) => Math.round(255 * Math.min(1, Math.max(0, encode(value))))), 255];
}
