import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import type { AwsCall } from "./awsCall";
import { allows, neededFor } from "./policyAllows";

/** What a policy doesn't allow of what AWS was asked. */
export function refusedCalls(document: PolicyDocument, calls: readonly AwsCall[]): string[] {
  const refused = calls
    .flatMap(neededFor)
    .filter((needed) => !allows(document, needed))
    .map(({ action, resource }) => `${action} ${resource ?? ""}`);
  return [...new Set(refused)].sort();
}
