/** Where in the attributes of a group its OME-Zarr metadata stand, and which version they follow. */
import type { Group } from "../array/nodes.js";
import { isJsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import { unsupported } from "./members.js";

/** Versions of OME-Zarr; of 0.6 its release candidates and drafts, too. */
export type OmeZarrVersion = "0.1" | "0.2" | "0.3" | "0.4" | "0.5" | "0.6";

const VERSIONS: readonly OmeZarrVersion[] = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6"];

/** The metadata of a group: the member `ome` since 0.5, the attributes themselves before. */
export interface OmeMetadata {
  readonly group: Group;
  readonly member: Member;
  /** As written, in `ome` or in the part that says it; undefined where nothing does. */
  readonly version: OmeZarrVersion | undefined;
  /** What is not as the specification has it and was understood all the same. */
  readonly warnings: string[];
}

export function metadataOf(group: Group): OmeMetadata {
  const document = new Member(group.metadata.attributes, { path: group.path });
  const { ome } = group.metadata.attributes;
  const member = isJsonObject(ome) ? document.get("ome") : document;
  const warnings: string[] = [];
  const said = [member, ...partsOf(member)].map((part) => part.get("version")).find(({ isNull }) => !isNull);
  return { group, member, version: said && versionOf(said), warnings };
}

/** The parts that say the version themselves before 0.5. */
function partsOf(member: Member): Member[] {
  const { json: list } = member.get("multiscales");
  const first =
    Array.isArray(list) && isJsonObject(list[0]) ? member.get("multiscales").list()[0] : undefined;
  const others = ["plate", "well", "image-label"]
    .map((name) => member.get(name))
    .filter(({ json }) => isJsonObject(json));
  return first === undefined ? others : [first, ...others];
}

/** "0.6.dev3" and "0.6rc0" are 0.6, "0.5.2" is 0.5, and the number 0.4 is "0.4". */
function versionOf(member: Member): OmeZarrVersion {
  const text = typeof member.json === "number" ? String(member.json) : member.string();
  const [, base] = /^(0\.\d)(?:\.\d+|[.-]?(?:dev|rc|alpha|beta).{0,8})?$/.exec(text) ?? [];
  const found = VERSIONS.find((version) => version === base);
  if (found !== undefined) return found;
  throw unsupported(member, `OME-Zarr ${text} is not supported: versions ${VERSIONS.join(", ")} are`);
}
