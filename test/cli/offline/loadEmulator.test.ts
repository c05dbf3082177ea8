import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "../../../cli/commandFailure";
import { type EmulatorPackage, loadEmulator } from "../../../cli/offline/loadEmulator";
import { version } from "../../../package.json";

describe("loadEmulator", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-emulator-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Node.js' own search for the package, from the folder. */
  const fromFolder = () => {
    const load = createRequire(join(folder, "program.js"));
    return new Promise<EmulatorPackage>((resolve) =>
      resolve(load("@pulumi-talos-aws/emulator") as EmulatorPackage),
    );
  };

  function install(program: string): void {
    const installed = join(folder, "node_modules/@pulumi-talos-aws/emulator");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "index.js"), program);
  }

  it("names the missing package and the command that installs it", async () => {
    const loading = loadEmulator(fromFolder);
    await expect(loading).rejects.toThrow(CommandFailure);
    await expect(loading).rejects.toThrow(
      `needs the package "@pulumi-talos-aws/emulator", which isn't installed: npm install --save-dev @pulumi-talos-aws/emulator@${version}`,
    );
  });

  it("passes on an error inside the package", async () => {
    install(`require("what-it-needs");`);
    await expect(loadEmulator(fromFolder)).rejects.toThrow(/^Cannot find module 'what-it-needs'/);
  });
});
