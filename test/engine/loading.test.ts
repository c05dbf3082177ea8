import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { machineConfigurationInputs } from "../provider/resources/samples";

const root = join(__dirname, "../..");

/** What a fresh process prints, as a list in JSON, that runs in a project with the package. */
function printed(code: string, { esm = false, input = "" } = {}): string[] {
  const args = [esm ? "--input-type=module" : "--input-type=commonjs", "-e", code];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", input }),
  ) as string[];
}

/** Paths of the modules that some code loads when Pulumi's SDK is there already. */
const loadedBy = (code: string, input = "") =>
  printed(
    `require("@pulumi/pulumi");
    const known = new Set(Object.keys(require.cache));
    const say = () => console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !known.has(file))));
    ${code}`,
    { input },
  ).map((file) => file.replace(`${root}/`, ""));

const importsOf = (entry: string) => [
  printed(
    `console.log(JSON.stringify(Object.keys(require("${entry}")).filter((name) => name !== "__esModule")))`,
  ).sort(),
  printed(
    `const all = Object.keys(await import("${entry}"));
    console.log(JSON.stringify(all.filter((name) => !["default", "__esModule", "module.exports"].includes(name))));
    process.exit();`,
    { esm: true },
  ).sort(),
];

describe("the built package", () => {
  it("loads no module before its first use", () => {
    const loaded = loadedBy('require("pulumi-talos-aws"); say();');
    expect(loaded).toEqual(["index", "components/index", "provider/index"].map(toBuilt));
  });

  it("checks a machine configuration without loading the API client or certificates", async () => {
    const inputs = { ...(await machineConfigurationInputs()), __provider: "", __urn: "urn" };
    const loaded = loadedBy(
      `const { serve } = require("pulumi-talos-aws/provider/serve");
      require("node:stream/consumers").json(process.stdin).then(async (inputs) => {
        const { failures } = await serve("MachineConfiguration").check({}, inputs);
        if (failures.length > 0) throw new Error(JSON.stringify(failures));
        say();
      });`,
      JSON.stringify(inputs),
    );
    expect(loaded).toContain("dist/provider/config/generateMachineConfig.js");
    const others = /node_modules\/(?!ip-address)|provider\/(api|lifecycle|kubernetes|functions)\//;
    expect(loaded.filter((file) => others.test(file))).toEqual([]);
  });

  it.each(["", "/provider", "/components", "/policies"])(
    "exports every name of pulumi-talos-aws%s to ECMAScript modules",
    (entry) => {
      const [required, imported] = importsOf(`pulumi-talos-aws${entry}`);
      expect(required?.length).toBeGreaterThan(2);
      expect(imported).toEqual(required);
    },
  );
});

function toBuilt(name: string): string {
  return `dist/${name}.js`;
}
