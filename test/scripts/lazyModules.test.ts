import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { version } from "typescript/package.json";
import { withLazyModules } from "../../scripts/openStack";

/** What a process prints that runs with the preload. */
function printed(code: string): string {
  return execFileSync(process.execPath, ["-e", code], {
    cwd: join(__dirname, "../.."),
    env: { ...process.env, NODE_OPTIONS: withLazyModules("--no-deprecation") },
    encoding: "utf8",
  }).trim();
}

describe("modules that plugins load lazily", () => {
  it("are not loaded with Pulumi's SDK", () => {
    const loaded = "Object.keys(require.cache).filter((file) => /typescript\\.js$/.test(file))";
    expect(printed(`require("@pulumi/pulumi"); console.log(${loaded}.length)`)).toBe("0");
  });

  it("are the real ones when something of them is used", () => {
    expect(printed('console.log(require("typescript").version)')).toBe(version);
    const names = 'Object.keys(require("typescript")).includes("transpileModule")';
    expect(printed(`console.log(${names})`)).toBe("true");
    const real = 'require("@npmcli/arborist/lib/index.js").Arborist';
    expect(printed(`console.log(require("@npmcli/arborist").Arborist === ${real})`)).toBe("true");
  });

  it("keep the options that a process has besides", () => {
    expect(withLazyModules("--no-deprecation")).toMatch(/^--no-deprecation --require=".+"$/);
  });
});
