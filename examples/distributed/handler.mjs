// The same tasks in a cloud function: a request with a task as JSON runs it. Deno, Bun and most clouds take
// this as it is: deno serve handler.mjs
import { runTask } from "wazarr/jobs";
import { open } from "./queue.mjs";

export default {
  /** Let in only whom you know: a task names stores that this function may write. */
  async fetch(request) {
    try {
      const result = await runTask(await request.json(), { open, signal: request.signal });
      return Response.json({ result: result ?? null });
    } catch (error) {
      const { tag, message, key, chunk } = error;
      return Response.json({ tag, message, key, chunk }, { status: 500 });
    }
  },
};
