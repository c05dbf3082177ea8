import type { AuditLogAddOn } from "../arguments/clusterAddOnsArgs";

/** The log group of a cluster's audit log. A cluster's name in DNS is its own. */
export function auditLogGroupName(
  { recordName }: { readonly recordName: string },
  { logGroupName }: AuditLogAddOn,
): string {
  return logGroupName ?? `/talos/${recordName}/audit`;
}
