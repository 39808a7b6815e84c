/** The encoded chunks of a band: what came with the message, and what is read from files. */
import { type FileReader, fileReader, type OpenFile, UnreadFile } from "./files.js";
import type { BandMessage } from "./messages.js";

export interface BandValues {
  /** The chunk at this position of the band, read into memory from `allocate`; undefined: absent. @throws UnreadFile */
  read(position: number, allocate: (byteLength: number) => Uint8Array): Uint8Array | undefined;
  /** See FileReader. */
  readonly reads: readonly number[];
  close(): void;
}

/** @throws UnreadFile */
export async function openValues({ values, file }: BandMessage): Promise<BandValues> {
  const isInFiles = file !== undefined || values.some((value) => typeof value === "string");
  const files: FileReader | undefined = isInFiles ? await fileReader() : undefined;
  const opened: OpenFile | undefined = file && files?.open(file);
  return {
    reads: files?.reads ?? [],
    read(position, allocate) {
      const value = values[position];
      if (value === undefined || value instanceof Uint8Array) return value;
      if (typeof value === "string") return files?.read(value, allocate);
      if (opened === undefined) throw new UnreadFile("a part of no file");
      return opened.read(value, allocate);
    },
    close: () => opened?.close(),
  };
}
