/** A progress bar on a terminal, for anything longer than a second. */
import type { WriteStream } from "node:tty";

const WAIT_MILLISECONDS = 1000;
const PAUSE_MILLISECONDS = 100;
const WIDTH = 30;

export interface Progress {
  /** `total` undefined: not known, and only the count is shown. */
  update(done: number, total?: number): void;
  /** Takes the bar off the terminal again. */
  end(): void;
}

/** @param stream nothing is written to it unless it is a terminal */
export function createProgress(
  unit: string,
  stream: Pick<WriteStream, "isTTY" | "write"> = process.stderr,
): Progress {
  let next = performance.now() + WAIT_MILLISECONDS;
  let isShown = false;
  return {
    update(done, total) {
      const now = performance.now();
      if (!stream.isTTY || now < next) return;
      next = now + PAUSE_MILLISECONDS;
      isShown = true;
      stream.write(`\r\x1b[K${line(unit, done, total)}`);
    },
    end() {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

function line(unit: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${done} ${unit}`;
  const part = total === 0 ? 1 : done / total;
  const bar = "█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░");
  return `${bar} ${Math.floor(part * 100)} %  ${done} of ${total} ${unit}`;
}
