import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeFiles, replacedFolder } from "../../../scripts/adopt/checkoutFiles";

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "checkout-"));
  mkdirSync(join(checkout, "gen"));
  writeFileSync(join(checkout, "gen/same.ts"), "same");
  writeFileSync(join(checkout, "gen/old.ts"), "old");
});
afterEach(() => {
  rmSync(checkout, { recursive: true });
});

it("writes what is otherwise, and removes what goes", async () => {
  const made = new Map([
    ["gen/same.ts", "same"],
    ["gen/old.ts", undefined],
    ["gen/inner/new.ts", "new"],
  ]);
  expect(await placeFiles(checkout, made)).toEqual(["gen/inner/new.ts", "gen/old.ts"]);
  expect(readFileSync(join(checkout, "gen/inner/new.ts"), "utf8")).toBe("new");
  expect(existsSync(join(checkout, "gen/old.ts"))).toBe(false);
  expect(await placeFiles(checkout, made)).toEqual([]);
});

it("changes nothing if one file can't be written", async () => {
  const made = new Map([
    ["gen/old.ts", "new"],
    ["gen/same.ts/inner.ts", "impossible"],
  ]);
  await expect(placeFiles(checkout, made)).rejects.toThrow();
  expect(readdirSync(join(checkout, "gen")).sort()).toEqual(["old.ts", "same.ts"]);
  expect(readFileSync(join(checkout, "gen/old.ts"), "utf8")).toBe("old");
});

it("replaces a folder as a whole", async () => {
  const made = mkdtempSync(join(tmpdir(), "made-"));
  try {
    mkdirSync(join(made, "gen"));
    writeFileSync(join(made, "gen/same.ts"), "same");
    expect([...(await replacedFolder(made, "gen", checkout))]).toEqual(
      expect.arrayContaining([
        ["gen/old.ts", undefined],
        ["gen/same.ts", "same"],
      ]),
    );
  } finally {
    rmSync(made, { recursive: true });
  }
});
