import type { Deployment } from "@pulumi/pulumi/automation";
import { hasWholeClusters } from "../../../cli/engine/skipLeavingEtcd";
import { recordedClusters, recordedIds } from "../../../cli/sweep/recordedClusters";
import { machinesFirst } from "../../../cli/sweep/sweepStack";
import { sweepState } from "../../../cli/sweep/sweepState";
import { dynamicType, pluginType } from "../../../provider/engine/talosTypes";

const urn = (type: string, name: string) => `urn:pulumi:prod::shop::${type}::${name}`;
const PROVIDER = `${urn("pulumi:providers:aws", "default_7_48_0")}::id-1`;
const owned = { "kubernetes.io/cluster/prod": "owned" };

function stack(...resources: object[]): Deployment {
  return { version: 3, deployment: { resources } };
}

function resource(type: string, name: string, more: object = {}) {
  return {
    urn: urn(type, name),
    custom: true,
    type,
    id: name,
    provider: type.startsWith("aws:") ? PROVIDER : "",
    inputs: {},
    outputs: { region: "us-east-1" },
    ...more,
  };
}

describe("the clusters in a state", () => {
  it("are those that own resources, with their networks", () => {
    const outputs = { region: "us-east-1", vpcId: "vpc-1", tagsAll: owned };
    const clusters = recordedClusters(
      stack(
        resource("aws:ec2/vpc:Vpc", "vpc-1", { outputs: { region: "us-east-1", tagsAll: owned } }),
        resource("aws:ec2/securityGroup:SecurityGroup", "sg-1", { outputs }),
        resource("aws:ec2/securityGroup:SecurityGroup", "sg-2", {
          outputs: { region: "us-east-1", vpcId: "vpc-2" },
        }),
        resource("aws:ec2/instance:Instance", "i-1", { inputs: { tags: owned } }),
        resource("aws:ec2/instance:Instance", "i-2"),
      ),
    );
    expect(clusters).toEqual([
      {
        name: "prod",
        provider: PROVIDER,
        region: "us-east-1",
        vpcIds: ["vpc-1", "vpc-2"],
        ownVpcIds: ["vpc-1"],
      },
    ]);
  });

  it("are recognised by an auto scaling group's tags, and not by shared resources", () => {
    const tags = [{ key: "kubernetes.io/cluster/pool", value: "owned", propagateAtLaunch: true }];
    const shared = { "kubernetes.io/cluster/others": "shared" };
    const clusters = recordedClusters(
      stack(
        resource("aws:autoscaling/group:Group", "apps", { inputs: { tags } }),
        resource("aws:ec2/vpc:Vpc", "vpc-1", { outputs: { tagsAll: shared } }),
      ),
    );
    expect(clusters.map(({ name }) => name)).toEqual(["pool"]);
  });

  it("include resources that are pending deletion", () => {
    const old = resource("aws:lb/loadBalancer:LoadBalancer", "arn:old", { delete: true });
    expect(recordedIds(stack(old)).has("arn:old")).toBe(true);
  });
});

describe.each([
  ["dynamic resources", dynamicType],
  ["the plugin's resources", pluginType],
])("the resources that are deleted before a sweep, with %s", (_, typeOf) => {
  const SECRETS = typeOf("MachineSecrets");

  it("are machines, the secrets, and their dependents", () => {
    const secrets = resource(SECRETS, "secrets");
    const machine = resource("aws:ec2/instance:Instance", "i-1", {
      dependencies: [urn("aws:ec2/subnet:Subnet", "subnet-1")],
    });
    const access = resource(typeOf("ClientConfiguration"), "access", {
      propertyDependencies: { secrets: [secrets.urn], nothing: null },
    });
    const record = resource("aws:route53/record:Record", "name", { dependencies: [access.urn] });
    const all = [secrets, resource("aws:ec2/subnet:Subnet", "subnet-1"), machine, access, record];
    expect(machinesFirst(stack(...all))).toEqual([
      secrets.urn,
      machine.urn,
      access.urn,
      record.urn,
    ]);
  });

  it("are a whole cluster if the stack has each machine's secrets", () => {
    const member = (secrets: string) =>
      resource(typeOf("EtcdMember"), `of-${secrets}`, {
        propertyDependencies: { credentials: [urn(SECRETS, secrets)] },
      });
    expect(hasWholeClusters(stack(resource(SECRETS, "own"), member("own")))).toBe(true);
    const others = stack(resource(SECRETS, "own"), member("own"), member("others"));
    expect(hasWholeClusters(others)).toBe(false);
  });

  it("are none if no machine is left", () => {
    expect(machinesFirst(stack(resource(SECRETS, "secrets")))).toEqual([]);
  });
});

describe("the state of the sweep's own stack", () => {
  const thing = {
    id: "sg-1",
    kind: "securityGroup",
    name: "k8s",
    tags: {},
    vpcId: "vpc-1",
    description: "",
    type: "",
    gib: 0,
    isProtected: false,
    isHeld: false,
  } as const;
  const maker = { controller: "", owner: "" };
  const sweep = {
    cluster: {
      name: "prod",
      provider: PROVIDER,
      region: "us-east-1",
      vpcIds: [],
      ownVpcIds: [],
    },
    made: [
      { thing, maker, blocks: true },
      { thing: { ...thing, kind: "classicLoadBalancer", id: "a1" } as const, maker, blocks: true },
    ],
    rules: [{ id: "sgr-1", isEgress: true, groupId: "sg-2", refersTo: "sg-1" }],
    data: [{ thing: { ...thing, kind: "volume", id: "vol-1" } as const, maker, blocks: false }],
    kept: [],
  };
  const provider = {
    urn: urn("pulumi:providers:aws", "default_7_48_0"),
    type: "pulumi:providers:aws",
    id: "id-1",
    custom: true,
    inputs: { region: "us-east-1" },
    outputs: { region: "us-east-1" },
  };
  const removed = (withData: boolean) => {
    const state = sweepState(stack(provider), [sweep], { withData });
    const { resources } = state.deployment as {
      readonly resources: readonly {
        readonly id: string;
        readonly type: string;
        readonly dependencies?: readonly string[];
      }[];
    };
    return resources;
  };

  it("has the stack's provider, and orders load balancers, rules and groups by dependency", () => {
    const [first, ...others] = removed(false);
    expect(first).toEqual(provider);
    expect(others.map(({ id, dependencies = [] }) => [id, dependencies.length])).toEqual([
      ["sg-1", 0],
      ["sgr-1", 1],
      ["a1", 2],
    ]);
    expect(others[1]?.type).toBe("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule");
  });

  it("has data only on request", () => {
    expect(removed(true).map(({ id }) => id)).toContain("vol-1");
  });
});
