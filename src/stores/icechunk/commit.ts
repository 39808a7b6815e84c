/** Commits as applications see them. */

/** What a commit says of itself. */
export interface IcechunkCommit {
  /** The id of its snapshot, which the option `snapshot` opens. */
  readonly snapshot: string;
  /** The id of the snapshot before it; undefined for the first, and if it is not known. */
  readonly parent: string | undefined;
  /** As its author wrote it. */
  readonly message: string;
  /** When it was made. */
  readonly time: Date;
}

/** @param microseconds since 1970 */
export const timeOf = (microseconds: number): Date => new Date(Math.floor(microseconds / 1000));
