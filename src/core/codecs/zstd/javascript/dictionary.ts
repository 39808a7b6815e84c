/** Dictionaries (RFC 8878 sections 5 and 6), as assembly/zstd-dictionary.ts reads them. */
import { BAD_DISTANCE, TRUNCATED, UNSUPPORTED } from "../../decoder-result.js";
import { type HuffmanTable, PADDING, Refusal, readTree } from "./entropy.js";
import {
  DESCRIBED,
  LITERAL_LENGTHS,
  MATCH_LENGTHS,
  OFFSETS,
  readTable,
  type SequenceState,
} from "./sequences.js";

const MAGIC = 0xec30a437;

/** What a frame begins with: its tables and repeated offsets, and how many bytes before it matches reach. */
export interface FrameStart extends SequenceState {
  readonly contentLength: number;
  readonly huffman: HuffmanTable | undefined;
}

/** @param id the id that the frame asks for, or 0 @throws Refusal */
export function readDictionary(dictionary: Uint8Array, id: number): FrameStart {
  const source = new DataView(new ArrayBuffer(dictionary.length + 2 * PADDING));
  new Uint8Array(source.buffer).set(dictionary, PADDING);
  const end = PADDING + dictionary.length;
  if (dictionary.length < 8 || source.getUint32(PADDING, true) !== MAGIC) {
    if (id !== 0) throw new Refusal(UNSUPPORTED);
    return withoutTables(dictionary.length);
  }
  if (id !== 0 && id !== source.getUint32(PADDING + 4, true)) throw new Refusal(UNSUPPORTED);
  let from = PADDING + 8;
  const tree = readTree(source, from, end);
  from += tree.length;
  const [offsets, matchLengths, literalLengths] = [OFFSETS, MATCH_LENGTHS, LITERAL_LENGTHS].map((kind) => {
    const { table, length } = readTable(DESCRIBED, kind, undefined, source, from, end);
    from += length;
    return table;
  });
  if (end - from < 12) throw new Refusal(TRUNCATED);
  const contentLength = end - from - 12;
  const repeats = Uint32Array.from({ length: 3 }, (_, i) => source.getUint32(from + 4 * i, true));
  if (repeats.some((offset) => offset === 0 || offset > contentLength)) throw new Refusal(BAD_DISTANCE);
  return { contentLength, tables: [literalLengths, offsets, matchLengths], repeats, huffman: tree.table };
}

export function withoutTables(contentLength: number): FrameStart {
  return {
    contentLength,
    tables: [undefined, undefined, undefined],
    repeats: Uint32Array.of(1, 4, 8),
    huffman: undefined,
  };
}
