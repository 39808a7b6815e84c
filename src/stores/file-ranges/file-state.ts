/** Whether a file is as it was when a document that names it was written. */
import { StoreError, type ValueState } from "../../core/for-stores.js";

/** What a document knows of a file. */
export interface FileState {
  readonly etag?: string | undefined;
  /** When the file was last changed, in milliseconds since 1970. */
  readonly modified?: number | undefined;
}

/** An ETag in its quotes, or a weak one. Stores have other versions, too. */
const ETAG = /^(?:W\/)?"(.*)"$/;

/**
 * Compares what the store learned while it read. A server need not tell, and CORS hides ETags unless the
 * server exposes them: what is unknown does not count as a change.
 * @throws StoreError for another ETag, and for a file that was changed after `modified`
 */
export function checkUnchanged({ etag, modified }: FileState, found: ValueState): void {
  const [, tag] = ETAG.exec(String(found.version)) ?? [];
  const [, known = etag] = ETAG.exec(etag ?? "") ?? [];
  const isOther = etag !== undefined && tag !== undefined && tag !== known;
  // Documents have whole seconds, files have more.
  const isLater =
    modified !== undefined &&
    found.modified !== undefined &&
    Math.floor(found.modified / 1000) * 1000 > modified;
  if (!isOther && !isLater) return;
  const now = [
    ...(found.modified === undefined ? [] : [`was changed at ${timeOf(found.modified)}`]),
    ...(isOther ? [`has the ETag ${JSON.stringify(tag)}`] : []),
  ];
  const then = isOther ? `the ETag ${JSON.stringify(known)}` : `a file last changed at ${timeOf(modified)}`;
  throw new StoreError(
    `expected ${then}, as when this reference was written, got a file that ${now.join(" and ")}: its bytes may have moved; make the references again`,
  );
}

function timeOf(milliseconds: number | undefined): string {
  const time = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? `${milliseconds} ms` : time.toISOString();
}
