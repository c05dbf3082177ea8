import { NodeRole } from "../../../components/permissions/nodeRole";
import { build, valueOf } from "../mockedGraph";

const args = { machines: "control plane", clusterName: "prod" };

describe("NodeRole", () => {
  it("lets EC2 machines see their like in their region, and do nothing else", async () => {
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

  it("stays within a boundary and gives what is asked for", async () => {
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

  it("refuses permissions that can't be, by their paths", async () => {
    const permissions = { ebsCsiKmsKeyArns: ["key"], etcdBackupArn: "bucket" };
    await expect(build(() => new NodeRole("r", { ...args, permissions }))).rejects.toThrow(
      /permissions.ebsCsiKmsKeyArns: .* without ebsCsi[^]*ebsCsiKmsKeyArns\[0\]: "key" is no ARN[^]*etcdBackupArn: "bucket" is no ARN of s3/,
    );
  });
});
