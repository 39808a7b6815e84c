/**
 * A map of a variable over time in deck.gl, with the options of the map in MapLibre. `&place=170,-20,3` is its
 * longitude, latitude and zoom.
 */
import { Deck, MapView } from "@deck.gl/core";
import { ZarrLayer } from "@wazarr/deckgl";
import { controls } from "../controls.js";

const query = new URL(location.href).searchParams;
const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
const [longitude = 0, latitude = 0, zoom = 1] = (query.get("place") ?? "0,0,1").split(",").map(Number);
const deck = new Deck({
  parent: document.querySelector<HTMLDivElement>("#map"),
  views: new MapView({ id: "map" }),
  initialViewState: { longitude, latitude, zoom },
  controller: true,
});
const { slider, button, say } = controls();
function show(): void {
  const layer = new ZarrLayer({
    id: "zarr",
    source: query.get("url") ?? "store",
    variable: query.get("variable") ?? "data",
    selection: { time: slider.valueAsNumber },
    colors: ["#0000ff", "#808080", "#ff0000"],
    range: [low, high],
    missing: -9999,
    onReady: ({ dimensions }) => {
      slider.max = `${(dimensions.time ?? 1) - 1}`;
    },
    onStep: (step, isComplete) => say({ step, isComplete, failures: [] }),
  });
  deck.setProps({ layers: [layer] });
}
slider.oninput = show;
button.onclick = () => {
  slider.value = `${(slider.valueAsNumber + 1) % (Number(slider.max) + 1)}`;
  show();
};
show();
