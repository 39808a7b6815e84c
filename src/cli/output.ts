/** Where output goes: standard output, or a file that is there only when it is complete. */
import { open, rm } from "node:fs/promises";

export interface Output {
  write(data: string | Uint8Array): Promise<void>;
}

// What goes wrong is told to whoever wrote, below; without a listener it would end the program with a trace.
process.stdout.on("error", () => {});

/** Waits until the reader has taken it. A reader that has gone away (`| head`) ends the program, as it does elsewhere. */
const standardOutput: Output = {
  write: (data) =>
    new Promise((resolve, reject) => {
      process.stdout.write(data, (error) => {
        if (error == null) resolve();
        else if ("code" in error && error.code === "EPIPE") process.exit(0);
        else reject(error);
      });
    }),
};

export function print(text: string): Promise<void> {
  return standardOutput.write(text);
}

/** Runs `write` with an output to a file, or to standard output for "-". A file that could not be finished is removed. */
export async function withOutput(file: string, write: (output: Output) => Promise<void>): Promise<void> {
  if (file === "-") {
    await write(standardOutput);
    return;
  }
  const handle = await open(file, "w");
  let isDone = false;
  try {
    await write({ write: (data) => handle.writeFile(data) });
    isDone = true;
  } finally {
    const isFile = (await handle.stat()).isFile();
    await handle.close();
    if (!isDone && isFile) await rm(file, { force: true });
  }
}
