import type * as pulumi from "@pulumi/pulumi";
import { type ChildArgs, transformChild } from "../../components";

const DYNAMIC = "pulumi-nodejs:dynamic/talos:MachineConfiguration";
const OF_PLUGIN = "talos-aws:index:MachineConfiguration";

/** What a transformation of one type returns for a child of another. */
function transformed(given: keyof ChildArgs, type: string) {
  const labelled = transformChild(given, ({ props }) => ({
    props: { ...props, nodeLabels: { tier: "one" } },
  }));
  const child = { type, name: "it", props: { clusterName: "it" }, opts: { protect: true } };
  return labelled({ ...child, resource: undefined as unknown as pulumi.Resource });
}

describe("a transformation of a child", () => {
  it.each([
    [DYNAMIC, DYNAMIC],
    [DYNAMIC, OF_PLUGIN],
    [OF_PLUGIN, DYNAMIC],
    [OF_PLUGIN, OF_PLUGIN],
  ] as const)("for %s reaches %s", (given, type) => {
    expect(transformed(given, type)).toEqual({
      props: { clusterName: "it", nodeLabels: { tier: "one" } },
      opts: { protect: true },
    });
  });

  it.each([
    [DYNAMIC, "talos-aws:index:MachineSecrets"],
    ["aws:ec2/instance:Instance", "aws:ec2/vpc:Vpc"],
    ["talos-aws:index:MachineSecrets", "talos-aws:index:TalosCluster"],
  ] as const)("for %s does not reach %s", (given, type) => {
    expect(transformed(given, type)).toBeUndefined();
  });
});
