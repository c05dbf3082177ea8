import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { SchematicImage } from "../../../components/machines/schematicImage";
import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import { USER_DATA_ACTIONS } from "../../../components/permissions/userDataActions";
import { fullestCluster } from "../fullestCluster";
import { build } from "../mockedGraph";
import { expandAction } from "./iamActions";
import { ACCOUNT, isAllowed } from "./judgePolicy";

const ROLE = "aws:iam/role:Role";
const components = join(__dirname, "../../../components");

/** What makes roles, in every form that they have. */
const programs: Readonly<Record<string, () => unknown>> = {
  "a cluster whose add-ons have roles of their own": () =>
    new TalosCluster("c", {
      ...fullestCluster,
      addOns: { ...fullestCluster.addOns, cloudController: true, ebsCsi: true },
    }),
  "a cluster whose machines do it all": () =>
    new TalosCluster("c", {
      ...fullestCluster,
      irsa: false,
      addOns: { ...fullestCluster.addOns, cloudController: true, ebsCsi: true },
    }),
  "an image of the account's own": () =>
    new SchematicImage("i", {
      talosVersion: "v1.12.1",
      architecture: "amd64",
      systemExtensions: ["siderolabs/iscsi-tools"],
      bucket: "disks",
      key: "talos.raw",
    }),
};

const found = { "aws:s3/getObject:getObject": () => ({ contentLength: 1 }) };

describe("user data", () => {
  it("is read by no role", async () => {
    for (const [what, program] of Object.entries(programs)) {
      const { graph } = await build(program, { calls: found });
      const policies = graph
        .ofType("aws:iam/rolePolicy:RolePolicy")
        // What a user adds is the user's.
        .filter(({ name }) => !name.endsWith("-statements"));
      const roles = graph.ofType(ROLE).map(({ name }) => `${name}-name`);
      expect([what, roles.length > 0]).toEqual([what, true]);
      expect(new Set(policies.map(({ inputs }) => inputs.role))).toEqual(new Set(roles));
      for (const { name, inputs } of policies) {
        const policy = JSON.parse(String(inputs.policy)) as PolicyDocument;
        for (const action of USER_DATA_ACTIONS) {
          expect([what, name, action, await mayOnAnything(policy, action)]).toEqual([
            what,
            name,
            action,
            false,
          ]);
        }
      }
    }
  });

  it("is what AWS' list of actions knows, each by its whole name", async () => {
    const known = await Promise.all(USER_DATA_ACTIONS.map(expandAction));
    expect(known.flat()).toEqual(USER_DATA_ACTIONS);
  });

  it("stays so for every component that makes a role", () => {
    const makers = readdirSync(components, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .filter((file) => readFileSync(join(components, file), "utf8").includes("new aws.iam.Role("));
    // Each is in a program above.
    expect(makers.sort()).toEqual([
      "identity/serviceAccountRole.ts",
      "machines/schematicImage.ts",
      "network/makeFlowLogs.ts",
      "permissions/nodeRole.ts",
    ]);
  });
});

/** Whether a policy allows an action on anything at all, with the tags that most would allow. */
async function mayOnAnything(policy: PolicyDocument, action: string): Promise<boolean> {
  const region = "us-east-1";
  const resources: Readonly<Record<string, string>> = {
    "ec2:CreateLaunchTemplateVersion": `arn:aws:ec2:${region}:${ACCOUNT}:launch-template/lt-1`,
    "ec2:DescribeInstanceAttribute": `arn:aws:ec2:${region}:${ACCOUNT}:instance/i-1`,
    "ec2:GetLaunchTemplateData": `arn:aws:ec2:${region}:${ACCOUNT}:instance/i-1`,
    "securityhub:GetFindings": `arn:aws:securityhub:${region}:${ACCOUNT}:hub/default`,
  };
  const resource = resources[action] ?? "*";
  const tags = { "aws:ResourceTag/kubernetes.io/cluster/production": "owned" };
  return isAllowed(policy, {
    action,
    resource,
    context: {
      "aws:RequestedRegion": region,
      ...(resource.includes(":ec2:") && tags),
    },
  });
}
