/** Makes elements of the page. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** @param attributes true: an attribute without a value; false: none */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}
