/** The pages: the same world by each library, as its documentation shows it. */

/** @param names packages whose versions a row names */
const page = (names: readonly string[], program: string) => ({ names, program });

const MAPLIBRE = `
  import * as maplibre from "maplibre-gl";
  const style = { version: 8, sources: {}, layers: [] };
  const map = new maplibre.Map({ container: "map", style, center: [0, 0], zoom: 1, renderWorldCopies: true });
  await map.once("load");
  const move = (x, y, zoom) => map.jumpTo({ center: [x, y], zoom });`;

const OPENLAYERS = `
  import OpenLayersMap from "ol/Map.js";
  import View from "ol/View.js";
  import TileLayer from "ol/layer/WebGLTile.js";
  import { fromLonLat } from "ol/proj.js";
  const view = new View({ center: [0, 0], zoom: 2 });
  const map = new OpenLayersMap({ target: "map", controls: [], view });
  const move = (x, y, zoom) => { view.setCenter(fromLonLat([x, y])); view.setZoom(zoom + 1); };
  const rendered = () => new Promise((resolve) => map.once("rendercomplete", resolve));`;

const DECK = `
  import { Deck, MapView } from "@deck.gl/core";
  const viewState = (longitude, latitude, zoom) => ({ longitude, latitude, zoom });
  const deck = new Deck({ parent: document.querySelector("#map"), views: new MapView({ id: "map", repeat: true }), viewState: viewState(0, 0, 1), controller: true });
  await new Promise((onLoad) => deck.setProps({ onLoad }));
  const move = (x, y, zoom) => deck.setProps({ viewState: viewState(x, y, zoom) });`;

const URL_OF_DATA = `location.origin + "/data.zarr"`;

export const PAGES: Readonly<Record<string, ReturnType<typeof page>>> = {
  "@wazarr/maplibre": page(
    ["maplibre-gl"],
    `${MAPLIBRE}
    import { ZarrLayer } from "@wazarr/maplibre";
    async function open() {
      const layer = new ZarrLayer({ source: ${URL_OF_DATA}, variable: "data", colors: ["#000000", "#ffffff"], range: [0, WHITE], fade: 0 });
      map.addLayer(layer);
      const isLoaded = async () => { while (!layer.isComplete) await nextFrame(); };
      return { move, isLoaded, setStep: (time) => layer.setSelection({ time }) };
    }`,
  ),
  "@carbonplan/zarr-layer": page(
    ["@carbonplan/zarr-layer", "maplibre-gl"],
    `${MAPLIBRE}
    import { ZarrLayer } from "@carbonplan/zarr-layer";
    async function open() {
      let isLoading = true;
      let told = () => {};
      const colormap = Array.from({ length: 256 }, (_, i) => [i, i, i]);
      const selector = (time) => ({ time: { selected: time, type: "index" } });
      const layer = new ZarrLayer({
        id: "data", source: ${URL_OF_DATA}, variable: "data", clim: [0, WHITE], colormap, selector: selector(0),
        onLoadingStateChange: ({ loading }) => { isLoading = loading; if (!loading) told(); },
      });
      map.addLayer(layer);
      const setStep = (step) => { isLoading = false; layer.setSelector(selector(step)); };
      const isLoaded = async () => {
        await nextFrame();
        if (isLoading) await new Promise((resolve) => { told = resolve; });
      };
      return { move, setStep, isLoaded };
    }`,
  ),
  "@wazarr/openlayers": page(
    ["ol"],
    `${OPENLAYERS}
    import { colorScale } from "@wazarr/colors";
    import { colorStyle, ZarrSource } from "@wazarr/openlayers";
    async function open() {
      const source = new ZarrSource({ source: ${URL_OF_DATA}, variable: "data" });
      map.addLayer(new TileLayer({ source, style: colorStyle(await colorScale(["#000000", "#ffffff"], { range: [0, WHITE] })) }));
      await rendered();
      return { move, isLoaded: rendered, setStep: (time) => source.setSelection({ time }) };
    }`,
  ),
  "OpenLayers' GeoZarr": page(
    ["ol", "zarrita"],
    `${OPENLAYERS}
    import GeoZarr from "ol/source/GeoZarr.js";
    async function open() {
      const source = new GeoZarr({ url: ${URL_OF_DATA}, bands: ["data"], transition: 0, wrapX: true });
      const grey = ["/", ["*", ["band", 1], 255], WHITE];
      map.addLayer(new TileLayer({ source, style: { color: ["color", grey, grey, grey] } }));
      await rendered();
      return { move, isLoaded: rendered, setStep: (time) => source.updateDimensions({ time }) };
    }`,
  ),
  "@wazarr/deckgl": page(
    ["@deck.gl/core"],
    `${DECK}
    import { ZarrLayer } from "@wazarr/deckgl";
    async function open() {
      let [shown, isComplete] = [-1, false];
      let wanted = 0;
      const onStep = ({ time }, complete) => { [shown, isComplete] = [time, complete]; };
      const data = { source: ${URL_OF_DATA}, variable: "data", colors: ["#000000", "#ffffff"], range: [0, WHITE], onStep };
      const setStep = (time) => {
        [wanted, isComplete] = [time, false];
        deck.setProps({ layers: [new ZarrLayer({ id: "data", ...data, selection: { time } })] });
      };
      setStep(0);
      return { move, setStep, isLoaded: async () => { while (!isComplete || shown !== wanted) await nextFrame(); } };
    }`,
  ),
  "@developmentseed/deck.gl-zarr": page(
    ["@developmentseed/deck.gl-zarr", "@deck.gl/core", "zarrita"],
    `${DECK}
    import { ZarrLayer } from "@developmentseed/deck.gl-zarr";
    import { BlackIsZero, CreateTexture, LinearRescale } from "@developmentseed/deck.gl-raster/gpu-modules";
    import { parseWkt } from "@developmentseed/proj";
    import * as zarr from "zarrita";
    const WGS84 = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';
    async function open() {
      const node = await zarr.open(zarr.withConsolidated ? await zarr.withConsolidated(new zarr.FetchStore(${URL_OF_DATA})) : new zarr.FetchStore(${URL_OF_DATA}), { kind: "group" });
      const { multiscales } = node.attrs;
      const layout = multiscales.layout.map((each) => ({ ...each, asset: each.asset + "/data" }));
      const metadata = { ...node.attrs, multiscales: { ...multiscales, layout } };
      const sampler = { minFilter: "nearest", magFilter: "nearest" };
      let told = () => {};
      let isLoaded = false;
      // Its tiles have no step: another step is another layer.
      const setStep = (time) => {
        isLoaded = false;
        deck.setProps({ layers: [new ZarrLayer({
          id: "data" + time, node, metadata, selection: { time },
          epsgResolver: async () => parseWkt(WGS84),
          async getTileData(array, { device, sliceSpec, width, height, signal }) {
            const { data } = await zarr.get(array, sliceSpec, { signal });
            return { texture: device.createTexture({ data, width, height, format: "r32float", sampler }), width, height };
          },
          renderTile: ({ texture }) => ({ renderPipeline: [
            { module: CreateTexture, props: { textureName: texture } },
            { module: LinearRescale, props: { rescaleMin: 0, rescaleMax: WHITE } },
            { module: BlackIsZero },
          ] }),
          onViewportLoad: () => { isLoaded = true; told(); },
        })] });
      };
      setStep(0);
      return { move, setStep, isLoaded: async () => { if (!isLoaded) await new Promise((resolve) => { told = resolve; }); } };
    }`,
  ),
};
