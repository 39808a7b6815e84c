/** A file behind a URL as a store of one value: an archive, a file that others refer to. */
import { HttpStore } from "./http.js";

/** Whatever the key, its URL is requested as it was given: decoding it ("%2F") would lead elsewhere. */
export class HttpFile extends HttpStore {
  protected override urlOf(): URL {
    return this.url;
  }
}
