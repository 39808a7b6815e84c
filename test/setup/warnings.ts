/**
 * What `callListener` (src/core/stores/listeners.ts) does with what a listener throws: in Node and in pages.
 */
import { vi } from "vitest";

/** Notes what is warned of, instead of a warning of the process or an error of the page. */
export function noteWarnings(): { readonly noted: readonly unknown[]; restore(): void } {
  const noted: unknown[] = [];
  const note = (error: unknown): void => void noted.push(error);
  const spy =
    typeof process === "object"
      ? vi.spyOn(process, "emitWarning").mockImplementation(note)
      : vi.spyOn(globalThis, "reportError").mockImplementation(note);
  return { noted, restore: () => spy.mockRestore() };
}
