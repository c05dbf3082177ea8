import * as pulumi from "@pulumi/pulumi";
import { ConfigurationApply, MachineConfiguration } from "../../../provider";
import { madeOf, markedIn } from "../../../provider/engine/markedInputs";
import { build } from "../../components/mockedGraph";

const TYPE = "pulumi-nodejs:dynamic/talos";

/** What a list of marked values holds. */
async function resolved(output: pulumi.Output<unknown>): Promise<unknown> {
  return new Promise((resolve) => output.apply(resolve));
}

describe("values that a program marks as secret in inputs", () => {
  it.each([
    ["none", [{ machine: { env: { A: "open" } } }], []],
    ["one inside a patch", [{ machine: { env: { A: pulumi.secret("key"), B: "open" } } }], ["key"]],
    ["one inside an output", [pulumi.output({ a: "open" }), pulumi.secret("text")], ["text"]],
    ["a whole patch", [pulumi.secret({ a: { b: "c" } }), "open"], [{ a: { b: "c" } }]],
    ["all patches", pulumi.secret(["a", { b: "c" }]), [["a", { b: "c" }]]],
    ["one in a promise", [Promise.resolve(pulumi.secret("late"))], ["late"]],
    ["one made by another", [pulumi.interpolate`A=${pulumi.secret("key")}`], ["A=key"]],
    ["one made of this package's secrets", madeOf(pulumi.secret(["own"]), ["open"]), []],
    [
      "one made of the program's",
      madeOf(pulumi.secret(["own", "key"]), pulumi.secret("key")),
      ["key"],
    ],
  ])("are found: %s", async (_, inputs, found) => {
    const marked = markedIn(inputs);
    expect(await resolved(marked)).toEqual(found);
    expect(await pulumi.isSecret(marked)).toBe(true);
  });

  it("go with a configuration to the machines that get it, and are secret inputs", async () => {
    const { graph } = await build(() => {
      const configuration = new MachineConfiguration("role", {
        clusterName: "a",
        endpoint: "https://a:6443",
        machineType: "worker" as const,
        platform: "aws" as const,
        talosVersion: "v1.13.0",
        kubernetesVersion: "1.35.0",
        versionContract: "v1.13",
        installDisk: "/dev/xvda",
        secretsBundle: pulumi.secret("{}") as never,
        patches: [{ machine: { nodeLabels: { b: "open" } } }, pulumi.secret("a: of-all")],
      });
      const machine = {
        machineId: "i-1",
        node: "10.0.0.1",
        credentials: { ca: "", crt: "", key: "" },
        machineConfiguration: configuration.machineConfiguration,
      };
      new ConfigurationApply("one", {
        ...machine,
        patches: [pulumi.secret({ machine: { nodeLabels: { c: "of-one" } } })],
      });
      new ConfigurationApply("other", machine);
    });
    const inputsOf = (kind: string, name: string) => graph.named(`${TYPE}:${kind}`, name);
    const role = inputsOf("MachineConfiguration", "role");
    expect(role.inputs.markedValues).toEqual(["a: of-all"]);
    expect(role.secretInputs).toContain("markedValues");
    const one = inputsOf("ConfigurationApply", "one");
    expect(one.inputs.markedValues).toEqual([
      { machine: { nodeLabels: { c: "of-one" } } },
      "a: of-all",
    ]);
    expect(one.secretInputs).toContain("markedValues");
    expect(inputsOf("ConfigurationApply", "other").inputs.markedValues).toEqual(["a: of-all"]);
  });
});
