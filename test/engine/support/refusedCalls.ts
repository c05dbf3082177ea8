import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import type { AwsCall } from "./awsCall";
import { allows, neededFor, pathsOf } from "./policyAllows";

/** What a policy doesn't allow of what AWS was asked. */
export function refusedCalls(document: PolicyDocument, calls: readonly AwsCall[]): string[] {
  const paths = pathsOf(calls);
  const refused = calls
    .flatMap((call) => neededFor(call, paths))
    .filter((needed) => !allows(document, needed))
    .map(({ action, resource }) => `${action} ${resource ?? ""}`);
  return [...new Set(refused)].sort();
}
