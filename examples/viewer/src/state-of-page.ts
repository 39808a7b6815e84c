/**
 * The state of the page: what is shown, and how. The URL is its other form, so a link shows the same. All that
 * is not in it follows from it, or is in session.ts.
 */
import { signal } from "@preact/signals";
import { parseState, type State, writeState } from "./state.js";

/** Safari allows a hundred changes of the URL in half a minute. */
const PAUSE = 300;

export const page = signal<State>(parseState(givenState()));
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

/** Takes the state from the URL, which somebody changed. */
export function readLink(): State {
  page.value = parseState(givenState());
  return page.value;
}

export function remember(change: Partial<State>): void {
  page.value = { ...page.value, ...change };
  clearTimeout(timer);
  timer = window.setTimeout(() => history.replaceState(null, "", writeState(page.value)), PAUSE);
}

/** The state of a node that was not shown before. */
export function rememberNode(change: Partial<State>): void {
  remember({
    indices: new Map(),
    axes: undefined,
    stage: undefined,
    colours: undefined,
    curve: "linear",
    range: undefined,
    channels: new Map(),
    labels: new Map(),
    view: undefined,
    camera: undefined,
    points: [],
    region: [],
    compared: undefined,
    curtain: undefined,
    comparedRange: undefined,
    turn: undefined,
    ...change,
  });
}

export const chooseIndex = (name: string, index: number): void =>
  remember({ indices: new Map(page.peek().indices).set(name, index) });

/** The address of the page as it is shown now. */
export const linkNow = (change: Partial<State> = {}): string =>
  new URL(writeState({ ...page.peek(), ...change }), location.href).href;
