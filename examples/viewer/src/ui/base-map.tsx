/** What lies under and over the data of a map: a base map of others, by its address; coastlines. */
import { useSignal } from "@preact/signals";
import { attributionOf } from "../data/attribution.js";
import { stageFor } from "../picture/choose-stage.js";
import { act, baseWords } from "../session.js";
import { baseOf, DEFAULT_OPACITY } from "../state.js";
import { page, remember } from "../state-of-page.js";
import { Opacity } from "./channels.js";
import { Panel } from "./panel.js";

const OPEN_STREET_MAP = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";

export const isMap = (): boolean => {
  const shown = act.value;
  return shown.kind === "picture" && ["map", "globe"].includes(stageFor(shown.layer, page.value));
};

/** Nothing for what is no map. */
export function MapPanel() {
  const words = useSignal("");
  const { base, isWithoutLines } = page.value;
  if (!isMap()) return null;
  const set = (address: string): void => {
    const next = baseOf(address.trim(), base?.opacity ?? DEFAULT_OPACITY);
    baseWords.value = "";
    words.value =
      next || address.trim() === ""
        ? ""
        : "An address of tiles begins with https:// and has {z}, {x} and {y}.";
    remember({ base: next });
  };
  return (
    <Panel name="Map" tab="colours" isFolded>
      <div id="map-panel" class="stack">
        <label class="row">
          <input
            type="checkbox"
            checked={!isWithoutLines}
            onChange={(event) => remember({ isWithoutLines: !event.currentTarget.checked })}
          />
          Coastlines and borders
        </label>
        <label class="meta" for="base">
          Base map: address of its tiles
        </label>
        <input
          id="base"
          type="text"
          inputMode="url"
          list="base-maps"
          placeholder="https://…/{z}/{x}/{y}.png"
          autocomplete="off"
          spellcheck={false}
          value={base?.address ?? ""}
          onChange={(event) => set(event.currentTarget.value)}
        />
        <datalist id="base-maps">
          <option value={OPEN_STREET_MAP}>OpenStreetMap</option>
        </datalist>
        {base && (
          <Opacity
            name="the data"
            opacity={base.opacity}
            onOpacity={(opacity) => remember({ base: { ...base, opacity } })}
          />
        )}
        <p class="meta" role="status">
          {words.value || baseWords.value}
        </p>
      </div>
    </Panel>
  );
}

/** Whose the base map is. */
export function Attribution() {
  const { base } = page.value;
  return base && isMap() ? (
    <section class="attribution" aria-label="Whose the base map is">
      {attributionOf(base.address)}
    </section>
  ) : null;
}
