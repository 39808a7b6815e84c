/** Files that stay open while parts of them are read, one after the other. */
import * as fs from "node:fs";
import { resolveRange } from "../ranges.js";
import type { OpenValue, StoreOptions } from "../store.js";
import { fileError } from "./failure.js";
import type { Pace } from "./pace.js";
import { FLAGS, readSpan, resolveRanges } from "./read.js";

/**
 * @param pace takes note of how long everything takes
 * @throws errors of node:fs, and StoreError when there is no file behind the name
 */
export function openFile(path: string, key: string, pace: Pace, onValue: StoreOptions["onValue"]): OpenValue {
  const started = performance.now();
  const descriptor = fs.openSync(path, FLAGS);
  try {
    const status = fs.fstatSync(descriptor);
    resolveRanges(status, key, [], onValue);
    pace.measured(performance.now() - started, 0);
    return {
      read(range, allocate) {
        const began = performance.now();
        try {
          const part = readSpan(descriptor, key, resolveRange(range, status.size), allocate);
          pace.measured(performance.now() - began, part.byteLength);
          return part;
        } catch (error) {
          throw fileError("read a file", key, error);
        }
      },
      close: () => fs.closeSync(descriptor),
    };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}
