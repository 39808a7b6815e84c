import type { Readable } from "./store.js";

/** Stores whose last answer to a request for a part was the whole value, as that of a server that ignores `Range`. */
export const ignoredRanges = new WeakSet<Readable>();
