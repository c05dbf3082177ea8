import type { Deployment } from "@pulumi/pulumi/automation";
import type { Found, FoundKind } from "../../../cli/sweep/found";
import { launchesMachines, machinesOf, withoutMachines } from "../../../cli/sweep/launchedMachines";
import { planSweep } from "../../../cli/sweep/planSweep";
import { sweepState } from "../../../cli/sweep/sweepState";

const stackOf = (...resources: readonly object[]): Deployment => ({
  version: 3,
  deployment: { resources },
});
const list = (type: string, inventory: string) => ({
  urn: `urn:pulumi:s::p::${type}::demo-karpenter`,
  custom: true,
  type,
  id: "objects",
  inputs: { inventory },
});

const found = (kind: FoundKind, id: string, tags: Readonly<Record<string, string>>): Found => ({
  kind,
  id,
  name: id,
  tags: { "kubernetes.io/cluster/demo": "owned", ...tags },
  vpcId: "vpc-1",
  description: "",
  type: "",
  gib: 0,
  isProtected: false,
  isHeld: false,
});
const cluster = {
  name: "demo",
  provider: "urn:pulumi:s::p::pulumi:providers:aws::default::id",
  region: "",
  vpcIds: ["vpc-1"],
  ownVpcIds: ["vpc-1"],
};

describe("machines that Karpenter launched", () => {
  it.each(["talos-aws:index:KubernetesObjects", "pulumi-nodejs:dynamic/talos:KubernetesObjects"])(
    "are the stack's if it has Karpenter itself: %s",
    (type) => {
      expect(launchesMachines(stackOf(list(type, "cluster"), list(type, "karpenter")))).toBe(true);
      expect(launchesMachines(stackOf(list(type, "cluster")))).toBe(false);
      const pending = [{ type: "creating", resource: list(type, "karpenter") }];
      const killed = { version: 3, deployment: { resources: [], pending_operations: pending } };
      expect(launchesMachines(killed)).toBe(true);
    },
  );

  it("end with the stack, and what others made stays", () => {
    const sweep = planSweep(
      cluster,
      {
        things: [
          found("machine", "i-1", { "karpenter.sh/nodepool": "spot" }),
          found("machine", "i-2", {}),
          found("loadBalancer", "web", { "kubernetes.io/service-name": "default/web" }),
          found("volume", "vol-1", { "ebs.csi.aws.com/cluster": "true" }),
        ],
        rules: [],
      },
      new Set(),
    );
    const machines = machinesOf(sweep);
    const state = sweepState(stackOf(), [machines], { withData: true });
    const { resources } = state.deployment as {
      readonly resources: readonly { readonly id: string }[];
    };
    expect(resources.map(({ id }) => id)).toEqual(["i-1"]);
    expect(withoutMachines(sweep).made.map(({ thing }) => thing.id)).toEqual(["web"]);
  });
});
