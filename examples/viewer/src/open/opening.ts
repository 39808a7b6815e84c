/** Runs what opens something, and says what went wrong. */
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
  problems.value = [{ message: wordsOf(error), error, retry }];
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
