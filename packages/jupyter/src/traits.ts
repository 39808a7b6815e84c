/** The traits of the widget (python/wazarr/viewer.py), as the page has them. */
import type { Selection } from "@wazarr/layer";
import type { Comm } from "./comm-store.js";

/** The model of a widget, as anywidget gives it. */
export interface Model extends Comm {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: `change:${string}`, listener: () => void): void;
  on(event: "msg:custom", listener: Parameters<Comm["on"]>[1]): void;
  off(event: `change:${string}`, listener: () => void): void;
  off(event: "msg:custom", listener: Parameters<Comm["off"]>[1]): void;
}

export const textOf = (model: Model, name: string): string => String(model.get(name) ?? "");

export function textsOf(model: Model, name: string): readonly string[] {
  const given = model.get(name);
  return Array.isArray(given) ? given.map(String) : [];
}

/** Two numbers; undefined for None. */
export function pairOf(model: Model, name: string): readonly [number, number] | undefined {
  const given = model.get(name);
  if (!Array.isArray(given)) return undefined;
  const [first, second] = given;
  return typeof first === "number" && typeof second === "number" ? [first, second] : undefined;
}

export function selectionOf(model: Model): Selection {
  const given = model.get("selection");
  if (typeof given !== "object" || given === null) return {};
  const entries = Object.entries(given).flatMap(([name, entry]) =>
    typeof entry === "number" || typeof entry === "string" ? [[name, entry] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Sets traits, here and in Python. */
export function change(model: Model, traits: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  model.save_changes();
}
