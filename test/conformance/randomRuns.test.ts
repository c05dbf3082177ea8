import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceSeed } from "./support/randomRuns";

/** The seed of a folder that holds these files, by their names. */
async function seedOf(files: Readonly<Record<string, string>>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "source-seed-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return sourceSeed([folder]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const files = { "merge.ts": "merge", "rules/links.ts": "links" };

test("is the same for the same sources in any folder", async () => {
  const seed = await seedOf(files);
  expect(await seedOf(files)).toBe(seed);
  expect(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
});

test.each([
  ["another text", { ...files, "rules/links.ts": "routes" }],
  ["another name", { "merge.ts": "merge", "rules/bonds.ts": "links" }],
  ["one more file", { ...files, "patch.ts": "" }],
])("differs for %s", async (_, changed) => {
  expect(await seedOf(changed)).not.toBe(await seedOf(files));
});

test("ignores files that are not sources", async () => {
  expect(await seedOf({ ...files, "notes.md": "text" })).toBe(await seedOf(files));
});
