import { run } from "./app.js";

console.log(JSON.stringify(await run(process.argv[2])));
