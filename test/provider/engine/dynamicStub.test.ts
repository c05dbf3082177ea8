import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamicStub } from "../../../provider/engine/dynamicStub";

describe("dynamicStub", () => {
  let project: string;

  beforeEach(() => {
    project = realpathSync(mkdtempSync(join(tmpdir(), "stub-")));
  });

  afterEach(() => {
    rmSync(project, { recursive: true, force: true });
  });

  /** Runs the text as Pulumi's plugin does: from a string, in the folder of the project. */
  function callCheck(): { stdout: string; stderr: string } {
    const runner = `
      const { handler } = require(${JSON.stringify(require.resolve("require-from-string"))})(${JSON.stringify(dynamicStub("MachineSecrets"))});
      handler().check({ old: 1 }, { now: 2 }).then((r) => console.log(JSON.stringify(r)), (e) => console.error(e.message));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", runner], {
      cwd: project,
      encoding: "utf8",
    });
    return { stdout, stderr };
  }

  it("never changes, because every existing stack contains it", () => {
    const hash = createHash("sha256").update(dynamicStub("MachineSecrets")).digest("hex");
    expect(hash).toBe("5fb34db602bddb3eb6b74eca02e42fcf487c30a508e0abd502463902d99ac88e");
  });

  it("is small and names nothing of the computer", () => {
    const text = dynamicStub("ClientConfiguration");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
    expect(text).not.toContain(process.cwd());
  });

  it("runs the handler of the project's installed package", () => {
    const installed = join(project, "node_modules/pulumi-talos-aws");
    mkdirSync(installed, { recursive: true });
    writeFileSync(
      join(installed, "package.json"),
      JSON.stringify({ name: "pulumi-talos-aws", exports: { "./provider/serve": "./serve.js" } }),
    );
    writeFileSync(
      join(installed, "serve.js"),
      "exports.serve = (kind) => ({ check: (...args) => ({ kind, args }) });",
    );
    expect(JSON.parse(callCheck().stdout)).toEqual({
      kind: "MachineSecrets",
      args: [{ old: 1 }, { now: 2 }],
    });
  });

  it("says where the package is missing and what to run", () => {
    const { stderr } = callCheck();
    expect(stderr).toContain(`can't load the package pulumi-talos-aws from ${project}`);
    expect(stderr).toContain("npm install");
  });
});
