/** Standard output. */
import { createReadStream } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Paint, paintFor } from "./text/colours.js";
import { printable } from "./text/printable.js";

export interface Output {
  write(data: string | Uint8Array): Promise<void>;
}

// The callback of `write` below reports errors. Without this listener, Node would also end the program with a
// stack trace.
process.stdout.on("error", () => {});

/**
 * Waits until the reader has taken the data. If the reader is gone (`| head`), the program ends with status
 * 0.
 */
function writeOut(data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(data, (error) => {
      if (error == null) resolve();
      else if ("code" in error && error.code === "EPIPE") process.exit(0);
      else reject(error);
    });
  });
}

/**
 * Prints a string.
 * @param paint adds colours, to what is already printable; called if standard output is a terminal that shows
 * them
 */
export function print(text: string, paint?: (text: string, paint: Paint) => string): Promise<void> {
  const shown = printable(text);
  return writeOut(paint === undefined ? shown : paint(shown, paintFor(process.stdout)));
}

/** Characters or bytes of output to hold in memory before they go to a temporary file. */
const HELD_LENGTH = 1 << 24;

/**
 * Holds the output of `write` back until `write` succeeds, and then sends it to standard output: its reader
 * could not recognise an incomplete document.
 */
export async function withHeldOutput(write: (output: Output) => Promise<void>): Promise<void> {
  let pending: (string | Uint8Array)[] = [];
  let length = 0;
  let folder: string | undefined;
  const file = (): string => join(folder ?? "", "output");
  try {
    await write({
      async write(data) {
        // The contents of a file are sent as bytes.
        pending.push(typeof data === "string" ? printable(data) : data);
        length += data.length;
        if (length < HELD_LENGTH) return;
        folder ??= await mkdtemp(join(tmpdir(), "wazarr-"));
        for (const part of pending) await appendFile(file(), part);
        pending = [];
        length = 0;
      },
    });
    if (folder !== undefined) for await (const part of createReadStream(file())) await writeOut(part);
    for (const part of pending) await writeOut(part);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
