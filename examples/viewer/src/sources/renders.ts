/** How a catalogue would have its data drawn, as the beginning of what the page shows. */
import type { AssetLocation } from "wazarr/stores/open-store";
import { COLOUR_MAPS, isColourMap } from "../picture/colour-maps.js";
import type { State } from "../state.js";

/** The colours and the range of the first render that draws the asset alone. */
export function renderOf({ document, asset }: AssetLocation): Partial<Pick<State, "colours" | "range">> {
  const [key] = asset.key.split("/");
  const render = document.renders.find(
    ({ assets, expression }) => expression === undefined && assets.length === 1 && assets[0] === key,
  );
  const [range] = render?.rescale ?? [];
  const colours = colourMapOf(render?.colormapName ?? "");
  return { ...(range && { range }), ...(colours && { colours }) };
}

/** Catalogues write names in lower case: "rdbu_r". */
function colourMapOf(name: string): State["colours"] | undefined {
  const [, base = "", reversed = ""] = /^(.*?)(_r)?$/i.exec(name) ?? [];
  const known = COLOUR_MAPS.find((each) => each.toLowerCase() === base.toLowerCase());
  const whole = `${known}${reversed.toLowerCase()}`;
  return known !== undefined && isColourMap(whole) ? whole : undefined;
}
