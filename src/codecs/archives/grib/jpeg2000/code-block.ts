/** The coefficients of a code-block (ISO/IEC 15444-1, Annex D): bit planes in three passes each. */
import { byteAt, int32At } from "../../../../core/for-codecs.js";
import { damaged } from "../sections.js";
import { ArithmeticDecoder } from "./arithmetic.js";
import type { CodeBlock, Orientation } from "./packets.js";

/** Contexts: 0 to 8 of significance, then of signs, of refinement, of runs, and the uniform one. */
const SIGN = 9;
const REFINE = 14;
const RUN = 17;
const UNIFORM = 18;
const STRIPE = 4;
const SEGMENTATION_SYMBOL = 0xa;

function startStates(): Uint8Array {
  const states = new Uint8Array(19);
  states[0] = 4;
  states[RUN] = 3;
  states[UNIFORM] = 46;
  return states;
}

/** Context of significance by the number of significant neighbours beside, above or below, and diagonal. */
function contextOf(orientation: Orientation, beside: number, above: number, diagonal: number): number {
  if (orientation === "HH") {
    const straight = beside + above;
    if (diagonal >= 3) return 8;
    if (diagonal === 2) return straight >= 1 ? 7 : 6;
    if (diagonal === 1) return 3 + Math.min(straight, 2);
    return Math.min(straight, 2);
  }
  const [along, across] = orientation === "HL" ? [above, beside] : [beside, above];
  if (along === 2) return 8;
  if (along === 1) return across >= 1 ? 7 : diagonal >= 1 ? 6 : 5;
  return across > 0 ? 2 + across : Math.min(diagonal, 2);
}

/** Contexts by beside, above and diagonal. */
const tableOf = (orientation: Orientation): Uint8Array =>
  Uint8Array.from({ length: 45 }, (_, i) =>
    contextOf(orientation, Math.floor(i / 15), Math.floor(i / 5) % 3, i % 5),
  );
const TABLES: Readonly<Record<Orientation, Uint8Array>> = {
  LL: tableOf("LL"),
  HL: tableOf("HL"),
  LH: tableOf("LH"),
  HH: tableOf("HH"),
};

class BlockDecoder {
  readonly #width: number;
  readonly #height: number;
  readonly #row: number;
  readonly #table: Uint8Array;
  readonly #decoder: ArithmeticDecoder;
  /** With a border of one around the block: 1 if a coefficient is significant. */
  readonly #significant: Uint8Array;
  /** 1 if it is negative. */
  readonly #negative: Uint8Array;
  /** Passes of the plane have decoded it. */
  readonly #visited: Uint8Array;
  readonly #refined: Uint8Array;
  readonly magnitudes: Int32Array;

  constructor(width: number, height: number, orientation: Orientation, bytes: Uint8Array) {
    this.#width = width;
    this.#height = height;
    this.#row = width + 2;
    this.#table = TABLES[orientation];
    this.#decoder = new ArithmeticDecoder(bytes, startStates());
    const size = this.#row * (height + 2);
    this.#significant = new Uint8Array(size);
    this.#negative = new Uint8Array(size);
    this.#visited = new Uint8Array(size);
    this.#refined = new Uint8Array(size);
    this.magnitudes = new Int32Array(size);
  }

  #is(at: number): number {
    return byteAt(this.#significant, at);
  }

