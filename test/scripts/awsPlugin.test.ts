import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { version as sdkVersion } from "@pulumi/aws/package.json";
import { describeAwsPlugin, findAwsPlugin } from "../../scripts/awsPlugin";

const NAME = "pulumi-resource-aws";
const SUBSTITUTE_DIR = resolve(__dirname, "../../emulator/aws/plugin/bin");

describe("findAwsPlugin", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "aws-plugin-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Puts an executable of the plugin's name into a folder of its own, and gives the folder. */
  function install(name: string, script: string, mode = 0o755): string {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, NAME), `#!/bin/sh\n${script}\n`);
    chmodSync(join(target, NAME), mode);
    return target;
  }

  const find = (...path: string[]) =>
    findAwsPlugin(SUBSTITUTE_DIR, { PATH: path.join(delimiter), PULUMI_HOME: folder });

  it("uses a real plugin on PATH, and names its release and path", async () => {
    const empty = join(folder, "empty");
    const real = install("real", 'test "$1" = --version && echo v7.99.1');
    const plugin = await find(empty, real, SUBSTITUTE_DIR);
    expect(plugin).toEqual({
      kind: "real",
      path: join(real, NAME),
      version: "7.99.1",
      pluginDirs: [],
    });
    expect(describeAwsPlugin(plugin)).toBe(
      `The AWS plugin is the real one, version 7.99.1: ${join(real, NAME)}`,
    );
  });

  it("reports a real plugin without a release", async () => {
    const real = install("real", "exit 1");
    const plugin = await find(real);
    expect(plugin).toMatchObject({ kind: "real" });
    expect(describeAwsPlugin(plugin)).toContain("version unknown");
  });

  it("uses the substitute if there is no other, and says how to use the real one", async () => {
    const plugin = await find(install("text", "", 0o644));
    expect(plugin).toEqual({
      kind: "substitute",
      path: join(SUBSTITUTE_DIR, NAME),
      pluginDirs: [SUBSTITUTE_DIR],
    });
    expect(describeAwsPlugin(plugin)).toBe(
      `The AWS plugin is the substitute of the embedded cloud: ${join(SUBSTITUTE_DIR, NAME)}. ` +
        "A real pulumi-resource-aws on PATH would take its place.",
    );
  });

  it("recognises the substitute on PATH, which the engine prefers", async () => {
    install(`plugins/resource-aws-v${sdkVersion}`, "");
    expect(await find(SUBSTITUTE_DIR)).toMatchObject({ kind: "substitute" });
  });

  it("uses the newest installed plugin that the program's range allows", async () => {
    install("plugins/resource-aws-v7.0.0", "");
    expect(await find()).toMatchObject({ kind: "substitute" });
    install(`plugins/resource-aws-v${sdkVersion}`, "");
    install("plugins/resource-aws-v7.1000.0", "");
    install("plugins/resource-aws-v8.0.0", "");
    expect(await find()).toMatchObject({
      kind: "real",
      version: "7.1000.0",
      path: join(folder, "plugins", "resource-aws-v7.1000.0", NAME),
      pluginDirs: [],
    });
  });
});
