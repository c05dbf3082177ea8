import { creatorOf } from "../../../cli/sweep/creatorOf";
import type { Found, FoundKind, FoundRule } from "../../../cli/sweep/found";
import { planSweep } from "../../../cli/sweep/planSweep";
import type { RecordedCluster } from "../../../cli/sweep/recordedClusters";

const owned = { "kubernetes.io/cluster/prod": "owned" };
const driver = { "ebs.csi.aws.com/cluster": "true" };
const service = { ...owned, "kubernetes.io/service-name": "default/web" };

const cluster: RecordedCluster = {
  name: "prod",
  provider: "urn::id",
  region: "us-east-1",
  vpcIds: ["vpc-own", "vpc-adopted"],
  ownVpcIds: ["vpc-own"],
};

function found(kind: FoundKind, tags: Record<string, string>, more: Partial<Found> = {}): Found {
  return {
    kind,
    id: `${kind}-1`,
    name: `${kind}-1`,
    tags,
    vpcId: kind === "volume" || kind === "snapshot" ? "" : "vpc-own",
    description: "",
    type: "",
    gib: 0,
    isProtected: false,
    isHeld: false,
    ...more,
  };
}

const plan = (
  things: readonly Found[],
  rules: readonly FoundRule[] = [],
  recorded: string[] = [],
) => planSweep(cluster, { things, rules }, new Set(recorded));
const elbGroup = found("securityGroup", owned, {
  id: "sg-elb",
  name: "k8s-elb-a1",
  description: "Security group for Kubernetes ELB a1 (default/web)",
});

describe("the creator of a cluster's resource", () => {
  it.each<[string, Found, string | undefined]>([
    ["the cloud controller's", found("classicLoadBalancer", service), "service default/web"],
    ["its target group", found("targetGroup", service), "service default/web"],
    ["its group", elbGroup, "service default/web"],
    [
      "the load balancer controller's for a service",
      found("loadBalancer", {
        "elbv2.k8s.aws/cluster": "prod",
        "service.k8s.aws/stack": "default/web",
      }),
      "service default/web",
    ],
    [
      "its shared group",
      found("securityGroup", {
        "elbv2.k8s.aws/cluster": "prod",
        "elbv2.k8s.aws/resource": "backend-sg",
      }),
      "all its ingresses",
    ],
    [
      "the EBS driver's",
      found("volume", {
        ...driver,
        "ebs.csi.aws.com/cluster-name": "prod",
        CSIVolumeName: "pvc-1",
      }),
      "pvc-1",
    ],
    [
      "a volume of older Kubernetes",
      found("volume", {
        KubernetesCluster: "prod",
        "kubernetes.io/created-for/pv/name": "pvc-1",
        "kubernetes.io/created-for/pvc/name": "data",
        "kubernetes.io/created-for/pvc/namespace": "default",
      }),
      "claim default/data",
    ],
    ["a volume on one of its machines", found("volume", driver, { isHeld: true }), "unknown claim"],
    [
      "a machine of Karpenter",
      found("machine", { ...owned, "karpenter.sh/nodepool": "" }),
      "node pool",
    ],
    ["a machine that only has the cluster's tag", found("machine", owned), undefined],
    ["somebody's with the cluster's tag", found("loadBalancer", owned), undefined],
    ["a group of another name", { ...elbGroup, name: "machines" }, undefined],
    ["a group that only has the name", { ...elbGroup, description: "" }, undefined],
    [
      "what is shared",
      found("loadBalancer", { ...service, "kubernetes.io/cluster/prod": "shared" }),
      undefined,
    ],
    ["another cluster's", found("loadBalancer", { "elbv2.k8s.aws/cluster": "prod2" }), undefined],
    ["the driver's for nobody known", found("volume", driver), undefined],
    [
      "another cluster's volume on one of its machines",
      found("volume", { ...driver, "kubernetes.io/cluster/prod2": "owned" }, { isHeld: true }),
      undefined,
    ],
  ])("is recognised: %s", (_what, thing, owner) => {
    expect(creatorOf(thing, "prod")?.owner).toBe(owner);
  });
});

describe("the plan for found resources", () => {
  it("never deletes a resource of the stack, whatever marks it has", () => {
    expect(plan([found("loadBalancer", service)], [], ["loadBalancer-1"])).toMatchObject({
      made: [],
      kept: [],
    });
  });

  it("blocks the deletion of the stack's network, except for target groups", () => {
    const { made } = plan([
      found("loadBalancer", service),
      found("targetGroup", service),
      found("loadBalancer", service, { id: "other", name: "other", vpcId: "vpc-adopted" }),
    ]);
    expect(made.map(({ thing, blocks }) => [thing.id, blocks])).toEqual([
      ["loadBalancer-1", true],
      ["other", false],
      ["targetGroup-1", false],
    ]);
  });

  it("lists data separately", () => {
    const named = { ...driver, ...owned };
    const { made, data } = plan([found("snapshot", named), found("volume", named)]);
    expect(made).toEqual([]);
    expect(data.map(({ thing }) => thing.kind)).toEqual(["volume", "snapshot"]);
  });

  it("gives the reason for keeping protected and unmarked resources", () => {
    const { made, kept } = plan([
      found("loadBalancer", service, { isProtected: true }),
      found("securityGroup", owned),
      found("classicLoadBalancer", {}),
      found("classicLoadBalancer", {}, { id: "far", vpcId: "vpc-adopted" }),
      found("volume", driver),
      found("volume", owned, { id: "root" }),
    ]);
    expect(made).toEqual([]);
    expect(kept.map(({ thing, reason, blocks }) => [thing.id, reason, blocks])).toEqual([
      ["loadBalancer-1", "it is protected from deletion in AWS", true],
      ["securityGroup-1", "it has the cluster's tag, but no controller's mark", true],
      [
        "classicLoadBalancer-1",
        "it is in the cluster's network, but has no mark of the cluster",
        true,
      ],
      ["volume-1", "the EBS CSI driver created it, and no tag names its cluster", false],
    ]);
  });

  it("removes rules that name a group only from the stack's own groups", () => {
    const rule = { id: "sgr-1", isEgress: false, groupId: "sg-machines", refersTo: "sg-elb" };
    expect(plan([elbGroup], [rule], ["sg-machines"])).toMatchObject({
      made: [{ thing: { id: "sg-elb" } }],
      rules: [rule],
      kept: [],
    });
    expect(plan([elbGroup], [rule])).toMatchObject({
      made: [],
      rules: [],
      kept: [{ reason: "the rule sgr-1 of sg-machines, another owner's group, refers to it" }],
    });
  });
});
