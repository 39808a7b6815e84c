// Data for the pictures of docs/xarray.md and docs/ome-zarr.md: synthetic temperatures, packed like
// reanalysis data, and synthetic cells.
import { root, updateAttributes } from "../dist/index.js";
import { writeMultiscale, writePlate } from "../dist/ome-zarr.js";
import { FileSystemStore } from "../dist/stores/file-system.js";
import { writeDataset } from "../dist/xarray.js";

/** Seeded pseudo-random numbers from 0 to 1. */
function noise(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Six-hourly temperatures for two days, from 30 to 65 degrees north. */
export async function writeTemperatures(path) {
  const times = Array.from({ length: 8 }, (_, i) => new Date(Date.UTC(2026, 7, 1, 6 * i)));
  const latitudes = Float32Array.from({ length: 141 }, (_, i) => 65 - i / 4);
  const longitudes = Float32Array.from({ length: 241 }, (_, i) => -20 + i / 4);
  const data = new Float64Array(times.length * latitudes.length * longitudes.length);
  let at = 0;
  for (let t = 0; t < times.length; t++) {
    const day = 4 * Math.sin((2 * Math.PI * (6 * t - 9)) / 24);
    for (const lat of latitudes) {
      for (const lon of longitudes) {
        const wave = 5 * Math.sin(lon / 7 + t / 5 + 1.5 * Math.sin(lat / 6)) * Math.cos((lat - 47) / 8);
        const small = 1.5 * Math.sin(lon / 1.7 + lat / 2.3) * Math.sin(lat / 1.9 - t / 3);
        data[at++] = 303 - 0.55 * (lat - 30) + day + wave + small;
      }
    }
  }
  await writeDataset(new FileSystemStore(path), {
    attrs: { Conventions: "CF-1.8", title: "made-up temperatures" },
    coords: {
      time: { dims: ["time"], data: times, encoding: { units: "hours since 1900-01-01", dtype: "int32" } },
      lat: { dims: ["lat"], data: latitudes, attrs: { units: "degrees_north", standard_name: "latitude" } },
      lon: { dims: ["lon"], data: longitudes, attrs: { units: "degrees_east", standard_name: "longitude" } },
    },
    dataVars: {
      t2m: {
        dims: ["time", "lat", "lon"],
        shape: [times.length, latitudes.length, longitudes.length],
        data,
        attrs: { units: "K", long_name: "2 metre temperature" },
        encoding: {
          dtype: "int16",
          scale_factor: 0.01,
          add_offset: 285,
          _FillValue: -32768,
          chunks: [1, 141, 241],
        },
      },
    },
  });
  return path;
}

/** Cells in two channels: nuclei and cytoplasm. */
export async function writeCells(path, size = 768) {
  const next = noise(11);
  const data = new Uint16Array(2 * size * size);
  for (let i = 0; i < data.length; i++) data[i] = 120 + 60 * next();
  for (let cell = 0; cell < (70 * size ** 2) / 768 ** 2; cell++) {
    const [x0, y0, angle] = [next() * size, next() * size, next() * Math.PI];
    const [long, short] = [16 + 10 * next(), 11 + 6 * next()];
    const bright = 1500 + 1500 * next();
    const reach = Math.ceil(3.2 * long);
    for (let y = Math.max(0, Math.floor(y0 - reach)); y < Math.min(size, y0 + reach); y++) {
      for (let x = Math.max(0, Math.floor(x0 - reach)); x < Math.min(size, x0 + reach); x++) {
        const u = ((x - x0) * Math.cos(angle) + (y - y0) * Math.sin(angle)) / long;
        const v = ((y - y0) * Math.cos(angle) - (x - x0) * Math.sin(angle)) / short;
        const distance = Math.hypot(u, v) * (1 + 0.08 * Math.sin(5 * Math.atan2(v, u) + cell));
        const texture = 0.8 + 0.2 * Math.sin(x / 2.5 + cell) * Math.sin(y / 3.1) + 0.15 * next();
        const nucleus = bright * texture * (1 / (1 + Math.exp((distance - 1) * 14)));
        const threads = 0.6 + 0.4 * Math.sin(9 * Math.atan2(v, u) + 3 * distance + cell);
        const around =
          900 *
          threads *
          (1 / (1 + Math.exp((distance - 2.1) * 5))) *
          (1 - Math.exp(-((distance / 1.1) ** 4)));
        data[y * size + x] += nucleus;
        data[(size + y) * size + x] += around * (0.85 + 0.3 * next());
      }
    }
  }
  const group = await writeMultiscale(
    new FileSystemStore(path),
    { data, shape: [2, size, size] },
    {
      name: "made-up cells",
      axes: [
        { name: "c", type: "channel" },
        { name: "y", unit: "micrometer" },
        { name: "x", unit: "micrometer" },
      ],
      pixelSize: { y: 0.325, x: 0.325 },
      scaleFactors: [2, 4],
      chunkShape: [1, 256, 256],
    },
  );
  const channel = (label, color, end) => ({
    label,
    color,
    active: true,
    window: { min: 0, max: 65535, start: 150, end },
  });
  const channels = [channel("nuclei", "3080FF", 2600), channel("tubulin", "30FF60", 1500)];
  await updateAttributes(group, { ome: { ...group.attrs.ome, omero: { channels } } });
  return path;
}

/** A plate of two rows and three columns, one well of which has no images; spots in two channels. */
export async function writeScreen(path) {
  const size = 128;
  const store = new FileSystemStore(path);
  const wells = { "A/1": ["0", "1"], "A/2": ["0"], "A/3": ["0"], "B/1": ["0"], "B/3": ["0"] };
  const next = noise(5);
  for (const [well, fields] of Object.entries(wells))
    for (const field of fields) {
      const data = new Uint16Array(2 * size * size);
      for (let spot = 0; spot < 24; spot++) {
        const [x0, y0] = [Math.floor(next() * size), Math.floor(next() * size)];
        for (let y = Math.max(0, y0 - 9); y < Math.min(size, y0 + 9); y++)
          for (let x = Math.max(0, x0 - 9); x < Math.min(size, x0 + 9); x++) {
            const distance = Math.hypot(x - x0, y - y0);
            if (distance < 5) data[y * size + x] = 2600 - 300 * distance;
            else if (distance < 8) data[(size + y) * size + x] = 1800;
          }
      }
      await writeMultiscale(
        root(store).resolve(`${well}/${field}`),
        { data, shape: [2, size, size] },
        {
          name: `${well} ${field}`,
          axes: [
            { name: "c", type: "channel" },
            { name: "y", unit: "micrometer" },
            { name: "x", unit: "micrometer" },
          ],
          pixelSize: { y: 0.325, x: 0.325 },
          scaleFactors: [],
        },
      );
    }
  await writePlate(store, { name: "Made-up screen", wells });
  return path;
}

/**
 * A world of 200 days, made up: temperatures, wind and precipitation, and a mask, whose name comes first. The
 * days 132 and 133 are missing.
 */
export async function writeWorld(path) {
  const days = Array.from({ length: 200 }, (_, i) => new Date(Date.UTC(2026, 0, i < 131 ? i + 1 : i + 3)));
  const latitudes = Float32Array.from({ length: 90 }, (_, i) => 89 - 2 * i);
  const longitudes = Float32Array.from({ length: 180 }, (_, i) => 2 * i - 179);
  const count = latitudes.length * longitudes.length;
  const isLand = (lat, lon) =>
    Math.sin(lon / 40) * Math.cos(lat / 35) + 0.6 * Math.sin(lon / 17 + lat / 20) > 0.35;
  const each = (valueAt) => {
    const data = new Float64Array(days.length * count);
    let at = 0;
    for (let t = 0; t < days.length; t++)
      for (const lat of latitudes) for (const lon of longitudes) data[at++] = valueAt(t, lat, lon);
    return data;
  };
  const shape = [days.length, latitudes.length, longitudes.length];
  const packed = { dtype: "int16", _FillValue: -32768, chunks: [1, 90, 180] };
  const variable = (attrs, encoding, valueAt) => ({
    dims: ["time", "lat", "lon"],
    shape,
    data: each(valueAt),
    attrs,
    encoding: { ...packed, ...encoding },
  });
  const wave = (t, lat, lon) => Math.sin(lon / 12 + t / 6 + 1.5 * Math.sin(lat / 9)) * Math.cos(lat / 40);
  await writeDataset(new FileSystemStore(path), {
    attrs: { Conventions: "CF-1.8", title: "Made-up weather, 2026", summary: "Daily means on a grid of 2°." },
    coords: {
      time: { dims: ["time"], data: days, encoding: { units: "days since 2026-01-01", dtype: "int32" } },
      lat: { dims: ["lat"], data: latitudes, attrs: { units: "degrees_north", standard_name: "latitude" } },
      lon: { dims: ["lon"], data: longitudes, attrs: { units: "degrees_east", standard_name: "longitude" } },
    },
    dataVars: {
      land: {
        dims: ["lat", "lon"],
        shape: shape.slice(1),
        data: Uint8Array.from({ length: count }, (_, i) =>
          Number(isLand(latitudes[Math.floor(i / 180)], longitudes[i % 180])),
        ),
        attrs: { long_name: "land mask", flag_values: [0, 1], flag_meanings: "sea land" },
      },
      t2m: variable(
        { units: "K", long_name: "2 metre temperature", standard_name: "air_temperature" },
        { scale_factor: 0.01, add_offset: 273 },
        (t, lat, lon) => {
          const season = 18 * Math.sin(((t - 100) * 2 * Math.PI) / 365) * Math.sin((lat * Math.PI) / 180);
          const land = isLand(lat, lon) ? 1.6 : 1;
          return 300 - 45 * Math.sin((lat * Math.PI) / 180) ** 2 + season * land + 5 * wave(t, lat, lon);
        },
      ),
      tp: variable(
        { units: "mm", long_name: "total precipitation", standard_name: "precipitation_amount" },
        { scale_factor: 0.01 },
        (t, lat, lon) => Math.max(0, 30 * wave(t, lat / 2, lon * 1.4) * Math.cos(lat / 20) - 8),
      ),
      u10: variable(
        { units: "m s-1", long_name: "10 metre wind, eastward", standard_name: "eastward_wind" },
        { scale_factor: 0.001 },
        (t, lat, lon) => 9 * Math.sin((lat * Math.PI) / 45) + 6 * wave(t, lat, lon),
      ),
    },
  });
  return path;
}

/** Layers of rock with a channel and a fault, as a seismic survey sees them. */
export async function writeVolume(path) {
  const shape = [110, 160, 160];
  const next = noise(5);
  const data = new Float32Array(shape[0] * shape[1] * shape[2]);
  let at = 0;
  for (let z = 0; z < shape[0]; z++)
    for (let y = 0; y < shape[1]; y++)
      for (let x = 0; x < shape[2]; x++) {
        const fault = x > 60 + y / 4 ? 6 : 0;
        const depth = z + fault + 5 * Math.sin(x / 31) + 4 * Math.sin(y / 23 + x / 60);
        const channel = Math.exp(-(((y - 80 - 25 * Math.sin(x / 24)) / 5) ** 2) - ((depth - 60) / 5) ** 2);
        const layers = Math.sin(depth / 2.1) + 0.6 * Math.sin(depth / 4.7 + 1);
        data[at++] =
          2000 * layers * (0.6 + 0.4 * Math.sin(depth / 19)) - 7000 * channel + 900 * (next() - 0.5);
      }
  await writeDataset(new FileSystemStore(path), {
    attrs: { title: "Made-up survey" },
    dataVars: {
      amplitude: {
        dims: ["depth", "inline", "crossline"],
        shape,
        data,
        attrs: { long_name: "seismic amplitude" },
        encoding: { chunks: [55, 80, 80] },
      },
    },
  });
  return path;
}
