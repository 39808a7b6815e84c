/** Colours of classes, which have no order: neighbours differ in hue and lightness. */
const HUES = [
  [70, 130, 180],
  [230, 159, 0],
  [46, 139, 87],
  [204, 102, 153],
  [240, 228, 66],
  [94, 79, 162],
  [213, 94, 0],
  [86, 197, 214],
  [140, 140, 140],
  [160, 82, 45],
] as const;

/** Red, green and blue of the class at a place among the classes. */
export function classColour(index: number): readonly [red: number, green: number, blue: number] {
  const [red, green, blue] = HUES[index % HUES.length] ?? HUES[0];
  // Further rounds are darker.
  const shade = 0.7 ** Math.floor(index / HUES.length);
  return [Math.round(red * shade), Math.round(green * shade), Math.round(blue * shade)];
}

const made = new WeakMap<ReadonlyMap<number, string>, Uint8Array>();

/** A table of 256 colours, in which a value is its own index. Values of no class are grey. Always the same array. */
export function classColours(classes: ReadonlyMap<number, string>): Uint8Array {
  const known = made.get(classes);
  if (known) return known;
  const bytes = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) bytes.set([120, 120, 120, 255], 4 * i);
  for (const [place, value] of [...classes.keys()].entries())
    bytes.set([...classColour(place), 255], 4 * value);
  made.set(classes, bytes);
  return bytes;
}
