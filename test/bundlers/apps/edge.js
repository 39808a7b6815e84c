import { run } from "./app.js";

/** For workerd: an answer is what the application reads. */
export default {
  async fetch(request) {
    return Response.json(await run(new URL(request.url).searchParams.get("data")));
  },
};
