/** The events of a layer, and that MapLibre 5 takes the layer, whose contexts may be of WebGL 1. */
import type { CustomRenderMethodInput } from "maplibre-gl";
import { expect, expectTypeOf, test } from "vitest";
import { LayerEvents, type ZarrLayerEvents } from "../src/layer-events.js";
import type { ZarrLayer } from "../src/zarr-layer.js";

class Layer extends LayerEvents {
  say(step: number): void {
    this.fire("step", { type: "step", step: { time: step } });
  }
}

test("are heard until the listener is removed", () => {
  const layer = new Layer();
  const heard: ZarrLayerEvents["step"][] = [];
  const { unsubscribe } = layer.on("step", (event) => heard.push(event));
  layer.say(1);
  unsubscribe();
  layer.say(2);
  expect(heard).toEqual([{ type: "step", step: { time: 1 } }]);
});

test("are three: errors are events of the map", () => {
  const on: (type: string, listener: () => void) => unknown = Reflect.get(LayerEvents.prototype, "on");
  const listen = () => Reflect.apply(on, new Layer(), ["error", () => {}]);
  expect(listen).toThrow('event error: expected "ready", "progress" or "step"; errors are events of the map');
});

test("has the methods of a layer of MapLibre 5", () => {
  interface Layer5 {
    readonly render: (
      gl: WebGLRenderingContext | WebGL2RenderingContext,
      input: CustomRenderMethodInput,
    ) => void;
    readonly prerender: Layer5["render"];
  }
  expectTypeOf<ZarrLayer>().toExtend<Layer5>();
});
