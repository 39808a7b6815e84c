/** `wazarr completion`: prints a script that completes commands and options in a shell. */

import { type Command, UsageError } from "../command.js";
import { bashScript, fishScript, zshScript } from "../completion-scripts.js";
import { print } from "../output.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const isShell = (name: string): name is keyof typeof SCRIPTS => Object.hasOwn(SCRIPTS, name);

/** @param commands those to complete, besides this one */
export function completionOf(commands: readonly Command[]): Command {
  const completion: Command = {
    name: "completion",
    summary: "prints a script that completes commands and options in bash, zsh or fish",
    operands: ["bash|zsh|fish"],
    description: ["The examples say where each shell looks for it."],
    options: {},
    examples: [
      "wazarr completion bash > ~/.local/share/bash-completion/completions/wazarr",
      "wazarr completion zsh > ~/.zsh/functions/_wazarr",
      "wazarr completion fish > ~/.config/fish/completions/wazarr.fish",
    ],
    async run({ operands: [shell = ""] }) {
      if (!isShell(shell)) throw new UsageError(`expected bash, zsh or fish, got ${shell}`);
      await print(SCRIPTS[shell]([...commands, completion]));
    },
  };
  return completion;
}
