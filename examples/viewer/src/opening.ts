/** Runs what opens something, and says what went wrong. */
import { isZarrError } from "wazarr";
import { page } from "./page.js";
import { showProblems } from "./panel/problems.js";

let opening = 0;

/** Runs `action`. If something else is opened meanwhile, only that counts: `isLast` becomes false. */
export async function opens(action: (isLast: () => boolean) => Promise<void>): Promise<void> {
  const turn = ++opening;
  showProblems(page.problems, []);
  page.stage.setAttribute("aria-busy", "true");
  try {
    await action(() => turn === opening);
  } catch (error) {
    if (turn !== opening) return;
    showProblems(page.problems, [{ message: wordsOf(error), retry: () => void opens(action) }]);
  } finally {
    if (turn === opening) page.stage.removeAttribute("aria-busy");
  }
}

export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isZarrError(error, "StoreError") && /Failed to fetch|NetworkError|Load failed/.test(message)
    ? `${message}. The server may be down, or not allow other pages to read from it (CORS)`
    : message;
}
