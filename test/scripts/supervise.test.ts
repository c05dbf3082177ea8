import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { transpileModule, ModuleKind } from "typescript";

/** A script that supervises itself; its work starts a grandchild and never ends. */
const script = `
const { supervise, endWithSupervisor } = require("./supervise.js");
const { spawn } = require("node:child_process");
if (process.argv.includes("--work")) {
  endWithSupervisor();
  process.on("SIGINT", () => {});
  // In a group of its own, as the engine's plugins are, or not.
  const detached = process.argv.includes("--detached");
  const program = "process.on('SIGINT', () => {}); setTimeout(() => {}, 60000)";
  const grandchild = spawn(process.execPath, ["-e", program], { detached });
  process.stdout.write("pids " + process.pid + " " + grandchild.pid + "\\n");
  setTimeout(() => {}, 60000);
} else {
  const onInterrupt = async () => { process.stdout.write("cleaned up\\n"); };
  const args = ["--work", ...process.argv.slice(2)];
  supervise({ args, onInterrupt, graceMs: 300 }).then((code) => process.exit(code));
}
`;

describe("supervise", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "supervise-"));
    const source = readFileSync(join(__dirname, "../../scripts/supervise.ts"), "utf8");
    const { outputText } = transpileModule(source, {
      compilerOptions: { module: ModuleKind.CommonJS },
    });
    writeFileSync(join(folder, "supervise.js"), outputText);
    writeFileSync(join(folder, "script.js"), script);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(...args: string[]) {
    const child = spawn(process.execPath, [join(folder, "script.js"), ...args]);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
    while (!/pids \d+ \d+\n/.test(output)) {
      await sleep(10);
    }
    const pids = (/pids (\d+) (\d+)/.exec(output) ?? []).slice(1).map(Number);
    return { child, exit, pids, output: () => output };
  }

  async function allGone(pids: number[]): Promise<boolean> {
    for (let attempt = 0; attempt < 3_000; attempt++) {
      if (pids.every((pid) => !isAlive(pid))) {
        return true;
      }
      await sleep(20);
    }
    return false;
  }

  it.each([
    ["in its group", []],
    ["in a group of its own", ["--detached"]],
  ])("leaves nothing running %s after an interrupt, and cleans up", async (_where, args) => {
    const { child, exit, pids, output } = await start(...args);
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    expect(output()).toContain("cleaned up");
    expect(await allGone(pids)).toBe(true);
  });

  it("leaves nothing running when it is killed", async () => {
    const { child, exit, pids } = await start();
    child.kill("SIGKILL");
    await exit;
    expect(await allGone(pids)).toBe(true);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
