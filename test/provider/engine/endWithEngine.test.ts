import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ModuleKind, transpileModule } from "typescript";

describe("endWithEngine", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "engine-"));
    const source = readFileSync(
      join(__dirname, "../../../provider/engine/endWithEngine.ts"),
      "utf8",
    );
    const { outputText } = transpileModule(source, {
      compilerOptions: { module: ModuleKind.CommonJS },
    });
    writeFileSync(join(folder, "endWithEngine.js"), outputText);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Runs a program whose input, a pipe as the engine's plugins have, ends soon, and which ends with
   * 0 after a second if that doesn't end it. A shell makes the pipe: Node's own are sockets.
   */
  function exitCodeAt(path: string): number | null {
    const program = join(folder, path);
    mkdirSync(dirname(program), { recursive: true });
    const module = JSON.stringify(join(folder, "endWithEngine.js"));
    writeFileSync(
      program,
      `const { endWithEngine } = require(${module});
      endWithEngine();
      const listeners = process.stdin.listenerCount("end");
      endWithEngine();
      if (process.stdin.listenerCount("end") !== listeners) process.exit(2);
      setTimeout(() => process.exit(0), 1000);`,
    );
    const pipeline = 'sleep 0.1 | "$0" "$1"';
    return spawnSync("sh", ["-c", pipeline, process.execPath, program]).status;
  }

  it("ends the plugin when the engine is gone", () => {
    expect(exitCodeAt("cmd/dynamic-provider/index.js")).toBe(1);
  });

  it("does nothing in another program", () => {
    expect(exitCodeAt("cmd/program/index.js")).toBe(0);
  });
});
