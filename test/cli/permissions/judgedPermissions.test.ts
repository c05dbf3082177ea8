import type { KnownResource } from "../../../cli/permissions/grantedResources";
import { planPermissions, planPreviewPermissions } from "../../../cli/permissions/planPermissions";
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
