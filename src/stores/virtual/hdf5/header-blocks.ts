/** The blocks of an object header, and the messages in them as they are stored. Specification IV.A.1. */
import { StoreError } from "../../../core/for-stores.js";
import type { Cursor } from "./cursor.js";
import type { Hdf5File } from "./hdf5-file.js";

/** Types of messages that are read. */
export const MESSAGE = {
  dataspace: 0x01,
  linkInfo: 0x02,
  dataType: 0x03,
  oldFillValue: 0x04,
  fillValue: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  groupInfo: 0x0a,
  filters: 0x0b,
  attribute: 0x0c,
  continuation: 0x10,
  symbolTable: 0x11,
  attributeInfo: 0x15,
} as const;

export interface Message {
  readonly type: number;
  /** Without the padding at its end in version 1 of headers, if its own fields say so. */
  readonly bytes: Uint8Array;
}

/** Most blocks and messages of one header: a circle of continuations has more. */
const MOST_BLOCKS = 4096;
const MOST_MESSAGES = 1 << 17;
/** Bytes of a first read. Most headers fit. */
const FIRST_READ = 512;
/** Flag of a message that is elsewhere. */
export const SHARED = 0x02;

/** All messages of the header at an address. */
export async function readMessages(file: Hdf5File, address: number): Promise<readonly RawMessage[]> {
  const start = await file.atMost(address, FIRST_READ, "object header");
  const isSecond = start.bytes[0] === 0x4f;
  return isSecond ? readSecond(file, address, start) : readFirst(file, address, start);
}

export interface RawMessage extends Message {
  readonly flags: number;
}

interface Block {
  readonly address: number;
  readonly length: number;
}

async function readFirst(file: Hdf5File, address: number, cursor: Cursor): Promise<RawMessage[]> {
  cursor.version(1);
  cursor.skip(1);
  const count = cursor.u16();
  cursor.skip(4);
  const length = cursor.u32();
  const messages: RawMessage[] = [];
  await eachBlock(file, { address: address + 16, length }, (block, blocks) => {
    while (block.left >= 8 && messages.length < count) {
      const type = block.u16();
      const size = block.u16();
      const flags = block.u8();
      block.skip(3);
      add(file, { type, flags, bytes: block.take(size) }, messages, blocks);
    }
  });
  return messages;
}

async function readSecond(file: Hdf5File, address: number, cursor: Cursor): Promise<RawMessage[]> {
  cursor.signature("OHDR");
  cursor.version(2);
  const flags = cursor.u8();
  if (flags & 0x20) cursor.skip(16);
  if (flags & 0x10) cursor.skip(4);
  const length = cursor.uint(1 << (flags & 3));
  const hasOrder = (flags & 4) !== 0;
  const messages: RawMessage[] = [];
  let isFirst = true;
  await eachBlock(file, { address: address + cursor.at, length }, (block, blocks) => {
    // A continuation has a signature and a checksum inside its length, the first block around it.
    if (!isFirst) block.signature("OCHK");
    const end = block.bytes.length - (isFirst ? 0 : 4);
    isFirst = false;
    while (block.at + (hasOrder ? 6 : 4) <= end) {
      const type = block.u8();
      const size = block.u16();
      const messageFlags = block.u8();
      if (hasOrder) block.skip(2);
      add(file, { type, flags: messageFlags, bytes: block.take(size) }, messages, blocks);
    }
  });
  return messages;
}

async function eachBlock(
  file: Hdf5File,
  first: Block,
  read: (block: Cursor, blocks: Block[]) => void,
): Promise<void> {
  const blocks = [first];
  for (let i = 0; i < blocks.length; i++) {
    if (i === MOST_BLOCKS)
      throw new StoreError(
        `HDF5, object header at address ${first.address}: more than ${MOST_BLOCKS} blocks`,
      );
    const block = blocks[i];
    if (block !== undefined) read(await file.structure(block.address, block.length, "object header"), blocks);
  }
}

function add(file: Hdf5File, message: RawMessage, messages: RawMessage[], blocks: Block[]): void {
  if (message.type === MESSAGE.continuation) {
    const cursor = file.cursor(message.bytes, "continuation of an object header");
    blocks.push({ address: cursor.addressOf("a block"), length: cursor.length() });
  }
  messages.push(message);
  if (messages.length > MOST_MESSAGES)
    throw new StoreError(`HDF5, object header: more than ${MOST_MESSAGES} messages`);
}
