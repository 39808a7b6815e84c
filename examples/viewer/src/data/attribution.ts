/** Whose a base map is, as its terms want it said. */
const OWNERS: readonly (readonly [host: RegExp, words: string])[] = [
  [/(?:^|\.)openstreetmap\.(?:org|de|fr)$/, "© OpenStreetMap contributors"],
  [/(?:^|\.)opentopomap\.org$/, "© OpenStreetMap contributors, SRTM; © OpenTopoMap (CC-BY-SA)"],
  [/(?:^|\.)cartocdn\.com$/, "© OpenStreetMap contributors, © CARTO"],
  [/(?:^|\.)earthdata\.nasa\.gov$/, "NASA EOSDIS GIBS"],
];

/** Of others, the name of the server. */
export function attributionOf(address: string): string {
  const host = address.replace(/^https?:\/\/(?:\{\w+\}\.)?/, "").replace(/[/:?#].*$/s, "");
  return OWNERS.find(([pattern]) => pattern.test(host))?.[1] ?? `Base map: ${host}`;
}
