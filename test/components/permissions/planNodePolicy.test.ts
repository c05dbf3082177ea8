import {
  type KnownPermissions,
  planMachineTrust,
  planNodePolicy,
  policyText,
} from "../../../components/permissions/planNodePolicy";
import type { PolicyStatement } from "../../../components/permissions/policyDocument";

const scope = { region: "eu-central-1", clusterName: "prod" };
const everything: KnownPermissions = {
  cloudController: true,
  ebsCsi: true,
  ebsCsiKmsKeyArns: ["arn:aws:kms:eu-central-1:123456789012:key/1"],
  ecrPull: true,
  clusterAutoscaler: true,
  loadBalancerController: true,
  externalDnsZoneIds: ["Z0123456789ABCDEFGHIJ"],
  etcdBackupArn: "arn:aws:s3:::backups/prod",
};
const statements = (permissions: KnownPermissions, where = scope) =>
  planNodePolicy(where, permissions).Statement;
const named = (permissions: KnownPermissions, sid: string): PolicyStatement | undefined =>
  statements(permissions).find(({ Sid }) => Sid === sid);

describe("planNodePolicy", () => {
  it("grants nothing that isn't requested", () => {
    expect(statements({}).map(({ Sid }) => Sid)).toEqual(["DescribeMachines"]);
    const each = (permissions: KnownPermissions) =>
      statements(permissions).flatMap(({ Action, Resource, Condition }) =>
        Action.map((action) => JSON.stringify([action, Resource, Condition])),
      );
    for (const permissions of [
      { cloudController: true },
      { ebsCsi: true },
      { ecrPull: true },
      { clusterAutoscaler: true },
      { externalDnsZoneIds: ["Z0123456789ABCDEFGHIJ"] },
      { etcdBackupArn: "arn:aws:s3:::backups" },
    ]) {
      const alone = each(permissions);
      const others = each({ ...everything, loadBalancerController: false, ...permissions });
      expect(alone.length).toBeLessThan(others.length);
      expect(others).toEqual(expect.arrayContaining(alone));
    }
  });

  it("reports when the policy is too long for IAM", () => {
    const ecrRepositoryArns = Array.from(
      { length: 40 },
      (_, index) => `arn:aws:ecr:eu-central-1:123456789012:repository/app-${index}`,
    );
    const policy = planNodePolicy(scope, { ...everything, ecrRepositoryArns });
    expect(() => policyText(policy)).toThrow(
      /has \d+ characters, and IAM has room for 10240: leave/,
    );
    expect(policyText(planNodePolicy(scope, {}))).toContain("DescribeMachines");
  });

  it("names each action once for the same resources and conditions", () => {
    const all = statements(everything).flatMap(({ Action, Resource, Condition }) =>
      Action.map((action) => JSON.stringify([action, Resource, Condition])),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(named(everything, "EbsCsiSee")).toBeUndefined();
    expect(named(everything, "DescribeMachines")?.Action).toContain("ec2:DescribeVolumeStatus");
    expect(named(everything, "DescribeMachines")?.Action).not.toContain(
      "elasticloadbalancing:DescribeListeners",
    );
  });

  it("limits the controller to the cluster's load balancers", () => {
    const tag = { StringEquals: { "aws:ResourceTag/elbv2.k8s.aws/cluster": "prod" } };
    expect(named(everything, "BalancersChange")?.Condition).toEqual(tag);
    expect(named(everything, "DnsChange")?.Resource).toEqual([
      "arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ",
    ]);
  });

  it("fits into a role, with unique statement ids", () => {
    const text = JSON.stringify(planNodePolicy(scope, everything));
    // AWS allows 10,240 characters in all inline policies of a role together.
    expect(text.length).toBeLessThan(10_240);
    const sids = statements(everything).map(({ Sid }) => Sid);
    expect(new Set(sids).size).toBe(sids.length);
    expect(sids.every((sid) => /^[A-Za-z0-9]+$/.test(sid))).toBe(true);
  });

  it("allows changes only under a condition or on a named resource", () => {
    const isQuestion = (action: string) => /:(Describe|List|Get)/.test(action);
    for (const { Sid, Action, Resource, Condition } of statements(everything)) {
      if (Resource === "*" && !Action.every(isQuestion)) {
        expect([Sid, Condition]).toEqual([Sid, expect.any(Object) as object]);
      }
      expect(Action.filter((action) => action.endsWith(":*") || action === "*")).toEqual([]);
    }
  });

  it("limits the cloud controller to resources with the cluster's tag", () => {
    const change = named(everything, "CloudControllerChange");
    expect(change?.Condition).toEqual({
      StringEquals: { "aws:ResourceTag/kubernetes.io/cluster/prod": "owned" },
    });
    expect(change?.Action).toContain("elasticloadbalancing:SetSecurityGroups");
    expect(named(everything, "CloudControllerMake")?.Condition).toEqual({
      StringEquals: { "aws:RequestTag/kubernetes.io/cluster/prod": "owned" },
    });
  });

  it("limits the EBS driver to its volumes and the cluster's machines", () => {
    expect(named(everything, "EbsCsiAttachToMachine")).toMatchObject({
      Resource: "arn:aws:ec2:eu-central-1:*:instance/*",
      Condition: { StringEquals: { "aws:ResourceTag/kubernetes.io/cluster/prod": "owned" } },
    });
    expect(named(everything, "EbsCsiOwn")?.Condition).toEqual({
      StringEquals: { "aws:ResourceTag/ebs.csi.aws.com/cluster": "true" },
      StringEqualsIfExists: { "aws:ResourceTag/ebs.csi.aws.com/cluster-name": "prod" },
    });
    expect(named(everything, "EbsCsiMakeVolume")?.Condition).toEqual({
      StringEquals: { "aws:RequestTag/ebs.csi.aws.com/cluster": "true" },
      StringEqualsIfExists: { "aws:RequestTag/ebs.csi.aws.com/cluster-name": "prod" },
    });
    expect(named(everything, "EbsCsiUseKeys")?.Resource).toEqual(everything.ebsCsiKmsKeyArns);
    expect(named({ ebsCsi: true }, "EbsCsiUseKeys")).toBeUndefined();
  });

  it("limits the autoscaler to the cluster's groups", () => {
    expect(named(everything, "AutoscalerResize")?.Condition).toEqual({
      StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/prod": "owned" },
    });
  });

  it("allows writing backups into a folder, and no deletion", () => {
    expect(named(everything, "EtcdBackupWrite")?.Resource).toBe("arn:aws:s3:::backups/prod/*");
    expect(named(everything, "EtcdBackupList")).toMatchObject({
      Resource: "arn:aws:s3:::backups",
      Condition: { StringLike: { "s3:prefix": ["prod", "prod/*"] } },
    });
    const whole = { etcdBackupArn: "arn:aws:s3:::backups" };
    expect(named(whole, "EtcdBackupWrite")?.Resource).toBe("arn:aws:s3:::backups/*");
    expect(named(whole, "EtcdBackupList")?.Condition).toBeUndefined();
    expect(JSON.stringify(statements(everything))).not.toMatch(/s3:Delete/);
  });

  it.each([
    ["cn-north-1", ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]],
    ["us-gov-west-1", "ec2.amazonaws.com"],
    ["us-east-1", "ec2.amazonaws.com"],
  ])("lets EC2 of %s give the role to machines", (region, Service) => {
    expect(planMachineTrust(region).Statement).toMatchObject([{ Principal: { Service } }]);
  });

  it.each([
    ["cn-north-1", "arn:aws-cn:ecr:"],
    ["us-gov-west-1", "arn:aws-us-gov:ecr:"],
    ["us-east-1", "arn:aws:ecr:"],
  ])("uses the ARNs of the partition %s", (region, start) => {
    const text = JSON.stringify(statements({ ecrPull: true }, { ...scope, region }));
    expect(text).toContain(start);
  });
});
