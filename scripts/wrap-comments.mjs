/**
 * Wraps comments at 110 columns: `node scripts/wrap-comments.mjs src/grid assembly`. Only full-line comments,
 * and of them paragraphs with a wider line.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WIDTH = 110;
const files = process.argv.slice(2).flatMap(function walk(path) {
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => walk(join(path, name)));
  return /\.m?[jt]s$/.test(path) && !path.endsWith(".generated.ts") ? [path] : [];
});
/** Lines that begin something of their own: tags, lists, tables, code. */
const own = (text) => /^(@|[-*|] |\d+\. |```| {2})/.test(text);
const directive = (text) => /^(biome-|@ts-|eslint|prettier|#|\/ <)/.test(text);
/** Whether a line ends a sentence although the next word would have had room: somebody meant a new line. */
const isBreak = (line, next, prefix) =>
  /[.:;]$/.test(line) && prefix.length + line.length + 1 + next.split(" ")[0].length <= WIDTH;
function fill(words, prefix) {
  const lines = [];
  let line = prefix;
  for (const word of words) {
    if (line !== prefix && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = prefix;
    }
    line = line === prefix ? prefix + word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}
/** Wraps texts of consecutive comment lines. */
function wrapTexts(texts, prefix) {
  const out = [];
  let isCode = false;
  for (let i = 0; i < texts.length; ) {
    const first = texts[i];
    if (first.startsWith("```")) isCode = !isCode;
    if (first === "" || isCode || directive(first) || /^( {2}|\||```)/.test(first)) {
      out.push((prefix + first).trimEnd());
      i++;
      continue;
    }
    let end = i + 1;
    while (
      end < texts.length &&
      texts[end] !== "" &&
      !own(texts[end]) &&
      !isBreak(texts[end - 1], texts[end], prefix)
    )
      end++;
    const paragraph = texts.slice(i, end);
    const isTable = paragraph.some((text) => / {3,}/.test(text));
    if (!isTable && paragraph.some((text) => prefix.length + text.length > WIDTH)) {
      const indent = /^- /.test(first) ? "  " : "";
      const [head, ...rest] = fill(paragraph.join(" ").split(/ +/), prefix);
      if (indent && rest.length > 0) {
        out.push(
          head,
          ...fill(
            rest
              .map((line) => line.slice(prefix.length))
              .join(" ")
              .split(" "),
            prefix + indent,
          ),
        );
      } else out.push(head, ...rest);
    } else out.push(...paragraph.map((text) => prefix + text));
    i = end;
  }
  return out;
}
let changed = 0;
for (const file of files) {
  const before = readFileSync(file, "utf8");
  const lines = before.split("\n");
  const out = [];
  const code = [];
  let isTemplate = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const single = !isTemplate && /^(\s*)\/\*\*? (.*) \*\/$/.exec(line);
    if (single && line.length > WIDTH && !single[2].includes("*/")) {
      const indent = single[1];
      // A tag gets a line of its own.
      const texts = single[2].split(/ (?=@(?:param|returns|throws|see)\b)/);
      out.push(`${indent}/**`, ...wrapTexts(texts, `${indent} * `), `${indent} */`);
      continue;
    }
    const block = !isTemplate && /^(\s*)\/\*\*?\s*$/.exec(line);
    if (block) {
      let end = i + 1;
      while (end < lines.length && !/\*\/\s*$/.test(lines[end])) end++;
      const inner = lines.slice(i + 1, end);
      const regular = inner.every((each) => /^\s*\*( |$)/.test(each)) && /^\s*\*\/$/.test(lines[end] ?? "");
      if (regular) {
        out.push(
          line,
          ...wrapTexts(
            inner.map((each) => each.replace(/^\s*\* ?/, "")),
            `${block[1]} * `,
          ),
          lines[end],
        );
      } else out.push(...lines.slice(i, end + 1));
      i = end;
      continue;
    }
    const slashes = !isTemplate && /^(\s*)\/\/ (.*)$/.exec(line);
    if (slashes) {
      const texts = [];
      const indent = slashes[1];
      let end = i;
      for (; end < lines.length; end++) {
        const match = /^(\s*)\/\/( .*|)$/.exec(lines[end]);
        if (!match || match[1] !== indent) break;
        texts.push(match[2].replace(/^ /, ""));
      }
      out.push(...wrapTexts(texts, `${indent}// `));
      i = end - 1;
      continue;
    }
    if ((line.match(/(?<!\\)`/g) ?? []).length % 2 === 1 && !/^\s*(\*|\/\/)/.test(line))
      isTemplate = !isTemplate;
    code.push(line);
    out.push(line);
  }
  const after = out.join("\n");
  if (after !== before) {
    writeFileSync(file, after);
    changed++;
  }
}
console.log(changed, "files");
