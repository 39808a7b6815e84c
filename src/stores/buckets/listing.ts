/** Walks over the pages of a listing, each of which says where the next one begins. */
import { StoreError } from "../../core/for-stores.js";
import type { Page } from "./protocol.js";

/** Pages without a name that may follow each other: a service skips what was deleted. */
const MOST_EMPTY = 1000;

/**
 * @param read reads the page at a place, undefined for the first
 * @throws StoreError for a listing that does not end: its pages come again, or nothing is in them
 */
export async function* pagesOf(
  key: string,
  read: (place: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  const loops = new Loops();
  let empty = 0;
  let next: string | undefined;
  do {
    const page = await read(next);
    const first = page.names[0] ?? page.prefixes[0];
    empty = first === undefined ? empty + 1 : 0;
    next = page.next;
    if (next !== undefined && (empty > MOST_EMPTY || loops.includes(next, first)))
      throw new StoreError(
        empty > MOST_EMPTY
          ? `the listing does not end: ${MOST_EMPTY} pages without a name follow each other`
          : "the listing does not end: a page came again",
        { key },
      );
    yield page;
  } while (next !== undefined);
}

/**
 * Notices pages that come again. It keeps one page, and replaces it after 1, 2, 4, 8, ... pages: whatever the
 * length of a loop is, one of those pages is in it and is kept for long enough (Brent's algorithm).
 */
class Loops {
  #place: string | undefined;
  #first: string | undefined;
  #seen = 0;
  #until = 1;

  /** @param place where the next page begins @param first the first name of this page */
  includes(place: string, first: string | undefined): boolean {
    if (place === this.#place || (first !== undefined && first === this.#first)) return true;
    if (++this.#seen < this.#until) return false;
    this.#place = place;
    this.#first = first;
    this.#seen = 0;
    this.#until *= 2;
    return false;
  }
}
