/**
 * Reads the XML documents of buckets: elements and text. There are no entities but those of XML itself, no
 * DOCTYPE, and no deep nesting, so a hostile document costs no more than its length.
 */
import { StoreError } from "../../core/for-stores.js";

export interface XmlElement {
  readonly name: string;
  readonly attributes: string;
  /** The text directly in the element. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** Listings have 4. */
const DEEPEST = 16;

/** Characters, from "&" to ";": "&#1114111;". */
const LONGEST_ENTITY = 12;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

// One piece of a document: text, or markup. Each alternative excludes what ends it, so that the scan is
// linear.
const PIECE =
  /([^<]+)|<\?[^>]*\?>|<!--(?:[^-]|-(?!-))*-->|<!\[CDATA\[((?:[^\]]|\](?!\]>))*)\]\]>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s[^<>]*?)?)(\/?)>/y;

interface Open {
  readonly name: string;
  readonly attributes: string;
  text: string;
  readonly children: XmlElement[];
}

/** @throws StoreError unless the text is a whole document whose outermost element has this name */
export function parseXml(text: string, root: string): XmlElement {
  const document: Open = { name: "", attributes: "", text: "", children: [] };
  const open: Open[] = [document];
  PIECE.lastIndex = 0;
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(text);
    const inner = open[open.length - 1];
    if (piece === null || inner === undefined) throw notXml(`markup at character ${at} that is not XML`);
    const [, plain, data, closed, name, attributes = "", slash] = piece;
    if (plain !== undefined) inner.text += unescaped(plain);
    else if (data !== undefined) inner.text += data;
    else if (closed !== undefined) {
      if (inner === document || inner.name !== closed)
        throw notXml(`</${closed.slice(0, 50)}> without its start tag`);
      open.pop();
    } else if (name !== undefined) {
      const element: Open = { name, attributes, text: "", children: [] };
      inner.children.push(element);
      if (slash === "") open.push(element);
      if (open.length > DEEPEST) throw notXml(`elements nested ${DEEPEST} deep`);
    }
  }
  const [outermost, ...more] = document.children;
  if (open.length > 1) throw notXml(`a document that ends inside of <${open[1]?.name.slice(0, 50)}>`);
  if (outermost?.name !== root || more.length > 0 || document.text.trim() !== "")
    throw notXml(outermost === undefined ? "something that is not XML" : `<${outermost.name.slice(0, 50)}>`);
  return outermost;

  function notXml(problem: string): StoreError {
    return new StoreError(
      `expected the document <${root}>, got ${problem}; check that the address is of this service`,
    );
  }
  // Not by `replace`: it finds all entities, and makes an array of each, before the first is refused.
  function unescaped(escaped: string): string {
    const parts: string[] = [];
    let from = 0;
    for (let start = escaped.indexOf("&"); start >= 0; start = escaped.indexOf("&", from)) {
      const end = escaped.slice(start, start + LONGEST_ENTITY).indexOf(";");
      const char = end < 0 ? undefined : characterOf(escaped.slice(start + 1, start + end));
      if (char === undefined) throw notXml("an entity that XML does not define");
      parts.push(escaped.slice(from, start), char);
      from = start + end + 1;
    }
    return parts.join("") + escaped.slice(from);
  }
}

/** The character of an entity; undefined for one that XML does not define. */
function characterOf(entity: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return Object.hasOwn(NAMED, entity) ? NAMED[entity] : undefined;
}

/** The elements of this name directly in an element. */
export function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first element of this name directly in an element. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
