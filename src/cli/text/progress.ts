/** The progress bar. */
import type { WriteStream } from "node:tty";
import { size } from "./words.js";

const WAIT_MILLISECONDS = 1000;
const PAUSE_MILLISECONDS = 100;
/** Between two lines, where there is no terminal. */
const LINE_MILLISECONDS = 30_000;
const WIDTH = 30;

/** Progress in bytes. */
export interface ByteCounts {
  readonly done: number;
  /** All bytes of the work. If given, the bar shows the part of bytes rather than the part of units. */
  readonly total?: number;
  /** The part of `done` from before this run. The rate excludes it. */
  readonly before?: number;
}

export interface Progress {
  /**
   * @param total undefined if unknown: then only the count is shown
   * @param bytes progress in bytes, to show with its rate
   */
  update(done: number, total?: number, bytes?: ByteCounts): void;
  /** Removes the bar from the terminal. */
  end(): void;
}

/** Progress that shows nothing, for `--quiet`. */
export const noProgress: Progress = { update() {}, end() {} };

/**
 * Makes a progress bar that appears after a second.
 * @param stream gets the bar if it is a terminal, otherwise a line each half minute
 */
export function createProgress(
  unit: string,
  stream: Pick<WriteStream, "isTTY" | "write"> = process.stderr,
): Progress {
  const start = performance.now();
  let next = start + (stream.isTTY ? WAIT_MILLISECONDS : LINE_MILLISECONDS);
  let isShown = false;
  return {
    update(done, total, bytes) {
      const now = performance.now();
      if (now < next) return;
      next = now + (stream.isTTY ? PAUSE_MILLISECONDS : LINE_MILLISECONDS);
      const part = bytes?.total ? bytes.done / bytes.total : total ? done / total : 1;
      const rate = bytes === undefined ? "" : rateOf(bytes, (now - start) / 1000, part);
      if (!stream.isTTY) {
        stream.write(`wazarr: ${counts(unit, done, total, part)}${rate}\n`);
        return;
      }
      isShown = true;
      stream.write(`\r\x1b[K${line(unit, done, total, part)}${rate}`);
    },
    end() {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

/**
 * A string with bytes done, bytes per second and the estimated time left.
 * @param part part of all work that is done, 0 to 1
 */
function rateOf({ done, before = 0 }: ByteCounts, seconds: number, part: number): string {
  const now = done === 0 ? part : (part * (done - before)) / done;
  const left = now > 0 ? `, ${duration((seconds * (1 - part)) / now)} left` : "";
  return `, ${size(done)}, ${size((done - before) / seconds)}/s${left}`;
}

/** Seconds as minutes and seconds, and hours if there are any: "0:06", "1:59:58". */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const digits = (count: number): string => String(count).padStart(2, "0");
  const minutes = `${Math.floor(whole / 60) % 60}:${digits(whole % 60)}`;
  return whole < 3600 ? minutes : `${Math.floor(whole / 3600)}:${minutes.padStart(5, "0")}`;
}

/** @param part part of all work that is done, 0 to 1 */
function line(unit: string, done: number, total: number | undefined, part: number): string {
  const text = counts(unit, done, total, part);
  return total === undefined ? text : `${"█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░")} ${text}`;
}

function counts(unit: string, done: number, total: number | undefined, part: number): string {
  return total === undefined ? `${done} ${unit}` : `${Math.floor(part * 100)} %  ${done} of ${total} ${unit}`;
}
