export { askAws, AwsRefusal, elementOf } from "./askAws";
export { type AssumedRole, type AwsAccess, keysFor } from "./awsAccess";
