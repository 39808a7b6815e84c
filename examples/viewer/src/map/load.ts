/** The code of maps, 1.2 MB: it comes while the data do, where a map is likely. */

export function loadMap(): Promise<typeof import("./map.js")> {
  // MapLibre and this begin together, not one behind the other.
  return Promise.all([import("./map.js"), import("wazarr/geozarr")]).then(([map]) => map);
}

/** What fails here fails again when the map is wanted, and is said then. */
export function prepareMap(): void {
  loadMap().catch(() => {});
}
