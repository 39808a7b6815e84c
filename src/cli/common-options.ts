/** Options that several commands have. */
import type { Option } from "./command.js";

export const JSON_OPTION: Option = { type: "flag", help: "Prints JSON, for programs." };

export const ALLOW: Option = {
  type: "list",
  value: "PREFIX",
  help: "A directory, file or URL of this machine, or a bucket address (s3://BUCKET/PREFIX, read with credentials), that a reference document, an Icechunk repository or a link in it may point to. Without it, they may only point to files below their own folder, or in their own bucket. May be repeated.",
};

export const QUIET: Option = { type: "flag", help: "Prints no progress and no notes." };
