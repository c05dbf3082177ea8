import { checkLogGroup } from "../../logs/logGroup";
import { logGroupNameProblem } from "../../permissions/planAuditLog";
import type { PropertyProblem } from "../../problems";
import type { AuditLogAddOn } from "../arguments/clusterAddOnsArgs";

/** All problems of an audit log's log group. */
export function checkAuditLog(addOn: AuditLogAddOn = {}): PropertyProblem[] {
  const { logGroupName, retentionDays, kmsKeyArn, adopt = false } = addOn;
  const badName = logGroupName === undefined ? undefined : logGroupNameProblem(logGroupName);
  const excluded = Object.entries({ retentionDays, kmsKeyArn }).filter(
    ([, value]) => adopt && value !== undefined,
  );
  return [
    ...(badName === undefined ? [] : [{ property: "logGroupName", reason: badName }]),
    ...checkLogGroup(addOn),
    ...excluded.map(([property]) => ({
      property,
      reason: "it excludes adopt, as a log group that is there stays as it is: leave out one",
    })),
    ...(adopt && logGroupName === undefined
      ? [{ property: "adopt", reason: "it names no log group that is there: give logGroupName" }]
      : []),
  ];
}
