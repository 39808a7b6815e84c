// A plugin of typedoc: the section of a function begins with what it does and an example. typedoc repeats both
// for each of its signatures.
import { MarkdownPageEvent } from "typedoc-plugin-markdown";

export function load(app) {
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = withTidiedFunctions(page.contents);
  });
}

/** The page of an entry, whose functions are the sections of "Functions", with lines between them. */
export function withTidiedFunctions(page) {
  return page.replace(/^## Functions\n[\s\S]*?(?=^## |(?![\s\S]))/m, (group) => {
    const [head, ...functions] = group.trimEnd().split(/\n+(?:\*{3}\n+)?(?=### )/);
    return `${head}\n\n${functions.map(tidied).join("\n\n***\n\n")}\n\n`;
  });
}

/** The section of a function: summary, example, then signatures with what only they have, then what it throws. */
export function tidied(text) {
  const [head, ...signatures] = text.replaceAll(" | - |", " | |").split(/^#### Call Signature\n/m);
  // A function of one signature has its sections one level higher.
  const parts =
    signatures.length === 0 ? [partsOf(head.replaceAll(/^#### /gm, "##### "))] : signatures.map(partsOf);
  const title = signatures.length === 0 ? [] : [head.trim()];
  const [first] = parts;
  // The simplest form first: the compiler needs those with more options before it.
  parts.sort((a, b) => a.signature.length - b.signature.length);
  const isCommon = (name) => parts.every((part) => part[name] === first[name]);
  const section = (part, name) => (part[name] ? [`##### ${name}\n\n${part[name]}`] : []);
  const common = ["summary", "Throws"].filter(isCommon);
  const bodies = parts.map((part) => [
    ...(signatures.length === 0 ? [] : ["#### Call Signature"]),
    part.signature,
    ...(common.includes("summary") ? [] : [part.summary]),
    ...["Parameters", "Returns"].flatMap((name) => section(part, name)),
    ...(common.includes("Throws") ? [] : section(part, "Throws")),
  ]);
  return [
    ...title,
    ...(signatures.length === 0 ? [first.title] : []),
    ...(common.includes("summary") ? [first.summary] : []),
    ...(first.Example ? [first.Example] : []),
    ...bodies.flat(),
    ...(common.includes("Throws") && first.Throws ? [`#### Throws\n\n${first.Throws}`] : []),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The parts of a signature by the name of their section, and `title`, `signature` and `summary`. */
function partsOf(text) {
  const [top, ...sections] = text.split(/^##### /m);
  const [, title = "", signature = "", summary = ""] =
    /^\s*(#[^\n]*)?\s*(>[^\n]*(?:\n>[^\n]*)*)?\s*([\s\S]*)$/.exec(top) ?? [];
  const named = sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end).trim(), section.slice(end).trim()];
  });
  return { ...Object.fromEntries(named), title, signature, summary: summary.trim() };
}
