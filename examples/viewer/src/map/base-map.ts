/** What lies below the data: a map of others, by the address of its tiles. Nothing is asked of them before. */
import type { Map as MapLibre } from "maplibre-gl";

const ID = "base";

/** Shows a base map, another one, or none. */
export function setBase(map: MapLibre, address: string | undefined): void {
  const source = map.getSource(ID);
  const shown = source && "tiles" in source && Array.isArray(source.tiles) ? source.tiles[0] : undefined;
  if (shown === address) return;
  if (source) {
    map.removeLayer(ID);
    map.removeSource(ID);
  }
  if (address === undefined) return;
  map.addSource(ID, { type: "raster", tiles: [address], tileSize: 256, maxzoom: 19 });
  map.addLayer({ id: ID, type: "raster", source: ID }, "raster");
}

/** Whether a failure of MapLibre is one of the base map. */
export const isOfBase = (event: object): boolean => "sourceId" in event && event.sourceId === ID;
