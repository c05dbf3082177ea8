import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { commandLine } from "../../cli/commandLine";
import { TalosCluster } from "../../components";

const root = join(__dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README", () => {
  it("shows the policy pack as it is run", () => {
    const pack = readFileSync(join(root, "examples/policy-pack/index.ts"), "utf8");
    expect(readme).toContain(pack);
  });

  it("names commands and options that there are", () => {
    const { commands } = commandLine();
    const rows = [...readme.matchAll(/^\| ((?:`[a-z]+` ?)+) *\| (.*) \|$/gm)];
    const told = rows.flatMap(([, names = "", does = ""]) =>
      [...names.matchAll(/[a-z]+/g)].map(([name]) => ({ name, options: optionsIn(does) })),
    );
    const known = new Map(
      commands.map((command) => [command.name(), command.options.map(({ long }) => long)]),
    );
    const ofCommands = told.filter(({ name }) => known.has(name));
    expect(ofCommands.map(({ name }) => name).sort()).toEqual([...known.keys()].sort());
    for (const { name, options } of ofCommands) {
      expect(known.get(name)).toEqual(expect.arrayContaining(options));
    }
    const offline = /^`preview --offline`[^]*?\n\n/m.exec(readme)?.[0] ?? "";
    expect(optionsIn(offline)).toEqual(expect.arrayContaining(["--offline", "--state"]));
    const elsewhere = ["--file", "--show-secrets"];
    expect([...(known.get("preview") ?? []), ...elsewhere]).toEqual(
      expect.arrayContaining(optionsIn(offline)),
    );
  });

  it("shows the errors that people get", async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name }) => ({ id: name, state: {} }),
      call: () => ({}),
    });
    const make = () =>
      new TalosCluster("demo", {
        environment: "demo",
        domain: "example.com",
        talosVersion: "1.12",
        versionContract: "v1.12",
        kubernetesVersion: "v1.35.0",
        operatorCidrs: ["0.0.0.0/0"],
        network: { zones: ["eu-central-1a"], cidrBlock: "10.244.0.0/16" },
        controlPlane: { machineCount: 2 },
      });
    expect(readme).toContain(messageOf(make));
  });
});

/** Names of options in a text. */
function optionsIn(text: string): string[] {
  return [...text.matchAll(/--[a-z]+(-[a-z]+)*/g)].map(([name]) => name);
}

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing was refused";
}
