/** Reads extensions of v3: chunk grids, chunk key encodings and codecs. */
import type { Member } from "./member.js";

export interface Extension {
  readonly name: Member;
  readonly configuration: Member;
  readonly mustUnderstand: boolean;
}

/** Reads an extension object, or its short form, a name without configuration ("Extension definition"). */
export function parseExtension(member: Member): Extension {
  const extension = typeof member.json === "string" ? member.as({ name: member.json }) : member;
  extension.ignorable(["name", "configuration", "must_understand"]);
  const configuration = extension.get("configuration");
  const mustUnderstand = extension.get("must_understand");
  return {
    name: extension.get("name"),
    configuration: configuration.isNull ? configuration.as({}) : configuration,
    mustUnderstand: mustUnderstand.isNull || mustUnderstand.oneOf(true, false),
  };
}
