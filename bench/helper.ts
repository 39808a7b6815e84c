/**
 * Processes of this program: each section of the benchmarks, and each library in a race on files, has its
 * own, since garbage, heap and compiled code of one slow the next by an unknown amount. (When wazarr shared a
 * process with zarrita, reads of a millisecond took up to 1.7 times as long.)
 */
import { type ChildProcess, fork } from "node:child_process";

type Message<Answer> = { readonly answer: Answer } | { readonly error: string };

/** What a process is for. */
export type Job = (question: never) => Promise<unknown>;

const ARGUMENT = "--job";

export class Helper<Question, Answer> {
  readonly #process: ChildProcess;

  /** Starts a process for a job of `serveIfAsked`. */
  constructor(job: string) {
    this.#process = fork(process.argv[1] ?? "", [ARGUMENT, job], { serialization: "advanced" });
  }

  /** One question at a time. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("a process of the benchmarks ended, see above"));
      this.#process.once("exit", gone);
      this.#process.once("message", (message: Message<Answer>) => {
        this.#process.off("exit", gone);
        if ("error" in message) reject(new Error(message.error));
        else resolve(message.answer);
      });
      this.#process.send({ question });
    });
  }

  close(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}

/** Asks a new process one question. */
export async function askOnce<Question, Answer>(job: string, question: Question): Promise<Answer> {
  const helper = new Helper<Question, Answer>(job);
  try {
    return await helper.ask(question);
  } finally {
    helper.close();
  }
}

/** Answers questions if this process was started for that. @returns whether it was */
export function serveIfAsked(jobs: Readonly<Record<string, Job>>): boolean {
  const [argument, name = ""] = process.argv.slice(2);
  if (argument !== ARGUMENT) return false;
  const job = jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  process.on("message", async ({ question }: { readonly question: never }) => {
    const message: Message<unknown> = await job(question).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error: error instanceof Error ? String(error.stack) : String(error) }),
    );
    process.send?.(message);
  });
  process.on("disconnect", () => process.exit(0));
  return true;
}
