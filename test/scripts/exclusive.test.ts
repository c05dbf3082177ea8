import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exclusive } from "../../scripts/exclusive";

describe("exclusive", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "exclusive-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("fails while another process runs, and names it", () => {
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
    try {
      const file = join(folder, "lock");
      writeFileSync(file, String(other.pid));
      expect(() => exclusive(file, "the cluster")).toThrow(
        `another run (process ${other.pid ?? 0}) is at work on the cluster`,
      );
    } finally {
      other.kill("SIGKILL");
    }
  });

  it("takes over from a dead process", () => {
    const dead = spawnSync(process.execPath, ["-e", ""]);
    const file = join(folder, "lock");
    writeFileSync(file, String(dead.pid));
    const release = exclusive(file, "the cluster");
    expect(existsSync(file)).toBe(true);
    release();
    expect(existsSync(file)).toBe(false);
  });
});
