/**
 * Scripts that complete commands, options and their values in a shell; operands and other values are files.
 */
import type { Command, Option } from "./command.js";

/** Options of a command, with --help, which all have. */
function optionsOf({ options }: Command): readonly (readonly [name: string, option: Option])[] {
  return [...Object.entries(options), ["help", { type: "flag", help: "Prints help." }]];
}

const names = (commands: readonly Command[]): string => commands.map(({ name }) => name).join(" ");
/** In single quotes; no help has any. */
const quoted = (text: string): string => `'${text.replaceAll("'", "’")}'`;
const firstSentence = (text: string): string => text.split(/(?<=[.;]) /)[0]?.replace(/[.;]$/, "") ?? "";

/** Words for an operand that is no file. */
const wordsOf = ({ operands }: Command): readonly string[] =>
  operands.flatMap((operand) => (/^[a-z]+(?:\|[a-z]+)+$/.test(operand) ? operand.split("|") : []));

export function bashScript(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const choices = options.flatMap(([name, each]) =>
      each.choices === undefined ? [] : [`--${name}) words="${each.choices.join(" ")}" ;;`],
    );
    const others = options.filter(([, each]) => each.type !== "flag" && each.choices === undefined);
    const files = others.length === 0 ? [] : [`${others.map(([name]) => `--${name}`).join("|")}) ;;`];
    const flags = options.map(([name]) => `--${name}`).join(" ");
    return `    ${command.name})
      case "$before" in
${[...choices, ...files].map((each) => `        ${each}\n`).join("")}        *) if [[ "$word" == -* ]]; then words="${flags}"; else words="${wordsOf(command).join(" ")}"; fi ;;
      esac ;;`;
  });
  return `# Completion of wazarr for bash
_wazarr() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "${names(commands)} help --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) words="${names(commands)}" ;;
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _wazarr wazarr
`;
}

export function zshScript(commands: readonly Command[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map(([name, { type, help, choices }]) => {
      const value = choices === undefined ? ":value:_files" : `:value:(${choices.join(" ")})`;
      const text = firstSentence(help).replaceAll(/[[\]:\\]/g, "\\$&");
      return quoted(`${type === "list" ? "*" : ""}--${name}[${text}]${type === "flag" ? "" : value}`);
    });
    const words = wordsOf(command);
    const operand = words.length > 0 ? `*:operand:(${words.join(" ")})` : "*:operand:_files";
    return `    ${command.name}) _arguments ${[...specs, quoted(operand)].join(" ")} ;;`;
  });
  return `#compdef wazarr
# Completion of wazarr for zsh
_wazarr() {
  local -a commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
    help) _describe command commands ;;
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_wazarr" ]; then _wazarr "$@"; else compdef _wazarr wazarr; fi
`;
}

export function fishScript(commands: readonly Command[]): string {
  const begin = "complete -c wazarr";
  const lines = commands.flatMap((command) => {
    const { name, summary } = command;
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `${begin} -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...optionsOf(command).map(([option, { type, help, choices }]) => {
        const value =
          type === "flag" ? "" : choices === undefined ? " -r" : ` -x -a ${quoted(choices.join(" "))}`;
        return `${begin} ${within} -l ${option}${value} -d ${quoted(firstSentence(help))}`;
      }),
      ...wordsOf(command).map((word) => `${begin} ${within} -f -a ${word}`),
    ];
  });
  return `# Completion of wazarr for fish\n${lines.join("\n")}\n`;
}
