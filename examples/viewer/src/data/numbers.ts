/** Numbers as panels write them: few digits, and a true minus sign. */

/** Five digits at most. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "none";
  const rounded = Number(value.toPrecision(5));
  const isPlain = rounded === 0 || (Math.abs(rounded) < 1e9 && Math.abs(rounded) >= 1e-4);
  return (isPlain ? String(rounded) : rounded.toExponential()).replace("-", "−");
}

/** As many digits as differ across a span. */
export function shortWithin(value: number, span: number): string {
  if (!Number.isFinite(value) || !(span > 0)) return short(value);
  const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span))));
  const isPlain = Math.abs(value) < 1e9 && span >= 1e-4;
  return isPlain
    ? value
        .toFixed(digits)
        .replace(/^-(?=0(?:\.0*)?$)/, "")
        .replace("-", "−")
    : short(value);
}

/** For fields of numbers, which know no other minus. */
export const plain = (value: number): string => String(Number(value.toPrecision(6)));
