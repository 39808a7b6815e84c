/** How long something is on the screen: over the picture. */
import { scaleBarOf } from "../picture/scale-bar.js";
import { frames } from "../picture/stage.js";
import { act } from "../session.js";

export function ScaleBar() {
  // The bar follows the zoom.
  void frames.value;
  const shown = act.value;
  if (shown.kind !== "picture") return null;
  const bar = scaleBarOf(shown.layer);
  if (!bar) return null;
  return (
    <div class="scale-bar wide" role="img" aria-label={`Scale: ${bar.words}`}>
      {bar.words}
      <i style={{ width: `${bar.pixels}px` }} />
    </div>
  );
}
