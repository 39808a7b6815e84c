/** Cells of HEALPix are those of healpy, and on an ellipsoid those of healpix-geo. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Coordinates, HealpixGrid } from "../../src/formats/healpix.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const { conventions } = readOracles();
const executable = conventions?.healpy == null ? undefined : conventions.executable;
if (executable === undefined)
  warnLoudly("No healpy: comparisons of cells are SKIPPED. scripts/oracles/install.sh nightly installs it.");

const CELLS = 10_000;
const LEVELS = [0, 1, 2, 5, 9, 13, 24, 25, 29];
const WGS84 = { name: "WGS84", semimajorAxis: 6378137, flattening: 1 / 298.257223563 };

interface Level {
  readonly level: number;
  readonly nested: readonly string[];
  readonly ring: readonly string[];
  readonly longitudes: readonly number[];
  readonly latitudes: readonly number[];
  /** Of each cell north, west, south and east as vectors. */
  readonly corners: readonly (readonly (readonly [number, number, number])[])[];
  readonly points: readonly [longitudes: readonly number[], latitudes: readonly number[]];
  readonly found: readonly string[];
  readonly geo: {
    readonly zuniq: readonly string[];
    readonly longitudes: readonly number[];
    readonly latitudes: readonly number[];
    readonly back: readonly string[];
  } | null;
}

function item<Item>(list: readonly Item[], i: number): Item {
  const found = list[i];
  if (found === undefined) throw new Error(`no item ${i}`);
  return found;
}

function vectorOf([longitude, latitude]: Coordinates): readonly [number, number, number] {
  const [east, north] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** The distance in radians, however near the poles both are. */
function between(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((part, d) => part - item(b, d)));
}

test.skipIf(executable === undefined)(
  `${CELLS} random cells of each level are where healpy has them, and back`,
  () => {
    const script = "scripts/oracles/healpix_cells.py";
    const text = execFileSync(executable ?? "", [script, String(CELLS), ...LEVELS.map(String)], {
      maxBuffer: 2 ** 28,
      encoding: "utf8",
    });
    const levels: readonly Level[] = JSON.parse(text);
    expect(levels.map(({ level }) => level)).toEqual(LEVELS);
    for (const { level, ...of } of levels) {
      expect(of.nested.length).toBe(CELLS);
      const [nested, ring, zuniq] = (["nested", "ring", "zuniq"] as const).map(
        (scheme) => new HealpixGrid({ level, scheme }),
      );
      if (nested === undefined || ring === undefined || zuniq === undefined) throw new Error("three grids");
      let furthest = 0;
      for (const [i, text] of of.nested.entries()) {
        const index = BigInt(text);
        const cell = nested.cellOf(index);
        const wrong = `cell ${text} of level ${level}`;
        if (nested.indexOf(cell) !== index) throw new Error(wrong);
        if (ring.indexOf(cell) !== BigInt(item(of.ring, i))) throw new Error(`ring of ${wrong}`);
        if (nested.indexOf(ring.cellOf(ring.indexOf(cell))) !== index)
          throw new Error(`back from ring: ${wrong}`);
        if (nested.indexOf(zuniq.cellOf(zuniq.indexOf(cell))) !== index)
          throw new Error(`from zuniq: ${wrong}`);
        const middle = nested.coordinatesOf(index);
        if (nested.indexAt(...middle) !== index) throw new Error(`at its middle: ${wrong}`);
        furthest = Math.max(
          furthest,
          between(vectorOf(middle), vectorOf([item(of.longitudes, i), item(of.latitudes, i)])),
        );
        const [south, east, north, west] = nested.cornersOf(index);
        for (const [c, corner] of [north, west, south, east].entries())
          furthest = Math.max(furthest, between(vectorOf(corner), item(item(of.corners, i), c)));
        const [longitudes, latitudes] = of.points;
        const found = nested.indexAt(item(longitudes, i), item(latitudes, i));
        if (found !== BigInt(item(of.found, i))) throw new Error(`point ${i} of level ${level}`);
      }
      expect(furthest).toBeLessThan(1e-14);
      if (of.geo === null) continue;
      const onEarth = new HealpixGrid({ level, ellipsoid: WGS84 });
      const { geo } = of;
      for (const [i, text] of geo.zuniq.entries()) {
        const index = BigInt(item(of.nested, i));
        expect(zuniq.indexOf(nested.cellOf(index))).toBe(BigInt(text));
        const middle = onEarth.coordinatesOf(index);
        const expected: Coordinates = [item(geo.longitudes, i), item(geo.latitudes, i)];
        expect(between(vectorOf(middle), vectorOf(expected))).toBeLessThan(1e-14);
        expect(onEarth.indexAt(...middle)).toBe(index);
      }
    }
  },
  120_000,
);
