/** Options that several commands have. */
import type { Option } from "./command.js";

export const JSON_OPTION: Option = { type: "flag", help: "Prints JSON, for programs." };

export const ALLOW: Option = {
  type: "list",
  value: "PREFIX",
  help: "A directory, file or URL of this machine, or an address of a bucket (s3://BUCKET/PREFIX, read with credentials), that a reference document, an Icechunk repository or a link in it may name. Without it, they name files below their own folder, or in their own bucket, only. May be repeated.",
};

export const QUIET: Option = { type: "flag", help: "No progress on the terminal, and no notes." };
