/** What the picture is compared with, and how: beside it at a curtain, or as the difference. */
import { X } from "lucide";
import { chosenIndex, type Layer } from "../data/layers.js";
import { keyOf, longNameOf } from "../data/names.js";
import { stepInWords } from "../data/places.js";
import { comparableNodes } from "../open/other-variable.js";
import { canCompare, comparedInWords, comparedWith, timelineOf } from "../picture/comparison.js";
import { act } from "../session.js";
import type { Comparison, State } from "../state.js";
import { page, remember } from "../state-of-page.js";
import { Icon } from "./icon.js";
import { Panel } from "./panel.js";

/** The range of a difference is another one. */
const NEW_RANGE = { range: undefined, comparedRange: undefined } as const;
/** Where the curtain is at first. */
const MIDDLE = 0.5;

/** With the step on the screen, or the first variable where there is no timeline; undefined if there is neither. */
function firstComparison(layer: Layer): Comparison | undefined {
  const main = timelineOf(layer);
  if (main) return { step: chosenIndex(main, page.peek().indices) };
  const [other] = comparableNodes(layer);
  return other && { path: other.path };
}

export const mayCompare = (layer: Layer): boolean =>
  canCompare(layer) && firstComparison(layer) !== undefined;

/** Begins at a curtain, or ends. */
export function toggleComparison(layer: Layer): void {
  const compared = page.peek().compared ? undefined : firstComparison(layer);
  setComparison({ compared, curtain: compared && MIDDLE });
}

function setComparison(change: Partial<State>): void {
  const wasDifference = page.peek().compared !== undefined && page.peek().curtain === undefined;
  const next = { ...page.peek(), ...change };
  const isDifference = next.compared !== undefined && next.curtain === undefined;
  const isNew = wasDifference || isDifference;
  remember({
    ...change,
    comparedRange: undefined,
    ...(isNew && { ...NEW_RANGE, colours: undefined, curve: "linear" }),
  });
}

export function Compare() {
  const shown = act.value;
  const { compared, curtain } = page.value;
  if (shown.kind !== "picture" || !compared || !canCompare(shown.layer)) return null;
  const { layer } = shown;
  const main = timelineOf(layer);
  const index = main ? chosenIndex(main, page.value.indices) : 0;
  const found = comparedWith(layer);
  const others = comparableNodes(layer);
  const chosen = "path" in compared ? compared.path : "";
  return (
    <Panel
      name="Compare"
      tab="answers"
      head={
        <button
          type="button"
          class="button small bare"
          aria-label="End the comparison"
          onClick={() => setComparison({ compared: undefined, curtain: undefined })}
        >
          <Icon of={X} />
        </button>
      }
    >
      <div id="compare" class="stack">
        <fieldset class="choices" aria-label="Form of the comparison">
          <button
            type="button"
            class="button small"
            aria-pressed={curtain !== undefined}
            onClick={() => setComparison({ curtain: MIDDLE })}
          >
            Side by side
          </button>
          <button
            type="button"
            class="button small"
            aria-pressed={curtain === undefined}
            onClick={() => setComparison({ curtain: undefined })}
          >
            Difference
          </button>
        </fieldset>
        <label class="meta" for="compare-with">
          With
        </label>
        <select
          id="compare-with"
          value={chosen}
          onChange={({ currentTarget: { value } }) =>
            setComparison({ compared: value === "" ? { step: index } : { path: value } })
          }
        >
          {main && <option value="">{`Another step of ${main.name}`}</option>}
          {others.map((node) => (
            <option key={node.path} value={node.path}>
              {longNameOf(node) ?? keyOf(node)}
            </option>
          ))}
        </select>
        {"step" in compared && main && (
          <button
            type="button"
            class="button small lined"
            title="Compare with the step that is shown now"
            onClick={() => setComparison({ compared: { step: index } })}
          >
            Take {stepInWords(main, index)}
          </button>
        )}
        <p class="meta" role="status">
          {found ? wordsOf(layer, comparedInWords(found)) : "Opening…"}
        </p>
      </div>
    </Panel>
  );
}

function wordsOf(layer: Layer, other: string): string {
  const { compared, curtain } = page.value;
  const isStep = compared !== undefined && "step" in compared;
  if (curtain === undefined)
    return isStep ? `Each step, less ${other}.` : `${layer.longName ?? layer.title}, less ${other}.`;
  return isStep
    ? `${other} is to the left. Move the timeline: the right side follows.`
    : `${other} is to the left, at the same time and place.`;
}
