/** On a phone, panels are in a sheet below the picture: its tabs, and the handle that makes it higher. */
import { signal } from "@preact/signals";
import { ChartLine, Layers, Palette, Share2 } from "lucide";
import { useRef } from "preact/hooks";
import { dialog } from "../session.js";
import { Icon } from "./icon.js";

type TabName = "variables" | "colours" | "answers";
/** Without a panel; with one over half of the window, over most of it. */
const HEIGHTS = ["closed", "half", "full"] as const;
/** CSS pixels of a drag that goes to the next height. */
const DRAG = 32;

const last = signal<TabName>("answers");
const height = signal(0);

/** What the sheet shows, as its element says it. */
export const sheetState = () => ({
  "data-tab": height.value === 0 ? undefined : last.value,
  "data-height": HEIGHTS[height.value],
});

const setHeight = (next: number): void => {
  height.value = Math.min(HEIGHTS.length - 1, Math.max(0, next));
};

/** A drag, a click or an arrow key makes the sheet higher or lower. */
export function Grabber() {
  const isHighest = height.value === HEIGHTS.length - 1;
  const from = useRef<number | undefined>(undefined);
  return (
    <button
      type="button"
      class="grabber narrow"
      aria-expanded={height.value > 0}
      aria-label={isHighest ? "Close the panel" : "Make the panel higher"}
      onClick={({ detail }) => {
        // A drag has done its work when the click of its end comes.
        if (detail === 0 || from.current !== undefined) setHeight(isHighest ? 0 : height.value + 1);
        from.current = undefined;
      }}
      onPointerDown={(event) => {
        from.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (from.current === undefined || Math.abs(event.clientY - from.current) < DRAG) return;
        setHeight(height.value + (event.clientY < from.current ? 1 : -1));
        from.current = undefined;
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setHeight(height.value + by);
      }}
    >
      <i />
    </button>
  );
}

export function Tabs() {
  const tab = (name: TabName, words: string, icon: typeof Layers) => {
    const isShown = height.value > 0 && last.value === name;
    const choose = (): void => {
      last.value = name;
      setHeight(isShown ? 0 : Math.max(1, height.value));
    };
    return (
      <button type="button" aria-pressed={isShown} onClick={choose}>
        <Icon of={icon} /> {words}
      </button>
    );
  };
  return (
    <nav class="tabs" aria-label="Panels">
      {tab("variables", "Variables", Layers)}
      {tab("colours", "Colours", Palette)}
      {tab("answers", "Values", ChartLine)}
      <button
        type="button"
        onClick={() => {
          dialog.value = "share";
        }}
      >
        <Icon of={Share2} /> Share
      </button>
    </nav>
  );
}
