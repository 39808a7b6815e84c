/** The files, with their number of functions, and the functions that run in one scenario. */
export interface Row {
  readonly name: string;
  readonly files: readonly string[];
  readonly functions: number;
  readonly lines: number;
  readonly bytes: number;
  readonly long: readonly string[];
  readonly aim: readonly [number, number] | undefined;
}
export function trace(): Promise<readonly Row[]>;
