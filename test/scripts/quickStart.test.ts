import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { version } from "typescript/package.json";
import { quickNodeOptions } from "../../scripts/openStack";

/** Makes `load` what `require` is in Pulumi's SDK. */
const sdkRequire =
  'const load = require("node:module").createRequire(require.resolve("@pulumi/pulumi"));';

const preloaded = () => ({ ...process.env, NODE_OPTIONS: quickNodeOptions("--no-deprecation") });

/** What a process prints that runs with the preload. */
function printed(code: string): string {
  return execFileSync(process.execPath, ["-e", code], {
    cwd: join(__dirname, "../.."),
    env: preloaded(),
    encoding: "utf8",
  }).trim();
}

it("says nothing in the processes that it is preloaded into", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", ""], {
    env: preloaded(),
    encoding: "utf8",
  });
  // Node.js writes there about options of V8 that it doesn't know.
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

describe("modules that plugins load lazily", () => {
  it("are not loaded with Pulumi's SDK", () => {
    const loaded = "Object.keys(require.cache).filter((file) => /typescript\\.js$/.test(file))";
    expect(printed(`require("@pulumi/pulumi"); console.log(${loaded}.length)`)).toBe("0");
  });

  it("are the real modules at their first use", () => {
    expect(printed(`${sdkRequire} console.log(load("typescript").version)`)).toBe(version);
    const names = 'Object.keys(load("typescript")).includes("transpileModule")';
    expect(printed(`${sdkRequire} console.log(${names})`)).toBe("true");
    const real = 'require("@pulumi/pulumi/automation/index.js").LocalWorkspace';
    const lazy = 'load("./automation").LocalWorkspace';
    expect(printed(`${sdkRequire} console.log(${lazy} === ${real})`)).toBe("true");
  });

  it("are loaded at once in other programs, such as npm", () => {
    const loaded = "Object.keys(require.cache).some((file) => /typescript\\.js$/.test(file))";
    expect(printed(`require("typescript"); console.log(${loaded})`)).toBe("true");
    expect(execFileSync("npm", ["--version"], { env: preloaded(), encoding: "utf8" })).toMatch(
      /^\d/,
    );
  });

  it("keep a process' other options", () => {
    expect(quickNodeOptions("--no-deprecation")).toMatch(
      /^--no-deprecation --max-semi-space-size=32 --require=".+"$/,
    );
  });
});
