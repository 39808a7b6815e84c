/** The events of a layer. */
import { expect, test } from "vitest";
import { LayerEvents, type ZarrLayerEvents } from "../src/layer-events.js";

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
  const other: keyof ZarrLayerEvents = JSON.parse('"error"');
  const listen = () => new Layer().on(other, () => {});
  expect(listen).toThrow('event error: expected "ready", "progress" or "step"; errors are events of the map');
});
