/** Runs what opens something, and says what went wrong. */
import { isZarrError } from "wazarr";
import { isBusy, problems } from "../session.js";

let opening = 0;

/** Runs `action`. If something else is opened meanwhile, only that counts: `isLast` becomes false. */
export async function opens(action: (isLast: () => boolean) => Promise<void>): Promise<void> {
  const turn = ++opening;
  problems.value = [];
  isBusy.value = true;
  try {
    await action(() => turn === opening);
  } catch (error) {
    if (turn === opening) showProblem(error, () => void opens(action));
  } finally {
    if (turn === opening) isBusy.value = false;
  }
}

export function showProblem(error: unknown, retry: () => void): void {
  problems.value = [{ message: wordsOf(error), retry }];
}

export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isZarrError(error, "StoreError") && /Failed to fetch|NetworkError|Load failed/.test(message)
    ? `${message}. The server may be down, or not allow other pages to read from it (CORS)`
    : message;
}
