/**
 * Hooks of React for Zarr: stores by address, elements of arrays, tiles. What a component does not need any more is
 * aborted, and a changed selection never shows the elements of the one before. `suspend` leaves waiting and errors
 * to the boundaries around a component.
 * @module
 */
export { type Reading, readingHook, suspend } from "./reading.js";
export type { SharedRead } from "./shared-read.js";
export { useArray } from "./use-array.js";
export { useStore } from "./use-store.js";
export { type ShownTiles, useTiles } from "./use-tiles.js";