  /** Neighbours as an index of the tables. */
  #neighbours(at: number): number {
    const row = this.#row;
    const beside = this.#is(at - 1) + this.#is(at + 1);
    const above = this.#is(at - row) + this.#is(at + row);
    const diagonal =
      this.#is(at - row - 1) + this.#is(at - row + 1) + this.#is(at + row - 1) + this.#is(at + row + 1);
    return 15 * beside + 5 * above + diagonal;
  }

  #context(at: number): number {
    const neighbours = this.#neighbours(at);
    return byteAt(this.#table, neighbours);
  }

  /** 1 for a positive significant neighbour, -1 for a negative one. */
  #signAt(at: number): number {
    return this.#is(at) * (1 - 2 * byteAt(this.#negative, at));
  }

  #becomeSignificant(at: number, plane: number): void {
    const beside = Math.sign(this.#signAt(at - 1) + this.#signAt(at + 1));
    const above = Math.sign(this.#signAt(at - this.#row) + this.#signAt(at + this.#row));
    const sum = 3 * beside + above;
    this.#negative[at] = this.#decoder.bit(SIGN + Math.abs(sum)) ^ (sum < 0 ? 1 : 0);
    this.#significant[at] = 1;
    this.magnitudes[at] = 1 << plane;
  }

  /** Calls `visit` for all coefficients: four rows at a time, column by column. */
  #scan(visit: (at: number) => void): void {
    for (let top = 0; top < this.#height; top += STRIPE) {
      const bottom = Math.min(top + STRIPE, this.#height);
      for (let x = 0; x < this.#width; x++)
        for (let y = top; y < bottom; y++) visit((y + 1) * this.#row + x + 1);
    }
  }

  propagate(plane: number): void {
    this.#scan((at) => {
      if (this.#is(at) === 1) return;
      const context = this.#context(at);
      if (context === 0) return;
      this.#visited[at] = 1;
      if (this.#decoder.bit(context) === 1) this.#becomeSignificant(at, plane);
    });
  }

  refine(plane: number): void {
    this.#scan((at) => {
      if (this.#is(at) === 0 || this.#visited[at] === 1) return;
      const isFirst = this.#refined[at] === 0;
      const context = isFirst ? REFINE + (this.#neighbours(at) === 0 ? 0 : 1) : REFINE + 2;
      this.#refined[at] = 1;
      const bit = this.#decoder.bit(context);
      this.magnitudes[at] = int32At(this.magnitudes, at) | (bit << plane);
    });
  }

  cleanUp(plane: number): void {
    for (let top = 0; top < this.#height; top += STRIPE) {
      for (let x = 0; x < this.#width; x++) this.#cleanColumn(top, x, plane);
    }
    this.#visited.fill(0);
  }

  #cleanColumn(top: number, x: number, plane: number): void {
    const bottom = Math.min(top + STRIPE, this.#height);
    const placeOf = (y: number): number => (y + 1) * this.#row + x + 1;
    let y = top;
    if (bottom - top === STRIPE && this.#isQuiet(top, placeOf)) {
      if (this.#decoder.bit(RUN) === 0) return;
      y += 2 * this.#decoder.bit(UNIFORM);
      y += this.#decoder.bit(UNIFORM);
      this.#becomeSignificant(placeOf(y), plane);
      y++;
    }
    for (; y < bottom; y++) {
      const at = placeOf(y);
      if (this.#is(at) === 1 || this.#visited[at] === 1) continue;
      if (this.#decoder.bit(this.#context(at)) === 1) this.#becomeSignificant(at, plane);
    }
  }

  /** Whether four coefficients have nothing significant around them, and nothing that is decoded. */
  #isQuiet(top: number, placeOf: (y: number) => number): boolean {
    for (let y = top; y < top + STRIPE; y++) {
      const at = placeOf(y);
      if (this.#is(at) === 1 || this.#visited[at] === 1 || this.#context(at) !== 0) return false;
    }
    return true;
  }

  isSegmentEnd(): boolean {
    let symbol = 0;
    for (let i = 0; i < 4; i++) symbol = 2 * symbol + this.#decoder.bit(UNIFORM);
    return symbol === SEGMENTATION_SYMBOL;
  }

  value(x: number, y: number): number {
    const at = (y + 1) * this.#row + x + 1;
    const magnitude = int32At(this.magnitudes, at);
    return this.#negative[at] === 1 ? -magnitude : magnitude;
  }
}

/** How a subband is coded. */
interface Coding {
  readonly orientation: Orientation;
  readonly planes: number;
  readonly hasSegmentationSymbols: boolean;
  /** Of the packets in the message, for errors. */
  readonly offset: number;
}

/**
 * Decodes a code-block, and calls `store` for each of its coefficients.
 * @throws CodecError unless all bit planes are there
 */
export function decodeBlock(
  block: CodeBlock,
  { orientation, planes, hasSegmentationSymbols, offset }: Coding,
  store: (x: number, y: number, value: number) => void,
): void {
  const { width, height, segments, passes, zeroPlanes } = block;
  if (passes === 0) return;
  const coded = planes - zeroPlanes;
  if (passes !== 3 * coded - 2)
    throw damaged(
      `expected ${3 * coded - 2} passes of a code-block, all without loss, got ${passes}`,
      offset,
    );
  const bytes = new Uint8Array(segments.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const segment of segments) {
    bytes.set(segment, at);
    at += segment.length;
  }
  const decoder = new BlockDecoder(width, height, orientation, bytes);
  for (let plane = coded - 1; plane >= 0; plane--) {
    if (plane < coded - 1) {
      decoder.propagate(plane);
      decoder.refine(plane);
    }
    decoder.cleanUp(plane);
    if (hasSegmentationSymbols && !decoder.isSegmentEnd())
      throw damaged("expected the end of a bit plane in a code-block", offset);
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) store(block.x + x, block.y + y, decoder.value(x, y));
}
