/** Object headers: the messages of a group, a dataset or a named data type. Specification IV.A. */
import type { Hdf5File } from "./hdf5-file.js";
import { type Message, readMessages, SHARED } from "./header-blocks.js";
import { readShared } from "./shared-messages.js";

export type ObjectHeader = readonly Message[];

/** Reads all messages of a header, those in its continuations and those that it shares with others. */
export async function readObjectHeader(file: Hdf5File, address: number): Promise<ObjectHeader> {
  const messages: Message[] = [];
  for (const { type, flags, bytes } of await readMessages(file, address))
    messages.push({ type, bytes: flags & SHARED ? await readShared(file, type, bytes) : bytes });
  return messages;
}

/** The first message of a type. */
export function messageOf(header: ObjectHeader, type: number): Uint8Array | undefined {
  return header.find((message) => message.type === type)?.bytes;
}
