// The states of the viewer that scripts/viewer-pictures.mjs takes pictures of, and their data.
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeCells, writeScreen, writeVolume, writeWorld } from "./viewer-picture-data.mjs";

/** What is served of each data set: its folder. */
export const SOURCES = {
  world: writeWorld,
  damaged: writeDamaged,
  cells: writeCells,
  screen: writeScreen,
  volume: writeVolume,
};

/** A world with a damaged chunk of temperatures and a damaged document of winds. */
async function writeDamaged(path) {
  await writeWorld(path);
  await truncate(join(path, "t2m/c/0/0/0"), 20);
  await writeFile(join(path, "u10/zarr.json"), "{ this is no JSON");
  return path;
}

const click = (name) => async (page) => page.getByRole("button", { name }).first().click();
/** On a phone, panels are behind tabs. */
const tab = (name) => async (page, size) => {
  if (size === "phone") await page.locator(".tabs button", { hasText: name }).click();
};
const both =
  (...acts) =>
  async (page, size) => {
    for (const act of acts) await act(page, size);
  };
const isFailed = (page) => page.locator("#problems .problem").waitFor();
const isShown = (selector) => (page) => page.locator(selector).first().waitFor();

/** A server that does not let other pages read. */
const withoutCors = (page) =>
  page.route("http://other.test/**", (route) =>
    route.fulfill({
      status: 200,
      headers: { "access-control-allow-origin": "https://else.test" },
      body: "{}",
    }),
  );
const withoutNetwork = (page) =>
  page.route("http://other.test/**", (route) => route.abort("internetdisconnected"));
const withoutAnswer = (page) => page.route("**/data/**", () => {});

/** Opens a file of another format from the page with which the viewer starts. */
const file = (path) => async (page) => {
  await page.locator("#zip").setInputFiles({
    name: path.split("/").at(-1),
    mimeType: "application/octet-stream",
    buffer: await readFile(path),
  });
  await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
};

const at = (more) => `url=/data/${more}`;
/**
 * Of a state: `of` which data set, what follows the "#", what is done `before` the page is loaded, and, once
 * it `isReady`, how a user `act`s; on which `sizes`, if not on both.
 */
export const STATES = [
  { of: "world", name: "start", hash: "path=/", isReady: isShown("#url") },
  { of: "world", name: "opening", hash: at(""), before: withoutAnswer, isReady: isShown(".skeleton") },
  { of: "world", name: "cards", hash: at("&stage=cards") },
  { of: "world", name: "map", hash: at("&path=/t2m&at=time:63&point=108,45&point=95,14") },
  {
    of: "world",
    name: "map-values",
    hash: at("&path=/t2m&at=time:63&point=108,45&point=95,14"),
    act: tab("Values"),
    sizes: ["phone"],
  },
  {
    of: "world",
    name: "map-colours",
    hash: at("&path=/t2m&at=time:63"),
    act: tab("Colours"),
    sizes: ["phone"],
  },
  {
    of: "world",
    name: "map-variables",
    hash: at("&path=/t2m&at=time:63"),
    act: tab("Variables"),
    sizes: ["phone"],
  },
  { of: "world", name: "globe", hash: at("&path=/t2m&stage=globe&map=20,25,2") },
  { of: "world", name: "region", hash: at("&path=/t2m&at=time:63&region=88,18,112,34"), act: tab("Values") },
  {
    of: "world",
    name: "polygon",
    hash: at("&path=/t2m&stage=plane&at=time:63&region=60,20,90,15,112,34,80,50"),
    act: tab("Values"),
  },
  { of: "world", name: "difference", hash: at("&path=/t2m&at=time:150&with=10"), act: tab("Values") },
  { of: "world", name: "steps", hash: at("&path=/t2m&at=time:150&with=10&curtain=0.5&point=108,45") },
  { of: "world", name: "variables", hash: at("&path=/t2m&at=time:63&with=/tp&curtain=0.6") },
  { of: "world", name: "log", hash: at("&path=/tp&at=time:20&curve=log"), act: tab("Colours") },
  { of: "world", name: "classes", hash: at("&path=/land"), act: tab("Colours") },
  {
    of: "world",
    name: "plane",
    hash: at("&path=/tp&stage=plane&at=time:133&point=60,30"),
    act: tab("Values"),
  },
  { of: "world", name: "line", hash: at("&path=/lat") },
  { of: "world", name: "table", hash: at("&path=/time") },
  { of: "world", name: "missing", hash: at("&path=/nothing"), isReady: isFailed },
  { of: "world", name: "share", hash: at("&path=/u10&at=time:20"), act: click("Share") },
  {
    of: "world",
    name: "code",
    hash: at("&path=/u10&at=time:20"),
    act: both(click("Share"), click("Copy Python")),
  },
  { of: "world", name: "keys", hash: at("&path=/u10&at=time:20"), act: click("Keys"), sizes: ["desk"] },
  { of: "world", name: "other-data", hash: at("&path=/u10&at=time:20"), act: click("open other data") },
  { of: "world", name: "film", hash: at("&path=/t2m"), act: both(click("Share"), click("Save film")) },
  { of: "world", name: "embed", hash: at("&path=/t2m&at=time:63&embed=1") },
  {
    of: "world",
    name: "base-map",
    hash: at("&path=/t2m&base=https://other.test/{z}/{x}/{y}.png"),
    act: both(tab("Colours"), click("Unfold map")),
  },
  {
    of: "world",
    name: "cors",
    hash: "url=http://other.test/data.zarr",
    before: withoutCors,
    isReady: isFailed,
  },
  {
    of: "world",
    name: "offline",
    hash: "url=http://other.test/data.zarr",
    before: withoutNetwork,
    isReady: isFailed,
  },
  {
    of: "world",
    name: "netcdf",
    hash: "path=/",
    isReady: isShown("#url"),
    act: file("examples/live/north-america.nc"),
  },
  {
    of: "world",
    name: "tiff",
    hash: "path=/",
    isReady: isShown("#url"),
    act: file("examples/live/jacksboro.tif"),
  },
  {
    of: "world",
    name: "grib",
    hash: "path=/",
    isReady: isShown("#url"),
    act: file("examples/forecast/forecast.grib2"),
  },
  { of: "damaged", name: "hole", hash: at("&path=/t2m&at=time:0") },
  { of: "damaged", name: "hole-plane", hash: at("&path=/t2m&at=time:0&stage=plane") },
  { of: "damaged", name: "broken-card", hash: at("&stage=cards") },
  { of: "damaged", name: "broken", hash: at("&path=/u10"), isReady: isFailed },
  { of: "cells", name: "image", hash: at("&point=400,300") },
  { of: "cells", name: "image-channels", hash: at(""), act: tab("Colours") },
  { of: "screen", name: "plate", hash: at("") },
  { of: "screen", name: "well", hash: at("&path=/A/1/0") },
  { of: "volume", name: "planes", hash: at("&path=/amplitude&stage=planes") },
  { of: "volume", name: "projection", hash: at("&path=/amplitude&stage=volume") },
];
