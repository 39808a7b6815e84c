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

/** Milliseconds since 1970 of a date as `datesOf` writes it. */
export const millisecondsOf = (iso: string): number =>
  Date.parse(iso.length > 10 ? `${iso.replace(/Z$/, "")}Z` : iso);

/** "5 March 2026", with the time of day if it has one. */
export function dateInWords(iso: string, length: "long" | "short" = "long"): string {
  const date = new Date(millisecondsOf(iso));
  if (Number.isNaN(date.getTime())) return iso;
  const day = { day: "numeric", month: length, year: "numeric", timeZone: "UTC" } as const;
  const time = iso.length > 10 ? ({ hour: "2-digit", minute: "2-digit" } as const) : {};
  return date.toLocaleString("en-GB", { ...day, ...time });
}
