import type { PolicyStatement } from "../../components/permissions";
import { said } from "../said";
import type { StackPermissions } from "./planPermissions";
import { MANAGED_POLICY_SIZE, policyParts, policySize } from "./policyParts";

export function describePermissions({ document }: StackPermissions): string {
  return document.Statement.map(describeStatement).join("\n");
}

function describeStatement({ Action, Resource = "*", Condition }: PolicyStatement): string {
  const resources = typeof Resource === "string" ? [Resource] : Resource;
  const conditions = Object.entries(Condition ?? {}).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => `  if ${key} ${operator} ${JSON.stringify(value)}`),
  );
  return [
    ...resources.map((resource) => (resource === "*" ? "any resource" : resource)),
    ...conditions,
    ...Action.map((action) => `    ${action}`),
    "",
  ].join("\n");
}

/** What has to be known about a policy before it is used. */
export function permissionNotes({ document, gaps }: StackPermissions): readonly string[] {
  const size = policySize(document);
  const parts = policyParts(document).length;
  return [
    ...gaps,
    ...said(
      size > MANAGED_POLICY_SIZE &&
        `the policy has ${size} characters, and IAM allows ${MANAGED_POLICY_SIZE} in a managed policy: make ${parts} policies, with --json --part 1 to --part ${parts}`,
    ),
    "EC2 and KMS choose ids, so these statements name types of resources in the account and region, not single ones",
    "the state's backend and its encryption are not in the policy, and nothing that sweep or the policies of your organization need; for repair --machines, see --repair",
  ];
}
