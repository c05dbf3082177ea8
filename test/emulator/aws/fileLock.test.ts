import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withFileLock } from "../../../emulator/aws/fileLock";

describe("withFileLock", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "file-lock-"));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("admits one holder at a time, and leaves nothing behind", async () => {
    let inside = 0;
    const enter = () =>
      withFileLock(
        path.join(folder, "lock"),
        () => undefined,
        async () => {
          inside++;
          expect(inside).toBe(1);
          await sleep(5);
          inside--;
        },
      );
    await Promise.all([enter(), enter(), enter()]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is released after a failed action", async () => {
    const file = path.join(folder, "lock");
    const failing = withFileLock(
      file,
      () => undefined,
      () => Promise.reject(new Error("broken")),
    );
    await expect(failing).rejects.toThrow("broken");
    await expect(
      withFileLock(
        file,
        () => undefined,
        () => Promise.resolve("entered"),
      ),
    ).resolves.toBe("entered");
  });

  it("does not wait for a dead holder", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const file = path.join(folder, "lock");
    await writeFile(file, String(child.pid));
    await expect(
      withFileLock(
        file,
        () => undefined,
        () => Promise.resolve("entered"),
      ),
    ).resolves.toBe("entered");
  });
});
