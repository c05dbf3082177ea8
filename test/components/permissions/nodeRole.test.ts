import * as pulumi from "@pulumi/pulumi";
import { NodeRole } from "../../../components/permissions/nodeRole";
import { build, valueOf } from "../mockedGraph";

const args = { machines: "control plane", clusterName: "prod" };

describe("NodeRole", () => {
  it("lets EC2 machines list instances in their region, and nothing else", async () => {
    const { value, graph } = await build(() => new NodeRole("r", args));
    const role = graph.named("aws:iam/role:Role", "r-role");
    expect(JSON.parse(String(role.inputs.assumeRolePolicy))).toMatchObject({
      Statement: [{ Action: ["sts:AssumeRole"], Principal: { Service: "ec2.amazonaws.com" } }],
    });
    const policy = graph.named("aws:iam/rolePolicy:RolePolicy", "r-policy");
    expect(policy.inputs.role).toBe("r-role-name");
    expect(JSON.parse(String(policy.inputs.policy))).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "DescribeMachines",
          Effect: "Allow",
          Action: ["ec2:DescribeInstances", "ec2:DescribeRegions"],
          Resource: "*",
          Condition: { StringEquals: { "aws:RequestedRegion": "us-east-1" } },
        },
      ],
    });
    const profile = graph.named("aws:iam/instanceProfile:InstanceProfile", "r-profile");
    expect(profile.inputs.role).toBe("r-role-name");
    expect(graph.before(profile)).toContain(policy);
    expect(await valueOf(value.instanceProfileName)).toBe("r-profile-name");
  });

  it("keeps a permissions boundary and grants the requested permissions", async () => {
    const boundary = "arn:aws:iam::123456789012:policy/boundary";
    const { graph } = await build(
      () =>
        new NodeRole("r", {
          ...args,
          permissions: { ecrPull: true },
          permissionsBoundaryArn: boundary,
        }),
    );
    expect(graph.named("aws:iam/role:Role", "r-role").inputs.permissionsBoundary).toBe(boundary);
    const policy = graph.named("aws:iam/rolePolicy:RolePolicy", "r-policy").inputs.policy;
    expect(String(policy)).toContain("ecr:BatchGetImage");
  });

  it("accepts policies, statements and a path, and attaches them before machines use the role", async () => {
    const { graph } = await build(
      () =>
        new NodeRole("r", {
          ...args,
          path: "/talos/",
          managedPolicyArns: {
            read: "arn:aws:iam::aws:policy/ReadOnlyAccess",
            mine: pulumi.output("arn:aws:iam::123456789012:policy/mine"),
          },
          statements: [
            {
              actions: ["s3:GetObject"],
              resources: [pulumi.output("arn:aws:s3:::mine/*")],
              conditions: { StringEquals: { "aws:RequestedRegion": "us-east-1" } },
            },
          ],
        }),
    );
    expect(graph.named("aws:iam/role:Role", "r-role").inputs.path).toBe("/talos/");
    const profile = graph.named("aws:iam/instanceProfile:InstanceProfile", "r-profile");
    expect(profile.inputs.path).toBe("/talos/");
    const attached = graph.ofType("aws:iam/rolePolicyAttachment:RolePolicyAttachment");
    expect(attached.map(({ name, inputs }) => [name, inputs.policyArn])).toEqual([
      ["r-read", "arn:aws:iam::aws:policy/ReadOnlyAccess"],
      ["r-mine", "arn:aws:iam::123456789012:policy/mine"],
    ]);
    const own = graph.named("aws:iam/rolePolicy:RolePolicy", "r-statements");
    expect(JSON.parse(String(own.inputs.policy))).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Action: ["s3:GetObject"],
          Resource: ["arn:aws:s3:::mine/*"],
          Condition: { StringEquals: { "aws:RequestedRegion": "us-east-1" } },
        },
      ],
    });
    expect(graph.before(profile)).toEqual(expect.arrayContaining([...attached, own]));
  });

  it("rejects invalid additions, all at once", async () => {
    const extension = {
      path: "talos",
      permissionsBoundaryArn: "boundary",
      managedPolicyArns: { Read: "ReadOnlyAccess" },
      statements: [
        { actions: [], resources: [] },
        { actions: ["GetObject"], resources: ["*", "arn:aws:s3:::a/*", "bucket"] },
      ],
    };
    const message = await build(() => new NodeRole("r", { ...args, ...extension })).then(
      () => "",
      (error: unknown) => String(error),
    );
    for (const told of [
      'path: "talos" is no path: begin and end it with "/"',
      'permissionsBoundaryArn: "boundary" is no ARN of a policy',
      'managedPolicyArns["Read"]: "Read" is no name',
      'managedPolicyArns["Read"]: "ReadOnlyAccess" is no ARN of a policy',
      "statements[0].actions: no action is named",
      "statements[0].resources: nothing is named",
      'statements[1].resources[2]: "bucket" is no ARN, and IAM takes nothing else',
      'statements[1].actions: "GetObject" is no action: write it as in "s3:GetObject"',
    ]) {
      expect(message).toContain(told);
    }
  });

  it("rejects invalid permissions, by their paths", async () => {
    const permissions = { ebsCsiKmsKeyArns: ["key"], etcdBackupArn: "bucket" };
    await expect(build(() => new NodeRole("r", { ...args, permissions }))).rejects.toThrow(
      /permissions.ebsCsiKmsKeyArns: .* without ebsCsi[^]*ebsCsiKmsKeyArns\[0\]: "key" is no ARN[^]*etcdBackupArn: "bucket" is no ARN of s3/,
    );
  });
});
