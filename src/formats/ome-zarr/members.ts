/** Reads members of OME-Zarr metadata. Errors name the member. */
import { itemAt, type Member } from "../../extend.js";
import { InvalidMetadataError, UnsupportedError } from "../../index.js";

/** The error for an invalid member, with the caller's message. */
export function refused(member: Member, message: string): InvalidMetadataError {
  return new InvalidMetadataError(message, member.where());
}

/** The error for a member that is valid but not supported. */
export function unsupported(member: Member, message: string): UnsupportedError {
  return new UnsupportedError(message, member.where());
}

/** Scale factors. A factor of zero has no inverse. */
export function factorsOf(member: Member, length?: number): number[] {
  const factors = member.numbers(length);
  const zero = factors.indexOf(0);
  if (zero >= 0) throw itemAt(member.list(), zero).invalid("a number other than 0");
  return factors;
}

/** A string; undefined if the member is missing or null. */
export function optionalString(member: Member): string | undefined {
  return member.isNull ? undefined : member.string();
}

export function optionalNumber(member: Member): number | undefined {
  return member.isNull ? undefined : member.number();
}

/** Items of a list; empty if the member is missing or null. */
export function optionalList(member: Member): readonly Member[] {
  return member.isNull ? [] : member.list();
}
