import type { PolicyStatement } from "../../../components/permissions/policyDocument";
import { make } from "./clusters";

const GROUP = "aws:cloudwatch/logGroup:LogGroup";
const POLICY = "aws:iam/rolePolicy:RolePolicy";

type Made = Awaited<ReturnType<typeof make>>["graph"];

const statements = (graph: Made, name: string) =>
  (JSON.parse(String(graph.named(POLICY, name).inputs.policy)) as { Statement: PolicyStatement[] })
    .Statement;
const records = (name: string) => `arn:aws:logs:us-east-1:*:log-group:${name}:*`;

describe("a cluster's audit log", () => {
  it("goes to a log group of its own, which is kept with what is protected", async () => {
    const kmsKeyArn = "arn:aws:kms:us-east-1:123456789012:key/a-b";
    const { graph } = await make({ addOns: { auditLog: { kmsKeyArn } }, protect: true });
    expect(graph.ofType(GROUP)).toMatchObject([
      {
        name: "c-audit-log",
        protect: true,
        inputs: {
          name: "/talos/k8s.sandbox.example.com/audit",
          retentionInDays: 365,
          kmsKeyId: kmsKeyArn,
        },
      },
    ]);
    const own = statements(graph, "c-control-plane-policy");
    expect(own.filter(({ Sid }) => Sid === "AuditLogWrite")).toMatchObject([
      {
        Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: records("/talos/k8s.sandbox.example.com/audit"),
      },
    ]);
  });

  it("is written with a role of its own, where pods have roles", async () => {
    const { graph } = await make({ addOns: { auditLog: true }, irsa: true });
    expect(JSON.stringify(statements(graph, "c-control-plane-policy"))).not.toContain("logs:");
    expect(statements(graph, "c-audit-log").map(({ Sid }) => Sid)).toEqual(["AuditLogWrite"]);
  });

  it("goes to a group that is there, by a shipper of the user's too", async () => {
    const auditLog = { logGroupName: "/bank/audit", adopt: true, manifest: "kind: List" };
    const { graph } = await make({ addOns: { auditLog } });
    expect(graph.ofType(GROUP)).toEqual([]);
    expect(JSON.stringify(statements(graph, "c-control-plane-policy"))).toContain(
      JSON.stringify(records("/bank/audit")),
    );
  });
});
