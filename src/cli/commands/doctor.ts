/** `wazarr doctor`: why a page that reads a hierarchy is slow, or shows nothing. */
import { stringifyJson, withoutSecrets } from "../../extend.js";
import { type Command, UsageError } from "../command.js";
import { ALLOW, JSON_OPTION } from "../common-options.js";
import { examine } from "../doctor/examine.js";
import type { Finding } from "../doctor/finding.js";
import { print } from "../output.js";
import { nodeOfOperands } from "../stores.js";
import type { Paint } from "../text/colours.js";

export const doctor: Command = {
  name: "doctor",
  summary: "finds out why a page that reads a store is slow, or shows nothing",
  operands: ["STORE", "[PATH]"],
  description: [
    "Prints one line per finding, with what to change. For an http(s) address it checks CORS, ranges, answers for missing keys, HTML in place of data, compression and the version of HTTP. For every store it checks the format, consolidated metadata, codecs, sizes of chunks and shards, and what the first tile takes: the first chunk of the first array, or of the smallest level of an image.",
    'A line begins with "problem" if a page cannot work, "advice" if it is slow or may be, or "ok". The exit status is 1 if there is a problem.',
  ],
  options: {
    origin: {
      type: "string",
      value: "ORIGIN",
      help: "The origin of the page that reads, for servers that allow only some. Default: https://example.com.",
    },
    json: JSON_OPTION,
    allow: ALLOW,
  },
  examples: [
    "wazarr doctor https://example.com/temperature.zarr",
    "wazarr doctor temperature.zarr t2m --json",
  ],
  async run({ operands, flag, text, list }) {
    const name = nodeOfOperands(operands, list("allow"));
    const origin = originOf(text("origin") ?? "https://example.com");
    const findings: Finding[] = [];
    for await (const finding of examine(name, origin)) {
      findings.push(finding);
      if (!flag("json")) await print(lineOf(finding), inColour);
    }
    if (flag("json")) {
      const report = { store: withoutSecrets(name.store), path: name.path, findings };
      await print(`${stringifyJson(report, { indent: 2 })}\n`);
    }
    return !findings.some(({ level }) => level === "problem");
  },
};

const lineOf = ({ level, what, advice }: Finding): string =>
  `${level.padEnd(9)}${what}${advice === null ? "" : `; ${advice}`}\n`;

const inColour = (line: string, paint: Paint): string =>
  line.replace(/^(?:ok|advice|problem)/, (level) =>
    paint(level === "ok" ? "green" : level === "advice" ? "cyan" : "red", level),
  );

/** @throws UsageError for a value that is not an origin */
function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === "null" || !/^https?:/.test(origin))
    throw new UsageError(
      `--origin: expected an origin, such as https://example.com, got ${withoutSecrets(text)}`,
    );
  return origin;
}
