/** The hooks in Chromium, in strict mode, with React 18 and 19. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, root, set } from "wazarr";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { type Driven, openPage, REACTS } from "./driven.js";

async function column(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const array = await create(root(store).resolve("column"), { shape: [4], dtype: "int32" });
  await set(array, null, Int32Array.from([0, 10, 20, 30]));
  return store;
}

describe.skipIf(chromiumLaunchOptions() === undefined).each(Object.keys(REACTS))("React %s", (version) => {
  const folder = REACTS[version] ?? "";
  describe.skipIf(!existsSync(`${folder}/react`))("hooks", () => {
    let page: Driven;
    beforeAll(async () => {
      page = await openPage(folder, await column());
    });
    afterAll(() => page?.close());
    const run: Driven["run"] = (name, ...given) => page.run(name, ...given);

    test("read once for two components in strict mode", async () => {
      expect(await run("sharing")).toEqual({
        first: "reading reading",
        shown: "20 20",
        asked: ["2"],
        aborted: [],
      });
    });

    test("abort what is under way when the last component goes", async () => {
      expect(await run("unmounting")).toEqual({ asked: ["1"], aborted: ["1"] });
    });

    test("never show the elements of another selection, and abort its read", async () => {
      expect(await run("changing")).toEqual({
        wrong: [],
        asked: ["1", "2", "3", "1", "4"],
        aborted: ["1", "2", "3"],
      });
    });

    test("suspend, keep the last result in a transition, and abort steps between", async () => {
      expect(await run("suspending")).toEqual({
        first: "waiting",
        meanwhile: "10",
        asked: ["1", "2", "3"],
        aborted: ["2"],
      });
    });

    test("say why a read failed, and read again", async () => {
      expect(await run("failing")).toBe(3);
    });

    test("open stores by address, with and without Suspense", async () => {
      expect(await run("addressed", page.store)).toBe("4: 0 10 20 30");
      expect(await run("caught", `${page.store}/nothing`)).toBe("caught NotFoundError");
    });

    test("show tiles as they arrive, and abort those of a component that goes", async () => {
      expect(await run("tiles")).toEqual({
        first: "partial ",
        asked: ["0/0"],
        shown: "complete 9",
        aborted: ["0/0"],
        one: 9,
      });
    });
  });
});
