/** Which two dimensions are on the screen. */
import { type Layer, screenDimensions } from "../data/layers.js";
import { showAgain } from "../open/show-node.js";
import { remember } from "../state-of-page.js";

/** Nothing for layers of two dimensions. */
export function AxisChoice({ layer }: { readonly layer: Layer }) {
  const choices = screenDimensions(layer);
  if (choices.length < 2) return null;
  const turn = (changed: "x" | "y", d: number): void => {
    const chosen = { x: layer.x, y: layer.y, [changed]: d };
    // Both the same: they change places.
    if (chosen.x === chosen.y) chosen[changed === "x" ? "y" : "x"] = layer[changed];
    const [down, across] = [layer.dimensions[chosen.y]?.name, layer.dimensions[chosen.x]?.name];
    if (down === undefined || across === undefined) return;
    remember({ axes: [down, across], view: undefined, points: [], region: [] });
    showAgain();
  };
  const select = (id: string, axis: "x" | "y") => (
    <select
      id={id}
      // A name that is longer than the field is cut off.
      title={layer.dimensions[layer[axis]]?.name}
      value={layer[axis]}
      onChange={(event) => turn(axis, Number(event.currentTarget.value))}
    >
      {choices.map((d) => (
        <option key={d} value={d}>
          {layer.dimensions[d]?.name}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <label class="meta" for="across">
        Across
      </label>
      {select("across", "x")}
      <label class="meta" for="down">
        Down
      </label>
      {select("down", "y")}
    </>
  );
}
