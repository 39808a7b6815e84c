/** Dates of the CF conventions: "hours since 2026-08-01", in the calendar that Date has. */

const MILLISECONDS: Readonly<Record<string, number>> = {
  day: 864e5,
  hour: 36e5,
  hr: 36e5,
  h: 36e5,
  minute: 6e4,
  min: 6e4,
  second: 1e3,
  sec: 1e3,
  s: 1e3,
  millisecond: 1,
  microsecond: 1e-3,
  nanosecond: 1e-6,
};

/** A function from numbers to ISO 8601; undefined for units that are no times, and for other calendars. */
export function datesOf(
  units: string | undefined,
  calendar: unknown,
): ((value: number) => string) | undefined {
  const [, name = "", since = ""] = /^(\w+) since (.+)$/.exec(units ?? "") ?? [];
  const step = MILLISECONDS[name] ?? MILLISECONDS[name.replace(/s$/, "")];
  const isKnown =
    calendar === undefined || /^(?:standard|gregorian|proleptic_gregorian)$/.test(String(calendar));
  if (step === undefined || !isKnown) return undefined;
  const zoned = /[zZ]|[+-]\d\d:?\d\d$/.test(since) ? since : `${since.replace(" ", "T")}Z`;
  const iso = Date.parse(zoned);
  const start = Number.isNaN(iso) ? Date.parse(`${since} UTC`) : iso;
  if (Number.isNaN(start)) return undefined;
  return (value) => {
    const date = new Date(start + value * step);
    if (Number.isNaN(date.getTime())) return "no date";
    return date.toISOString().replace(/T00:00:00\.000Z$|:00\.000Z$|\.000Z$/, "");
  };
}
