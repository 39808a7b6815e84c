/** Coastlines and borders of Natural Earth, 1 : 110 million, as lines of Mercator's plane. */
import { MercatorCoordinate } from "maplibre-gl";
import { mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/countries-110m.json" with { type: "json" };

export interface Segments {
  /** Of each segment twice two corners: both ends, and on which side the corner is. */
  readonly corners: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
}

/** Numbers of a corner: x and y of this end, x and y of the other, and the side. */
export const CORNER = 5;

const isTopology = (value: unknown): value is Topology<{ readonly countries: GeometryCollection }> =>
  typeof value === "object" && value !== null && "objects" in value && "arcs" in value;

/** Coastlines belong to one country, borders to two. */
export function worldLines(): { readonly coasts: Segments; readonly borders: Segments } {
  const topology: unknown = atlas;
  if (!isTopology(topology)) throw new TypeError("internal error: no topology of the world");
  const { countries } = topology.objects;
  return {
    coasts: segmentsOf(mesh(topology, countries, (a, b) => a === b).coordinates),
    borders: segmentsOf(mesh(topology, countries, (a, b) => a !== b).coordinates),
  };
}

function segmentsOf(lines: readonly (readonly (readonly number[])[])[]): Segments {
  const corners: number[] = [];
  const indices: number[] = [];
  for (const line of lines) {
    const points = line.map(([longitude = 0, latitude = 0]) =>
      MercatorCoordinate.fromLngLat([longitude, latitude]),
    );
    for (const [i, to] of points.entries()) {
      const from = points[i - 1];
      // A step across the dateline is a line around the Earth.
      if (!from || Math.abs(from.x - to.x) > 0.5) continue;
      const first = corners.length / CORNER;
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const)
        for (const side of [-1, 1]) corners.push(a.x, a.y, b.x, b.y, side);
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { corners: Float32Array.from(corners), indices: Uint32Array.from(indices) };
}
