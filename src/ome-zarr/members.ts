/** Reads members of OME-Zarr and GeoZarr metadata: numbers, names and paths. Errors name the member. */
import { InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { Member } from "../metadata/member.js";

/** The error for an invalid member, with the caller's message. */
export function refused(member: Member, message: string): InvalidMetadataError {
  const { key, path, member: name } = member.invalid("");
  return new InvalidMetadataError(message, { key, path, member: name });
}

/** The error for a member that is valid but not supported. */
export function unsupported(member: Member, message: string): UnsupportedError {
  const { key, path, member: name } = member.invalid("");
  return new UnsupportedError(message, { key, path, member: name });
}

/** A finite number. */
export function numberOf(member: Member): number {
  const { json } = member;
  const value = typeof json === "bigint" ? Number(json) : json;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw member.invalid("a finite number");
}

/** A list of finite numbers, `length` of them when it is given. */
export function numbersOf(member: Member, length?: number): number[] {
  const items = member.list();
  if (length !== undefined && items.length !== length) {
    throw refused(member, `expected ${length} numbers, got ${items.length}`);
  }
  return items.map(numberOf);
}

/** Scale factors. A factor of zero has no inverse. */
export function factorsOf(member: Member, length?: number): number[] {
  const factors = numbersOf(member, length);
  const zero = factors.indexOf(0);
  if (zero >= 0) throw (member.list()[zero] ?? member).invalid("a number other than 0");
  return factors;
}

/** An integer of at least `minimum`. */
export function integerOf(member: Member, minimum = 0): number {
  const { json } = member;
  if (typeof json === "number" && Number.isSafeInteger(json) && json >= minimum) return json;
  throw member.invalid(`an integer of ${minimum} or more`);
}

/** Path of a node below the node that names it. Absolute paths and names of periods only (".."), which could leave the group, are invalid. */
export function pathOf(member: Member): string {
  const path = member.string();
  const names = path.split("/");
  if (names.some((name) => /^\.*$/.test(name)))
    throw member.invalid('a path below the group, such as "0" or "a/0"');
  return path;
}

/** A string; undefined if the member is missing or null. */
export function optionalString(member: Member): string | undefined {
  return member.isNull ? undefined : member.string();
}

export function optionalNumber(member: Member): number | undefined {
  return member.isNull ? undefined : numberOf(member);
}

/** Items of a list; empty if the member is missing or null. */
export function optionalList(member: Member): readonly Member[] {
  return member.isNull ? [] : member.list();
}
