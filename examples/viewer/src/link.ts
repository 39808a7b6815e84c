/** The state of the page, which the URL holds too. */
import { parseState, type State, writeState } from "./state.js";

/** Safari allows a hundred changes of the URL in half a minute. */
const PAUSE = 300;

let state: State = parseState(givenState());
let timer = 0;

/**
 * What follows "#", which the page writes, or else "?", as links that people write have it, or else what
 * `wazarr serve` serves.
 */
function givenState(): string {
  if (location.hash.length > 1) return location.hash;
  const served = document.querySelector<HTMLMetaElement>('meta[name="wazarr-data"]')?.content ?? "";
  return location.search || served;
}

export const currentState = (): State => state;

/** Takes the state from the URL, which somebody changed. */
export function readLink(): State {
  state = parseState(givenState());
  return state;
}

export function remember(change: Partial<State>): void {
  state = { ...state, ...change };
  clearTimeout(timer);
  timer = window.setTimeout(() => history.replaceState(null, "", writeState(state)), PAUSE);
}

/** The state of a node that was not shown before. */
export function rememberNode(change: Partial<State>): void {
  remember({
    indices: new Map(),
    axes: undefined,
    range: undefined,
    channels: new Map(),
    labels: new Map(),
    view: undefined,
    point: undefined,
    ...change,
  });
}
