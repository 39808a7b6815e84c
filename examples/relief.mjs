// Shaded relief with hypsometric tints: elevations to a picture of mountains lit from the north-west.

/** Colours by height, low to high, as an atlas has them: red, green, blue from 0 to 1. */
const TINTS = [
  [0.0, [0.47, 0.6, 0.5]],
  [0.16, [0.62, 0.72, 0.55]],
  [0.34, [0.8, 0.82, 0.65]],
  [0.5, [0.9, 0.84, 0.68]],
  [0.66, [0.85, 0.73, 0.57]],
  [0.82, [0.75, 0.61, 0.5]],
  [0.93, [0.84, 0.77, 0.72]],
  [1.0, [0.98, 0.97, 0.96]],
];
/**
 * Suns that light the relief: direction from north, clockwise, height above the horizon, share of the light.
 */
const SUNS = [
  { azimuth: 315, altitude: 42, weight: 0.6 },
  { azimuth: 270, altitude: 45, weight: 0.2 },
  { azimuth: 0, altitude: 45, weight: 0.2 },
];
/** Heights are exaggerated, or hills of a few hundred metres would hardly show. */
const EXAGGERATION = 2;

/**
 * @param {ArrayLike<number>} elevation metres, row 0 in the north, C order
 * @param {readonly [number, number]} shape rows and columns
 * @param {{ x: number, y: number }} cellSize metres
 * @param {number} scale pixels along a cell from north to south
 * @returns {{ pixels: Uint8Array, width: number, height: number }} red, green, blue of every pixel
 */
export function drawRelief(elevation, [rows, columns], cellSize, scale) {
  const metresPerPixel = cellSize.y / scale;
  const width = Math.round((columns * cellSize.x) / metresPerPixel);
  const height = rows * scale;
  const ground = resample(elevation, [rows, columns], width, height);
  const surroundings = blur(blur(ground, width, height, 14 * scale), width, height, 14 * scale);
  const [lowest, highest] = range(ground);
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const light = shade(ground, width, height, x, y, metresPerPixel);
      // Valleys get less of the sky's light than ridges.
      const sky = 1 + Math.max(-0.16, Math.min(0.12, (ground[at] - surroundings[at]) / 900));
      const colour = tint((ground[at] - lowest) / (highest - lowest));
      for (let channel = 0; channel < 3; channel++) {
        pixels[3 * at + channel] = 255 * Math.max(0, Math.min(1, lit(colour[channel], light, channel) * sky));
      }
    }
  }
  return { pixels, width, height };
}

/**
 * Shadows lean towards blue and lights towards yellow, as outdoors. Full light is reached gently, so that no
 * slope glares.
 */
function lit(colour, light, channel) {
  const shadow = [0.27, 0.31, 0.43][channel];
  const sun = [1.05, 1.03, 0.99][channel];
  const share = 1.12 * (1 - Math.exp(-1.9 * light ** 1.35));
  return colour * (shadow + (sun - shadow) * share);
}

/** How much light a place gets, about 1 where the ground is level. */
function shade(ground, width, height, x, y, metresPerPixel) {
  const get = (dx, dy) =>
    ground[Math.max(0, Math.min(height - 1, y + dy)) * width + Math.max(0, Math.min(width - 1, x + dx))];
  const slope = EXAGGERATION / (8 * metresPerPixel);
  // Horn's formula: rise towards the east and towards the north.
  const east = slope * (get(1, -1) + 2 * get(1, 0) + get(1, 1) - get(-1, -1) - 2 * get(-1, 0) - get(-1, 1));
  const north = slope * (get(-1, -1) + 2 * get(0, -1) + get(1, -1) - get(-1, 1) - 2 * get(0, 1) - get(1, 1));
  const length = Math.hypot(east, north, 1);
  let light = 0;
  for (const { azimuth, altitude, weight } of SUNS) {
    const [a, h] = [(azimuth * Math.PI) / 180, (altitude * Math.PI) / 180];
    const towardsSun = (Math.sin(h) - Math.cos(h) * (east * Math.sin(a) + north * Math.cos(a))) / length;
    light += (weight * Math.max(0, towardsSun)) / Math.sin(h);
  }
  return light;
}

function tint(level) {
  const upper = Math.max(
    1,
    TINTS.findIndex(([start]) => start >= level),
  );
  const [[low, from], [high, to]] = [TINTS[upper - 1], TINTS[upper]];
  const part = Math.max(0, Math.min(1, (level - low) / (high - low)));
  return from.map((value, channel) => value + (to[channel] - value) * part);
}

/**
 * To another size, by cubic B-splines: they smooth the steps of whole metres, which light from the side would
 * show.
 */
function resample(values, [rows, columns], width, height) {
  const across = new Float32Array(rows * width);
  for (let x = 0; x < width; x++) {
    const { cells, weights } = neighbours(((x + 0.5) * columns) / width - 0.5, columns);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += weights[i] * values[row * columns + cells[i]];
      across[row * width + x] = sum;
    }
  }
  const result = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const { cells, weights } = neighbours(((y + 0.5) * rows) / height - 0.5, rows);
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += weights[i] * across[cells[i] * width + x];
      result[y * width + x] = sum;
    }
  }
  return result;
}

function neighbours(position, length) {
  const first = Math.floor(position);
  const t = position - first;
  const cells = [-1, 0, 1, 2].map((step) => Math.max(0, Math.min(length - 1, first + step)));
  const weights = [(1 - t) ** 3, 3 * t ** 3 - 6 * t ** 2 + 4, -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3];
  return { cells, weights: weights.map((weight) => weight / 6) };
}

/** The mean of a square around every place, by running sums along rows and then columns. */
function blur(values, width, height, radius) {
  const along = (source, count, lines, step, lineStep) => {
    const target = new Float32Array(source.length);
    for (let line = 0; line < lines; line++) {
      const value = (i) => source[line * lineStep + Math.max(0, Math.min(count - 1, i)) * step];
      let sum = 0;
      for (let i = -radius; i < radius; i++) sum += value(i);
      for (let i = 0; i < count; i++) {
        sum += value(i + radius);
        target[line * lineStep + i * step] = sum / (2 * radius + 1);
        sum -= value(i - radius);
      }
    }
    return target;
  };
  return along(along(values, width, height, 1, width), height, width, width, 1);
}

function range(values) {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  return [lowest, highest];
}
