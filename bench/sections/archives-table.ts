/** The table of a codec of archives: chunks that a native library wrote, decoded by wazarr and its rivals. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Python, Request } from "../peers/python.js";
import { type Care, type Rival, race } from "../race.js";
import { against, figure, milliseconds, type Table } from "../table.js";
import { type Chunk, decoders } from "./archives-decoder.js";

/** Files for the values of a chunk, and for what the library makes of them. */
export interface Files {
  readonly data: string;
  readonly encoded: string;
}

/** A row. */
export interface Trial {
  readonly title: string;
  readonly values: () => NodeJS.ArrayBufferView;
  /** Writes the chunk. */
  readonly encode: (files: Files) => Request;
  /** How wazarr reads it. */
  readonly chunk: Omit<Chunk, "encoded">;
  /** In the order of the table's libraries; undefined for one that cannot. */
  readonly rivals: (encoded: string, stored: Uint8Array) => readonly (Rival | undefined | Promise<Rival>)[];
}

export async function compareChunks(
  { python, folder, care }: { readonly python: Python; readonly folder: string; readonly care: Care },
  format: string,
  libraries: readonly string[],
  trials: readonly Trial[],
): Promise<Table> {
  const files = { data: join(folder, "data"), encoded: join(folder, "encoded") };
  const rows: string[][] = [];
  for (const { title, values: make, encode, chunk, rivals } of care.isQuick ? trials.slice(0, 1) : trials) {
    const values = make();
    writeFileSync(files.data, values);
    await python.run(encode(files));
    const stored = new Uint8Array(readFileSync(files.encoded));
    const others = await Promise.all(rivals(files.encoded, stored));
    const turns = await race([...(await decoders({ ...chunk, encoded: stored })), ...others], care.effort);
    const [mine, , ...theirs] = turns;
    const compression = values.byteLength / stored.length;
    const ratios = theirs.map((each) => against(each, mine));
    rows.push([title, figure(compression), ...turns.map(milliseconds), ...ratios]);
  }
  const ratios = libraries.map((name) => `of ${name}`);
  return { header: [format, "compressed", "wazarr", "its fallback", ...libraries, ...ratios], rows };
}
