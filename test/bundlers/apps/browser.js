import { run } from "./app.js";

// The title is where the test looks.
try {
  document.title = JSON.stringify(await run(new URL("/data", location.href).href));
} catch (error) {
  document.title = String(error);
}
