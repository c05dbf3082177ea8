import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import { ACCOUNT, isAllowed, REGION } from "./judgePolicy";

const GUIDE = join(__dirname, "../../../docs/guides/control-planes.md");

/** The denial that the guide shows, for a cluster. */
function denial(cluster: string): PolicyDocument {
  const text = /```json\n([\s\S]*?)```/.exec(readFileSync(GUIDE, "utf8"))?.[1] ?? "";
  return JSON.parse(text.replaceAll("CLUSTER", cluster)) as PolicyDocument;
}

/** A role that reads all of EC2, as with AWS' policy `ReadOnlyAccess`. */
const READS: PolicyDocument["Statement"][number] = {
  Sid: "Reads",
  Effect: "Allow",
  Action: ["ec2:Describe*", "ec2:Get*"],
  Resource: "*",
};

const machine = (action: string, cluster: string) => ({
  action,
  resource: `arn:aws:ec2:${REGION}:${ACCOUNT}:instance/i-0123456789abcdef0`,
  context: { [`aws:ResourceTag/kubernetes.io/cluster/${cluster}`]: "owned" },
});
const templates = { action: "ec2:DescribeLaunchTemplateVersions", resource: "*" };

describe("the denial for readers of user data in the guide for control planes", () => {
  const alone: PolicyDocument = { Version: "2012-10-17", Statement: [READS] };

  it("takes user data of a cluster from a role that reads all of EC2", async () => {
    const { Statement } = denial("prod");
    const both: PolicyDocument = { ...alone, Statement: [READS, ...Statement] };
    const reads = (cluster: string) => machine("ec2:DescribeInstanceAttribute", cluster);
    expect(await isAllowed(alone, reads("prod"))).toBe(true);
    expect(await isAllowed(both, reads("prod"))).toBe(false);
    expect(await isAllowed(alone, templates)).toBe(true);
    expect(await isAllowed(both, templates)).toBe(false);
    // Everything else stays.
    expect(await isAllowed(both, reads("other"))).toBe(true);
    expect(await isAllowed(both, machine("ec2:GetConsoleOutput", "prod"))).toBe(true);
    expect(await isAllowed(both, { action: "ec2:DescribeInstances", resource: "*" })).toBe(true);
  });
});
