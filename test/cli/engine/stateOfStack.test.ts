import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { importState } from "../../../cli/engine/stateOfStack";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "state-of-stack-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A stack whose engine notes the rights of the file that it imports, and of its folder. */
async function notingStack(): Promise<Stack> {
  const command = join(folder, "engine");
  const notes = `
    const { copyFileSync, statSync, writeFileSync } = require("node:fs");
    const { dirname } = require("node:path");
    const file = process.argv[5];
    const rights = [file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8));
    writeFileSync(${JSON.stringify(join(folder, "rights"))}, rights.join(" "));
    copyFileSync(file, ${JSON.stringify(join(folder, "state"))});
  `;
  await writeFile(command, `#!${process.execPath}\n${notes}`);
  await chmod(command, 0o700);
  const workspace = { pulumiCommand: { command }, workDir: folder, envVars: {} };
  return { name: "production", workspace } as unknown as Stack;
}

describe("the import of a state", () => {
  it("shows the state to no other user of the computer", async () => {
    const before = process.umask(0o022);
    try {
      await importState(await notingStack(), { version: 3, deployment: { key: "secret" } });
    } finally {
      process.umask(before);
    }
    expect(await readFile(join(folder, "rights"), "utf8")).toBe("600 700");
    expect(await readFile(join(folder, "state"), "utf8")).toContain("secret");
  });
});
