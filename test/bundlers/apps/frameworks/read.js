// What the applications do on the server and in the page: they read the start of a row; the page also works
// on other cores.
import * as wazarr from "wazarr";
import { HttpStore } from "wazarr/stores/http";
import * as workers from "wazarr/workers";
import { run } from "./run.js";

/** @param {string} data URL of a folder with jacksboro.zarr */
export async function read(data) {
  const array = await wazarr.open(new HttpStore(`${data}/jacksboro.zarr/elevation`), { kind: "array" });
  const { data: row } = await wazarr.get(array, [0, wazarr.slice(3)]);
  return Array.from(row).join(" ");
}

/** In a page: its title is where the test looks. */
export async function tell() {
  try {
    const row = await read(new URL("/data", location.href).href);
    document.title = JSON.stringify({ row, ...(await run(wazarr, workers)) });
  } catch (error) {
    document.title = String(error);
  }
}
