/**
 * Timing for every benchmark. What it guards against, each met in practice: V8 specialising a loop for the first pair of
 * buffers it sees (so the warm-up rotates several); memory that was never written, which maps one zero page (so
 * operands are filled); a garbage collection or a neighbour in one batch (so the median of batches); dead code (the sink).
 */

export interface MeasureOptions {
  /** Milliseconds of warm-up, over all operands. */
  readonly warmUp?: number;
  /** Milliseconds a batch takes at least. */
  readonly batch?: number;
  /** Batches; the median counts. */
  readonly batches?: number;
  /** Milliseconds after which no batch is begun, where one call takes long. */
  readonly limit?: number;
}

const DEFAULTS: Required<MeasureOptions> = { warmUp: 60, batch: 8, batches: 9, limit: 600 };

/** Results go here, so that no engine can prove a loop useless. */
let sink: unknown;

/** The median seconds of one call of `run` on the first of `operands`, warmed up on all of them in turn. */
export function measure<Operand>(
  operands: readonly [Operand, ...Operand[]],
  run: (operand: Operand) => unknown,
  options: MeasureOptions = {},
): number {
  const { warmUp, batch, batches, limit } = { ...DEFAULTS, ...options };
  const [first] = operands;
  const began = performance.now();
  let calls = 0;
  while (performance.now() - began < warmUp) {
    for (const operand of operands) sink = run(operand);
    calls += operands.length;
  }
  const repeats = Math.max(1, Math.ceil((batch * calls) / (performance.now() - began)));
  const samples: number[] = [];
  for (let i = 0; i < batches && (i === 0 || performance.now() - began < limit); i++) {
    const start = performance.now();
    for (let r = 0; r < repeats; r++) sink = run(first);
    samples.push((performance.now() - start) / repeats / 1000);
  }
  return median(samples);
}

/** As `measure`, for work that takes promises; one call at a time. */
export async function measureAsync(
  run: () => Promise<unknown>,
  options: MeasureOptions = {},
): Promise<number> {
  const { warmUp, batch, batches, limit } = { ...DEFAULTS, ...options };
  const began = performance.now();
  let calls = 0;
  do {
    sink = await run();
    calls += 1;
  } while (performance.now() - began < warmUp);
  const repeats = Math.max(1, Math.ceil((batch * calls) / (performance.now() - began)));
  const samples: number[] = [];
  for (let i = 0; i < batches && (i === 0 || performance.now() - began < limit); i++) {
    const start = performance.now();
    for (let r = 0; r < repeats; r++) sink = await run();
    samples.push((performance.now() - start) / repeats / 1000);
  }
  return median(samples);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** The last result, for programs that want to be sure it was made. */
export function lastResult(): unknown {
  return sink;
}

/** Reproducible random bytes (xorshift32). */
export function randomBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  return fillRandom(new Uint8Array(length), seed);
}

export function fillRandom<Bytes extends Uint8Array>(bytes: Bytes, seed = 1): Bytes {
  let state = seed | 1;
  for (let i = 0; i < bytes.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

/** GB/s (10^9 bytes) of payload. */
export function rate(bytes: number, seconds: number): number {
  return bytes / seconds / 1e9;
}

/** The speed of memory here and now, to read every other figure against: `TypedArray.set` of `byteLength` bytes, in GB/s. */
export function memcpyRate(byteLength: number, options: MeasureOptions = {}): number {
  const pair = (seed: number) => ({
    target: randomBytes(byteLength, seed),
    source: randomBytes(byteLength, seed + 1),
  });
  return rate(
    byteLength,
    measure([pair(1), pair(3)], ({ target, source }) => target.set(source), options),
  );
}

/** A table for people: columns aligned, numbers to the right. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}
