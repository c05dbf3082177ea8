import type * as pulumi from "@pulumi/pulumi";
import { clusterNames } from "../endpoint/clusterNames";
import { makeLogGroup } from "../logs/logGroup";
import { addOnChoices } from "./addOns/addOnChoices";
import { auditLogGroupName } from "./addOns/clusterAuditLog";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";

/**
 * Creates the log group of a cluster's audit log, if there is to be one. A protected cluster's records are
 * protected too.
 */
export function makeAuditLog(name: string, args: TalosClusterArgs, parent: pulumi.Resource): void {
  const { auditLog } = addOnChoices(args.addOns ?? {});
  if (auditLog === undefined || auditLog.adopt === true) {
    return;
  }
  const { protect = false, tags = {} } = args;
  const logGroupName = auditLogGroupName(clusterNames(args), auditLog);
  makeLogGroup(`${name}-audit-log`, auditLog, { logGroupName, tags, protect, parent });
}
