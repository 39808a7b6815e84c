/** Options that several commands have. */
import type { Option } from "./command.js";

export const JSON_OPTION: Option = { type: "flag", help: "Prints JSON, for programs." };

export const ALLOW: Option = {
  type: "list",
  value: "PREFIX",
  help: "A directory, file or URL of this machine, or a bucket address (read with credentials), that references and links may point to, besides their own folder or bucket. May be repeated.",
};

export const QUIET: Option = { type: "flag", help: "Prints no progress and no notes." };
