/**
 * Files that the program writes: under their names only when they are complete, and never over others unless
 * asked.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./command.js";
import type { Output } from "./output.js";

/**
 * Runs `write` with an output to a file. The output goes to a temporary file beside it, which gets the name
 * after success. Pipes and devices are written directly.
 * @throws UsageError for a file that exists, unless `overwrite`
 */
export async function withOutputFile(
  file: string,
  { overwrite }: { readonly overwrite: boolean },
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true && !overwrite) throw existing(file);
  const isDirect = found !== undefined && !found.isFile();
  const written = isDirect ? file : join(dirname(file), `.${basename(file)}.${randomUUID()}.partial`);
  const handle = await open(written, isDirect ? "w" : "wx").catch((error: unknown) => {
    // The error names the file that the user named, not the temporary one.
    throw new Error(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const stopWatching = isDirect ? () => {} : removeIfStopped(written);
  try {
    try {
      await write({ write: (data) => handle.writeFile(data) });
      if (!isDirect) await handle.sync();
    } finally {
      await handle.close();
    }
    if (!isDirect) await (overwrite ? rename(written, file) : publish(written, file));
  } finally {
    if (!isDirect) await rm(written, { force: true });
    stopWatching();
  }
}

/** Ctrl-C, and other signals that end the process, remove a file first. @returns a function that ends this */
function removeIfStopped(file: string): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (signal: NodeJS.Signals): void => {
    rmSync(file, { force: true });
    stopWatching();
    // Now it ends the process, as if nobody had listened.
    process.kill(process.pid, signal);
  };
  const stopWatching = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return stopWatching;
}

const existing = (file: string): UsageError =>
  new UsageError(`--out: ${file} already exists; --overwrite replaces it`);

/** Gives a file its name unless that is taken, even if only since the write began. */
async function publish(written: string, file: string): Promise<void> {
  try {
    await link(written, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw existing(file);
    // The file system has no links.
    await rename(written, file);
  }
}
