/**
 * A rival of a race that runs a library in its own process. When wazarr shared a process with zarrita, whose garbage had to be collected before
 * each turn, reads of a millisecond took up to 1.7 times as long.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Rival } from "./race.js";
import { type Errand, type Library, rivalOf } from "./rivals.js";
import { shareCore } from "./tensorstore.js";

/** Argument of the program when it starts as the process of a library. */
export interface LibraryRole {
  readonly library: Library;
  /** Whether the process runs on TensorStore's core. */
  readonly isPinned: boolean;
}

interface Question {
  readonly errand: Errand;
  /** Number of runs; 0 only asks whether the library supports the case. */
  readonly times: number;
}

type Answer = { readonly milliseconds: readonly number[] | null } | { readonly error: string };

export class LibraryProcess {
  readonly #process: ChildProcess;

  constructor(role: LibraryRole) {
    this.#process = fork(process.argv[1] ?? "", [JSON.stringify(role)]);
  }

  /** @returns undefined if the library does not support the case */
  async rival(errand: Errand): Promise<Rival | undefined> {
    if ((await this.#ask({ errand, times: 0 })) === null) return undefined;
    const runs = async (times: number) => (await this.#ask({ errand, times })) ?? [];
    return { runs, run: async () => (await runs(1))[0] ?? Number.NaN, isApart: true };
  }

  close(): void {
    this.#process.disconnect();
  }

  #ask(question: Question): Promise<readonly number[] | null> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("a library's process ended; what it said is above"));
      this.#process.once("exit", gone);
      this.#process.once("message", (answer: Answer) => {
        this.#process.off("exit", gone);
        if ("error" in answer) reject(new Error(answer.error));
        else resolve(answer.milliseconds);
      });
      this.#process.send(question);
    });
  }
}

/** Answers questions until the parent process disconnects. */
export function serve({ library, isPinned }: LibraryRole): void {
  if (isPinned) shareCore();
  const rivals = new Map<string, Promise<Rival | undefined>>();
  process.on("message", async ({ errand, times }: Question) => {
    const key = JSON.stringify(errand);
    const rival = rivals.get(key) ?? rivalOf(library, errand);
    rivals.set(key, rival);
    const answer = await rival.then((found) => runs(found, times)).catch(asError);
    process.send?.(answer);
  });
  process.on("disconnect", () => process.exit(0));
}

async function runs(rival: Rival | undefined, times: number): Promise<Answer> {
  if (rival === undefined) return { milliseconds: null };
  const milliseconds: number[] = [];
  for (let i = 0; i < times; i++) milliseconds.push(await rival.run());
  return { milliseconds };
}

const asError = (error: unknown): Answer => ({
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
});
