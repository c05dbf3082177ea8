import { allow, partitionOf, type PolicyScope, type PolicyStatement } from "./policyDocument";

/**
 * The permissions to send an audit log: to begin streams of one log group, and to add records to them. The
 * group is created elsewhere, and nothing is read, so a thief of the role hides no trace.
 *
 * Source: plugins/out_cloudwatch_logs/cloudwatch_api.c of fluent/fluent-bit v5.1.1, with
 * `auto_create_group` off.
 */
export function planAuditLog(
  { region }: PolicyScope,
  groupName: string | undefined,
): PolicyStatement[] {
  if (groupName === undefined) {
    return [];
  }
  const group = `arn:${partitionOf(region)}:logs:${region}:*:log-group:${groupName}`;
  return [allow("AuditLogWrite", ["logs:CreateLogStream", "logs:PutLogEvents"], `${group}:*`)];
}

/** What is wrong with the name of a log group; undefined without a problem. */
export function logGroupNameProblem(name: string): string | undefined {
  return /^[\w./#-]{1,512}$/.test(name) && !name.startsWith("aws/")
    ? undefined
    : `"${name}" is no name of a log group: up to 512 letters, digits and "_", "-", "/", ".", "#", as in "/talos/prod/audit"`;
}
