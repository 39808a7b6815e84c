/**
 * Timing for every benchmark. It avoids errors that occurred in practice: V8 specialises a loop for the first pair of
 * buffers (the warm-up rotates several); memory that was never written maps one zero page (operands are filled);
 * garbage collections and neighbours hit single batches (the median of batches counts); dead code is removed (the sink).
 */

export interface MeasureOptions {
  /** Milliseconds of warm-up in total, over all operands. */
  readonly warmUp?: number;
  /** Minimum milliseconds of a batch. */
  readonly batch?: number;
  /** Number of batches; the median counts. */
  readonly batches?: number;
  /** Milliseconds after which no further batch starts, for long calls. */
  readonly limit?: number;
}

const DEFAULTS: Required<MeasureOptions> = { warmUp: 60, batch: 8, batches: 9, limit: 600 };

/** Sink for results, so that no engine can remove a loop as dead code. */
let sink: unknown;

/** Median seconds of one call of `run` on the first of `operands`, after a warm-up that rotates through all of them. */
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

/** Like `measure`, for functions that return promises; one call at a time. */
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

/** The last result, for programs that check it. */
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

/** Current speed of memory in GB/s, a reference for all other figures: `TypedArray.set` of `byteLength` bytes. */
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

/** A text table with aligned columns, numbers to the right. */
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
