/**
 * The worker's module: it decodes and encodes chunks for a `WorkerPool`.
 * @module
 */
import { fillSlots } from "../main/catalogue.js";
import { listen } from "./listen.js";

fillSlots();
listen();
