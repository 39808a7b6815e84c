/** The error of work whose worker died. The calling thread does the work again. */
import { UnsupportedError } from "../errors.js";

export class LostWork extends UnsupportedError {}
