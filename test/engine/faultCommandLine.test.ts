import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "../../emulator/packageRoot";
import { documentedCommands, type FaultWorld, startFaultWorld } from "../emulator/faultWorld";

const cli = path.join(packageRoot(), "dist", "emulator", "cli.js");

describe("the emulator's program", () => {
  let world: FaultWorld;

  beforeAll(async () => {
    if (!existsSync(cli)) {
      throw new Error("the emulator is not built: run `npm run build` first");
    }
    world = await startFaultWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  async function run(line: string) {
    const [, ...words] = line.split(" ");
    const child = spawn(process.execPath, [cli, ...words, "--state-dir", world.stateDir]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    return { exitCode, output };
  }

  it("runs the commands for faults that the documentation shows", async () => {
    const { cluster, node } = world;
    const stages: string[] = [];
    for (const line of await documentedCommands()) {
      expect(await run(line)).toMatchObject({ exitCode: 0 });
      stages.push(`${node.stage} ${cluster.faults.list().length}`);
    }
    expect(stages).toEqual([
      "maintenance 1",
      "stopped 2",
      "stopped 2",
      "stopped 1",
      "maintenance 0",
    ]);
  });

  it("reports a wrong command, and fails", async () => {
    const { exitCode, output } = await run("emulator fault refus i-none");
    expect(exitCode).toBe(1);
    expect(output).toMatch(/there is no kind "refus", did you mean "refuse"/);
    expect(output).toMatch(/no machine "i-none"/);
    expect(output).not.toContain("    at ");
  });
});
