import { describePermissions, permissionNotes } from "../../../cli/permissions/describePermissions";
import type { KnownResource } from "../../../cli/permissions/grantedResources";
import { planPermissions } from "../../../cli/permissions/planPermissions";
import { MANAGED_POLICY_SIZE, policyParts, policySize } from "../../../cli/permissions/policyParts";
import { readResources } from "../../../cli/stackResource";
import { resourceKinds } from "../../../emulator/aws/plugin/resources/resourceKinds";
import { allows } from "../../engine/support/policyAllows";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

function made(type: string, inputs: KnownResource["inputs"], outputs = {}): KnownResource {
  return { type, inputs, outputs };
}

const role = made(
  "aws:iam/role:Role",
  {
    name: "prod-workers-0a1b2c3",
    path: "/talos/",
    assumeRolePolicy: JSON.stringify({ Principal: { Service: "ec2.amazonaws.com" } }),
    __defaults: ["name"],
  },
  { arn: "arn:aws:iam::123456789012:role/talos/prod-workers-0a1b2c3" },
);
const vpc = made("aws:ec2/vpc:Vpc", {}, { region: "eu-central-1" });

describe("the permissions of a stack", () => {
  const allowed = (resources: readonly KnownResource[], action: string, resource?: string) =>
    allows(planPermissions(resources).document, { action, resource });

  it("contain the account and the region if the state has them", () => {
    const id = "vpc/vpc-0123456789abcdef0";
    expect(
      allowed([vpc, role], "ec2:DeleteVpc", `arn:aws:ec2:eu-central-1:123456789012:${id}`),
    ).toBe(true);
    expect(allowed([vpc, role], "ec2:DeleteVpc", `arn:aws:ec2:eu-west-1:123456789012:${id}`)).toBe(
      false,
    );
    expect(
      allowed([vpc, role], "ec2:DeleteVpc", `arn:aws:ec2:eu-central-1:210987654321:${id}`),
    ).toBe(false);
    const somewhere = planPermissions([made("aws:ec2/vpc:Vpc", {})]).document;
    const resource = "arn:aws:ec2:us-east-1:210987654321:vpc/vpc-0";
    expect(allows(somewhere, { action: "ec2:DeleteVpc", resource })).toBe(true);
  });

  it("cover future names of a role that Pulumi names, and no other role", () => {
    const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
    expect(allowed([role], "iam:CreateRole", arn("talos/prod-workers-ffffff0"))).toBe(true);
    expect(allowed([role], "iam:CreateRole", arn("talos/admin"))).toBe(false);
    expect(allowed([role], "iam:CreateRole", arn("prod-workers-ffffff0"))).toBe(false);
  });

  it("tell the UEFI data of images, which the AWS provider asks for, and of no machine", () => {
    const of = (id: string) => `arn:aws:ec2:eu-central-1:123456789012:instance/${id}`;
    const ask = (id: string) => allowed([vpc, role], "ec2:GetInstanceUefiData", of(id));
    expect([ask("ami-0123456789abcdef0"), ask("i-0123456789abcdef0")]).toEqual([true, false]);
  });

  it("let a role be passed to EC2 by both of its names in China", () => {
    const trust = { Service: ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] };
    const ofChina = made(
      "aws:iam/role:Role",
      { ...role.inputs, assumeRolePolicy: JSON.stringify({ Principal: trust }) },
      { arn: "arn:aws-cn:iam::123456789012:role/talos/prod-workers-0a1b2c3" },
    );
    const net = made("aws:ec2/vpc:Vpc", {}, { region: "cn-north-1" });
    const pass = planPermissions([net, ofChina]).document.Statement.filter(({ Action }) =>
      Action.includes("iam:PassRole"),
    );
    expect(pass).toMatchObject([
      { Condition: { StringEquals: { "iam:PassedToService": trust.Service } } },
    ]);
  });

  it("allow a role to be passed only to the services that it trusts", () => {
    const pass = planPermissions([role]).document.Statement.find(({ Action }) =>
      Action.includes("iam:PassRole"),
    );
    expect(pass).toMatchObject({
      Resource: "arn:aws:iam::123456789012:role/talos/prod-workers-*",
      Condition: { StringEquals: { "iam:PassedToService": "ec2.amazonaws.com" } },
    });
  });

  it("allow nothing for types that are not in the stack", () => {
    const statements = JSON.stringify(planPermissions([role]).document);
    expect(statements).not.toContain("RunInstances");
    expect(statements).not.toContain("s3:");
  });

  it("use a wildcard for a value that is unknown in a preview", () => {
    const record = made("aws:route53/record:Record", { zoneId: UNKNOWN });
    const zone = "arn:aws:route53:::hostedzone/Z1";
    expect(allowed([record], "route53:ChangeResourceRecordSets", zone)).toBe(true);
    const known = made("aws:route53/record:Record", { zoneId: "Z2" });
    expect(allowed([known], "route53:ChangeResourceRecordSets", zone)).toBe(false);
  });

  it("allow encryption with a key only if a volume has one", () => {
    const key = "arn:aws:kms:eu-central-1:123456789012:key/k";
    const plain = made("aws:ec2/instance:Instance", { rootBlockDevice: { encrypted: true } });
    const keyed = made("aws:ec2/instance:Instance", { rootBlockDevice: { kmsKeyId: key } });
    expect(allowed([plain], "kms:CreateGrant", key)).toBe(false);
    expect(allowed([keyed], "kms:CreateGrant", key)).toBe(true);
    expect(allowed([keyed], "kms:CreateGrant", key.replace("key/k", "key/other"))).toBe(false);
    // A key of the same stack, before it is there.
    const later = { rootBlockDevice: { kmsKeyId: UNKNOWN } };
    const unmade = made("aws:ec2/instance:Instance", later);
    expect(allowed([keyed, unmade], "kms:CreateGrant", key.replace("key/k", "key/new"))).toBe(true);
  });

  it("allow emptying a bucket only if the bucket has forceDestroy", () => {
    const object = "arn:aws:s3:::backups/a";
    const bucket = (forceDestroy: boolean) =>
      made("aws:s3/bucket:Bucket", { bucket: "backups", forceDestroy });
    expect(allowed([bucket(false)], "s3:DeleteObjectVersion", object)).toBe(false);
    expect(allowed([bucket(true)], "s3:DeleteObjectVersion", object)).toBe(true);
    expect(allowed([bucket(true)], "s3:DeleteBucket", "arn:aws:s3:::others")).toBe(false);
  });

  it("name unknown types, and the role that must also be passed", () => {
    const { unknownTypes, gaps } = planPermissions([
      made("aws:rds/instance:Instance", {}),
      made("talos-aws:index:Network", {}),
      made("aws:ec2/instance:Instance", { iamInstanceProfile: "theirs" }),
    ]);
    expect(unknownTypes).toEqual(["aws:rds/instance:Instance"]);
    expect(gaps).toEqual([expect.stringMatching(/"theirs".*iam:PassRole/)]);
  });

  it("are known for every type that components can create", () => {
    const types = [...resourceKinds.keys()].filter(
      // What controllers in a cluster create, and a sweep deletes.
      (type) => !/classic|elb\/|snapshot/i.test(type),
    );
    expect(planPermissions(types.map((type) => made(type, {}))).unknownTypes).toEqual([]);
  });

  it("are split into parts that fit a managed policy, without a loss", () => {
    const buckets = Array.from({ length: 300 }, (_, index) =>
      made("aws:s3/bucket:Bucket", { bucket: `bucket-${index}` }),
    );
    const plan = planPermissions([vpc, role, ...buckets]);
    const parts = policyParts(plan.document);
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map(policySize))).toBeLessThanOrEqual(MANAGED_POLICY_SIZE);
    for (let index = 0; index < 300; index += 1) {
      const needed = { action: "s3:CreateBucket", resource: `arn:aws:s3:::bucket-${index}` };
      expect(parts.some((part) => allows(part, needed))).toBe(true);
    }
    expect(permissionNotes(plan).join()).toContain(`--part 1 to --part ${parts.length}`);
    expect(new Set(parts.flatMap(({ Statement }) => Statement.map(({ Sid }) => Sid))).size).toBe(
      parts.flatMap(({ Statement }) => Statement).length,
    );
  });

  it("are readable", () => {
    const text = describePermissions(planPermissions([role]));
    expect(text).toContain("arn:aws:iam::123456789012:role/talos/prod-workers-*\n");
    expect(text).toContain('  if iam:PassedToService StringEquals "ec2.amazonaws.com"\n');
    expect(text).toContain("    iam:PassRole\n");
  });

  it("are read from an exported state", () => {
    const urn = "urn:pulumi:s::p::aws:ec2/vpc:Vpc::net";
    const exported = {
      version: 3,
      deployment: { resources: [{ urn, type: "aws:ec2/vpc:Vpc", custom: true, id: "vpc-1" }] },
    };
    expect(planPermissions(readResources(exported)).document.Statement[0]?.Action).toContain(
      "ec2:DescribeVpcs",
    );
  });
});
