// A plugin of typedoc: a page of the reference that has no example gets one from the guides, whose programs are
// run in tests. Types that the sources import under another name get their own.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";

const docs = new URL("../docs/", import.meta.url);

/** The programs of the guides, the shortest first, with what they import: entries of the package by name. */
const programs = readdirSync(docs)
  .filter((name) => name.endsWith(".md"))
  .flatMap((file) => {
    const text = readFileSync(new URL(file, docs), "utf8");
    const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
    return Array.from(text.matchAll(/^```(js|ts)\n(.*?)^```$/gms), ([, language, program]) => ({
      ...{ file, title, language, program },
      imports: new Map(
        Array.from(program.matchAll(/^import \{ ([^}]*) \} from "(wazarr[^"]*)";$/gm)).flatMap(
          ([, names, entry]) => names.split(", ").map((name) => [name, entry]),
        ),
      ),
    }));
  })
  .sort((a, b) => a.program.length - b.program.length);

export function load(app) {
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = withExample(withOwnNames(page.contents, page.url), page.url);
  });
}

const linkTo = (file, url) => posix.relative(posix.dirname(`api/${url}`), file);

/** `Array` is imported as `ZarrArray` where the other one is needed. */
const withOwnNames = (contents, url) =>
  contents.replaceAll("`ZarrArray`", `[\`Array\`](${linkTo("api/wazarr/classes/Array.md", url)})`);

function withExample(contents, url) {
  const [, entry, kind, name] = /^(wazarr[^.]*?)\/(?:(functions|classes)\/)?([\w$]+)\.md$/.exec(url) ?? [];
  if (entry === undefined || /^```[jt]s$/m.test(contents)) return contents;
  const example = name.endsWith("Error") ? caught(name) : programOf(entry, kind, name, url);
  if (example === undefined) return contents;
  const start = /^(?:## |> \*\*)/m.exec(contents)?.index ?? contents.length;
  return `${contents.slice(0, start)}${example}\n\n${contents.slice(start)}`;
}

const caught = (name) => `\`\`\`ts
import { isZarrError } from "wazarr";

try {
  await work();
} catch (error) {
  if (isZarrError(error, "${name}")) console.warn(error.message);
  else throw error;
}
\`\`\``;

/** The shortest program that uses a name, or else one that shows how its entry is used. */
function programOf(entry, kind, name, url) {
  const using = kind && programs.find(({ imports }) => imports.get(name) === entry);
  const found = using ?? programs.find(({ imports }) => [...imports.values()].includes(entry));
  if (!found) return undefined;
  const { file, title, language, program } = found;
  const link = `[${title.replaceAll(/\[|\]|`/g, "")}](${linkTo(file, url)})`;
  const words = kind === "functions" && !using ? `How ${entry} is used: ${link}.` : `From ${link}.`;
  return `\`\`\`${language}\n${program}\`\`\`\n\n${words}`;
}
