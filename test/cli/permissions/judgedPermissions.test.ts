import type { KnownResource } from "../../../cli/permissions/grantedResources";
import { planPermissions, planPreviewPermissions } from "../../../cli/permissions/planPermissions";
import {
  type PlacedResource,
  planRepairPermissions,
} from "../../../cli/permissions/planRepairPermissions";
import { USER_DATA_ACTIONS } from "../../../components/permissions/userDataActions";
import { resourceKinds } from "../../../emulator/aws/plugin/resources/resourceKinds";
import { expandAction } from "../../components/permissions/iamActions";
import { ACCOUNT, deadParts, isAllowed, REGION } from "../../components/permissions/judgePolicy";

const REGIONAL = { region: REGION, arn: `arn:aws:ec2:${REGION}:${ACCOUNT}:vpc/vpc-1` };
const NAMED = {
  name: "prod",
  role: "prod",
  bucket: "prod-etcd",
  zoneId: "Z0123456789",
  url: "a.io",
};
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/0123`;
/** One of each type that components can create. */
const everything: readonly KnownResource[] = [...resourceKinds.keys()].map((type) => ({
  type,
  inputs: {
    ...NAMED,
    permissionsBoundary: "a",
    forceDestroy: true,
    privateDnsEnabled: true,
    ...(type === "aws:kms/alias:Alias" && { name: "alias/prod" }),
    ...(/Instance$|LaunchTemplate$/.test(type) && { rootBlockDevice: { kmsKeyId: KEY } }),
    assumeRolePolicy: JSON.stringify({ Principal: { Service: "ec2.amazonaws.com" } }),
  },
  outputs: REGIONAL,
}));

/** Workers of both kinds, what they have, and what isn't theirs. */
const cluster = "urn:pulumi:prod::environments::talos-aws:index:TalosCluster$";
const placed = (type: string, place: string, inputs: object): PlacedResource => ({
  type,
  urn: `${cluster}${place}${type}::a`,
  inputs: { ...inputs },
  outputs: REGIONAL,
});
const FIXED = "talos-aws:index:WorkerPool$";
const trust = JSON.stringify({ Principal: { Service: "ec2.amazonaws.com" } });
const groups: readonly PlacedResource[] = [
  placed("aws:autoscaling/group:Group", "talos-aws:index:AutoScalingWorkerPool$", {
    name: "prod-spot",
  }),
  placed("aws:ec2/vpc:Vpc", "talos-aws:index:Network$", {}),
  placed("aws:s3/bucket:Bucket", "", { bucket: "prod-etcd" }),
];
const machines: readonly PlacedResource[] = [
  placed("aws:ec2/instance:Instance", FIXED, {
    iamInstanceProfile: "prod-workers",
    rootBlockDevice: { kmsKeyId: KEY },
  }),
  placed("aws:ec2/volumeAttachment:VolumeAttachment", FIXED, {}),
  placed("aws:iam/instanceProfile:InstanceProfile", "talos-aws:index:NodeRole$", {
    name: "prod-workers",
    role: "prod-workers",
  }),
  placed("aws:iam/role:Role", "talos-aws:index:NodeRole$", {
    name: "prod-workers",
    assumeRolePolicy: trust,
  }),
  placed("aws:iam/role:Role", "talos-aws:index:NodeRole$", {
    name: "prod-control-plane",
    assumeRolePolicy: trust,
  }),
  placed("aws:ec2/instance:Instance", "talos-aws:index:ControlPlane$", {
    iamInstanceProfile: "prod-control-plane",
  }),
];

describe("the policy for repairs of machines, by an evaluator of IAM that isn't ours", () => {
  const regional = (service: string, path: string, account = ACCOUNT) =>
    `arn:aws:${service}:${REGION}:${account}:${path}`;
  const health = (name: string) => ({
    action: "autoscaling:SetInstanceHealth",
    resource: regional("autoscaling", `autoScalingGroup:1:autoScalingGroupName/${name}`),
  });
  const pass = (role: string) => ({
    action: "iam:PassRole",
    resource: `arn:aws:iam::${ACCOUNT}:role/${role}`,
    context: { "iam:PassedToService": "ec2.amazonaws.com" },
  });
  const terminate = {
    action: "ec2:TerminateInstances",
    resource: regional("ec2", "instance/i-1"),
  };
  const looks = ["ec2:DescribeInstances", "ec2:DescribeInstanceStatus"].map((action) => ({
    action,
    resource: "*",
  }));
  const judged = (
    resources: readonly PlacedResource[],
    calls: Parameters<typeof isAllowed>[1][],
  ) => {
    const { document } = planRepairPermissions(resources);
    return Promise.all(calls.map((call) => isAllowed(document, call)));
  };

  it("has no action that there isn't, for no wrong resource, and under no wrong condition", async () => {
    const both = [...groups, ...machines];
    expect(await deadParts(planRepairPermissions(both).document)).toEqual([]);
    expect(await deadParts(planRepairPermissions(groups).document)).toEqual([]);
  });

  it("asks of machines, and tells this cluster's groups, where there are groups alone", async () => {
    expect(await judged(groups, [...looks, health("prod-spot")])).toEqual([true, true, true]);
    const others = [health("other"), terminate, pass("prod-workers")];
    expect(await judged(groups, others)).toEqual([false, false, false]);
  });

  it("replaces fixed machines with their own role and key, and changes nothing else", async () => {
    const all = [...groups, ...machines];
    const encrypt = { action: "kms:Decrypt", resource: KEY };
    const attach = { action: "ec2:AttachVolume", resource: regional("ec2", "volume/vol-1") };
    const allowed = [
      ...looks,
      health("prod-spot"),
      terminate,
      pass("prod-workers"),
      encrypt,
      attach,
    ];
    expect(new Set(await judged(all, allowed))).toEqual(new Set([true]));
    const others = [
      pass("prod-control-plane"),
      { action: "ec2:DeleteVpc", resource: regional("ec2", "vpc/vpc-1") },
      { action: "iam:PutRolePolicy", resource: `arn:aws:iam::${ACCOUNT}:role/prod-workers` },
      { action: "s3:DeleteBucket", resource: "arn:aws:s3:::prod-etcd" },
      { ...terminate, resource: regional("ec2", "instance/i-1", "210987654321") },
    ];
    expect(new Set(await judged(all, others))).toEqual(new Set([false]));
  });
});

describe("the policy for running Pulumi, by an evaluator of IAM that isn't ours", () => {
  it("has no action that there isn't, for no wrong resource, and under no wrong condition", async () => {
    expect(await deadParts(planPermissions(everything).document)).toEqual([]);
    expect(await deadParts(planPreviewPermissions(everything).document)).toEqual([]);
  });

  it("allows what the engine does with its own, and not the same elsewhere", async () => {
    const { document } = planPermissions(everything);
    const at = (account: string, name: string) => [
      { action: "ec2:DeleteVpc", resource: `arn:aws:ec2:${REGION}:${account}:vpc/vpc-1` },
      {
        action: "ec2:ModifyInstanceMetadataOptions",
        resource: `arn:aws:ec2:${REGION}:${account}:instance/i-1`,
      },
      {
        action: "ec2:GetConsoleOutput",
        resource: `arn:aws:ec2:${REGION}:${account}:instance/i-1`,
      },
      {
        action: "ec2:TerminateInstances",
        resource: `arn:aws:ec2:${REGION}:${account}:instance/i-1`,
      },
      { action: "iam:PutRolePolicy", resource: `arn:aws:iam::${account}:role/${name}` },
      {
        action: "iam:PassRole",
        resource: `arn:aws:iam::${account}:role/${name}`,
        context: { "iam:PassedToService": "ec2.amazonaws.com" },
      },
      {
        action: "autoscaling:UpdateAutoScalingGroup",
        resource: `arn:aws:autoscaling:${REGION}:${account}:autoScalingGroup:1:autoScalingGroupName/${name}`,
      },
      {
        action: "elasticloadbalancing:DeleteTargetGroup",
        resource: `arn:aws:elasticloadbalancing:${REGION}:${account}:targetgroup/${name}/0123456789abcdef`,
      },
      { action: "s3:PutBucketPolicy", resource: `arn:aws:s3:::${name}-etcd` },
    ];
    const judge = (account: string, name: string) =>
      Promise.all(at(account, name).map((call) => isAllowed(document, call)));
    expect(new Set(await judge(ACCOUNT, "prod"))).toEqual(new Set([true]));
    expect(new Set(await judge("210987654321", "other"))).toEqual(new Set([false]));
    const passed = {
      action: "iam:PassRole",
      resource: `arn:aws:iam::${ACCOUNT}:role/prod`,
      context: { "iam:PassedToService": "lambda.amazonaws.com" },
    };
    expect(await isAllowed(document, passed)).toBe(false);
  });

  it("reads no user data and changes nothing for previews", async () => {
    const actionsOf = async (plan: typeof planPermissions) => {
      const { Statement } = plan(everything).document;
      return (
        await Promise.all(Statement.flatMap(({ Action }) => Action).map(expandAction))
      ).flat();
    };
    const previews = await actionsOf(planPreviewPermissions);
    expect(previews.filter((each) => USER_DATA_ACTIONS.includes(each))).toEqual([]);
    expect(previews.filter((each) => !/:(Describe|Get|List)/.test(each))).toEqual([]);
    // They contact no machine.
    expect(previews).not.toContain("ec2:GetConsoleOutput");
    expect(await actionsOf(planPermissions)).toContain("ec2:DescribeInstanceAttribute");
  });
});
