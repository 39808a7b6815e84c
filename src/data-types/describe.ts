/** A caller's value or a piece of JSON, short enough for an error message. Never throws, whatever it is given. */
export function describe(value: unknown): string {
  const text = render(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function render(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 120 ? value.slice(0, 120) : value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  try {
    return JSON.stringify(value, (_name, member: unknown) =>
      typeof member === "bigint" ? `${member}n` : member,
    );
  } catch {
    return Object.prototype.toString.call(value);
  }
}
