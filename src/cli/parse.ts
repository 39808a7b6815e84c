/** Parses command lines: finds the command, and checks its operands and options. */
import { parseArgs } from "node:util";
import { didYouMean, itemAt } from "../extend.js";
import { type Command, type CommandLine, type Option, type Options, UsageError } from "./command.js";

/** @throws UsageError for no command and for an unknown one */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  throw new UsageError(
    `expected one of the commands ${names.join(", ")}, got ${JSON.stringify(name)}${didYouMean(name, names)}`,
  );
}

/** @throws UsageError for an unknown option, a missing value, and a wrong number of operands */
export function parseArguments(args: readonly string[], command: Command): CommandLine {
  const { name, operands, options } = command;
  const { tokens } = parseArgs({
    args: attachValues(args, options),
    options: Object.fromEntries(
      Object.entries(options).map(([each, { type, short }]) => [
        each,
        {
          type: type === "flag" ? ("boolean" as const) : ("string" as const),
          multiple: true,
          ...(short !== undefined && { short }),
        },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const optionValues = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined || (!rawName.startsWith("--") && rawName !== `-${option.short}`))
      throw unknownOption(rawName, command);
    if (option.type === "flag" && value !== undefined) throw new UsageError(`${rawName}: expected no value`);
    if (option.type !== "flag" && value === undefined)
      throw new UsageError(`${rawName}: expected ${option.value ?? "a value"} after it`);
    const values = optionValues.get(token.name) ?? [];
    if (value !== undefined) checkChoice(token.name, value, option);
    optionValues.set(token.name, option.type === "list" ? [...values, value ?? ""] : [value ?? ""]);
  }
  const required = operands.filter((operand) => !operand.startsWith("["));
  const isOpen = operands.at(-1)?.endsWith("...") === true;
  if (positionals.length < required.length || (!isOpen && positionals.length > operands.length))
    throw new UsageError(`expected ${name} ${operands.join(" ")}, got ${positionals.length} arguments`);
  const valuesOf = (option: string, ...types: readonly Option["type"][]): readonly string[] | undefined => {
    const type = options[option]?.type;
    if (type === undefined || !types.includes(type))
      throw new TypeError(`wazarr ${name} has no --${option} of type ${types.join(" or ")}`);
    return optionValues.get(option);
  };
  return {
    operands: positionals,
    has: (option) => optionValues.has(option),
    flag: (option) => valuesOf(option, "flag") !== undefined,
    text: (option) => valuesOf(option, "string")?.[0],
    list: (option) => valuesOf(option, "list") ?? [],
  };
}

function checkChoice(name: string, value: string, { choices }: Option): void {
  if (choices === undefined || choices.includes(value)) return;
  throw new UsageError(
    `--${name}: expected ${choices.join(" or ")}, got ${value}${didYouMean(value, choices)}`,
  );
}

function unknownOption(rawName: string, { name, options }: Command): UsageError {
  const names = Object.keys(options).map((option) => `--${option}`);
  const candidates = names.filter((option) => rawName.length > 3 && option.startsWith(rawName));
  const nearest =
    (candidates.length === 1 ? `: did you mean ${candidates[0]}?` : didYouMean(rawName, names)) ||
    `; wazarr ${name} --help lists the options`;
  return new UsageError(`wazarr ${name} has no option ${rawName}${nearest}`);
}

/**
 * Turns `--select -5:` into `--select=-5:`, because parseArgs would take a value that begins with a dash for
 * an option.
 * @throws UsageError for an option whose value is missing
 */
function attachValues(args: readonly string[], options: Options): string[] {
  const attached: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = itemAt(args, i);
    if (arg === "--") return [...attached, ...args.slice(i)];
    const name = arg.startsWith("--") ? arg.slice(2) : "";
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined || option.type === "flag") {
      attached.push(arg);
      continue;
    }
    const value = args[++i];
    if (value === undefined || /^-[^\d]/.test(value))
      throw new UsageError(`${arg}: expected ${option.value ?? "a value"} after it`);
    attached.push(`${arg}=${value}`);
  }
  return attached;
}
