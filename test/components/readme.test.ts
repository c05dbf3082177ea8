import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "../../components";

const root = join(__dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README", () => {
  it("shows the policy pack as it is run", () => {
    const pack = readFileSync(join(root, "examples/policy-pack/index.ts"), "utf8");
    expect(readme).toContain(pack);
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

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing was refused";
}
