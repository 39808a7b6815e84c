/** A command of the command line: its operands and options with their help, and its work. */

/** An error in the command line itself: exit status 2. */
export class UsageError extends Error {}

export interface Option {
  /** "list": an option with a value that may be repeated. */
  readonly type: "flag" | "string" | "list";
  /** A letter that stands for the name: "o" for -o. */
  readonly short?: string;
  /** Stands for the value in help: "N", "PREFIX". */
  readonly value?: string;
  /** The values there are, for help and completion. */
  readonly choices?: readonly string[];
  /** Plain sentences for help and docs/command-line.md. */
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Positional arguments; optional ones in brackets. "..." after the last: one or more. */
  readonly operands: readonly string[];
  /** Paragraphs that explain the command. */
  readonly description: readonly string[];
  readonly options: Options;
  /** Command lines that work as they are, but for their names. */
  readonly examples: readonly string[];
  /** @returns false if it found bad data or did not finish: exit status 1 */
  run(line: CommandLine): Promise<unknown>;
}

/**
 * The arguments of a command. `flag`, `text` and `list` throw a TypeError for an option that the command does
 * not have.
 */
export interface CommandLine {
  readonly operands: readonly string[];
  /** Whether an option is given; false for one that the command does not have. */
  has(option: string): boolean;
  flag(option: string): boolean;
  /** The value of an option, or undefined. */
  text(option: string): string | undefined;
  /** The values of an option that may be repeated; empty unless it is given. */
  list(option: string): readonly string[];
}
