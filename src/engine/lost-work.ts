/** What a worker was doing when it died: the calling thread does it again. */
import { UnsupportedError } from "../errors.js";

export class LostWork extends UnsupportedError {}
