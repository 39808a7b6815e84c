/** What the page knows beside its state: what is open, what has been read, and what failed. */
import { signal } from "@preact/signals";
import type { Node } from "wazarr";
import type { OmePlate } from "wazarr/ome-zarr";
import type { Channel, Layer } from "./data/layers.js";
import type { TreeItem } from "./open/tree.js";
import type { Range } from "./picture/contrast.js";

/** One thing that failed, and what reads it again. */
export interface Problem {
  readonly message: string;
  readonly error?: unknown;
  readonly retry: () => void;
}

/** What fills the window. */
export type Act =
  | { readonly kind: "start" }
  | { readonly kind: "opening" }
  | { readonly kind: "words"; readonly words: string }
  | { readonly kind: "cards"; readonly group: Node }
  | { readonly kind: "plate"; readonly plate: OmePlate }
  | { readonly kind: "picture" | "chart" | "table"; readonly node: Node; readonly layer: Layer };

/** What the panels show of a picture. */
export interface Seen {
  /** Stored values at the ends of the colours, by channel; -1 for the colours of a map. */
  readonly ranges: ReadonlyMap<number, Range>;
  readonly channels: readonly Channel[] | undefined;
  readonly labels: readonly string[];
  /** Some of the stored values on the screen. */
  readonly samples: readonly number[];
  /** Words over a picture of nothing. */
  readonly words: string;
}

export const NOTHING_SEEN: Seen = {
  ranges: new Map(),
  channels: undefined,
  labels: [],
  samples: [],
  words: "",
};

/** The name of what is open: the last part of its address. */
export const title = signal("");
export const act = signal<Act>({ kind: "start" });
export const tree = signal<readonly TreeItem[]>([]);
export const seen = signal<Seen>(NOTHING_SEEN);
export const problems = signal<readonly Problem[]>([]);
/** The variable that the layer on the screen is compared with, once it is open. */
export const otherVariable = signal<{ readonly of: Layer; readonly layer: Layer } | undefined>(undefined);
/** Why the base map is not there. */
export const baseWords = signal("");
/** The value under the pointer, in words. */
export const readout = signal("");
/** Tiles that have arrived, of how many; -1 of those of another step. Undefined: all of them. */
export const progress = signal<{ readonly value: number; readonly max: number } | undefined>(undefined);
/** How many pictures are not whole; empty if none is shown. */
export const waiting = signal("");
export const isBusy = signal(false);
/** Name of the dimension that is played. */
export const played = signal<string | undefined>(undefined);
/** What a click does to the picture. */
export const tool = signal<"point" | "region">("point");
export const dialog = signal<"share" | "keys" | undefined>(undefined);
