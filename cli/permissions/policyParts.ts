import type { PolicyDocument, PolicyStatement } from "../../components/permissions";

/** Characters that a managed policy may have, without white space. Source: IAM and AWS STS quotas. */
export const MANAGED_POLICY_SIZE = 6_144;

/** The characters of a policy that IAM counts. */
export function policySize(document: PolicyDocument): number {
  return JSON.stringify(document).replace(/\s/g, "").length;
}

/** A policy as few policies that each fit into a managed one. */
export function policyParts({ Version, Statement }: PolicyDocument): readonly PolicyDocument[] {
  const parts: PolicyStatement[][] = [];
  for (const statement of Statement.flatMap(halves)) {
    const part = parts.find(
      (each) => policySize({ Version, Statement: [...each, statement] }) <= MANAGED_POLICY_SIZE,
    );
    if (part === undefined) {
      parts.push([statement]);
    } else {
      part.push(statement);
    }
  }
  return parts.map((part) => ({ Version, Statement: part }));
}

/** A statement with more resources than a policy has room for is two. */
function halves(statement: PolicyStatement): PolicyStatement[] {
  const { Resource: resources, Sid } = statement;
  const isLarge =
    policySize({ Version: "2012-10-17", Statement: [statement] }) > MANAGED_POLICY_SIZE;
  if (!isLarge || typeof resources === "string" || resources === undefined) {
    return [statement];
  }
  const middle = Math.ceil(resources.length / 2);
  return [
    { ...statement, Sid: `${Sid}a`, Resource: resources.slice(0, middle) },
    { ...statement, Sid: `${Sid}b`, Resource: resources.slice(middle) },
  ].flatMap(halves);
}
