import type { PreviewedResource } from "./previewedResource";

/**
 * Properties that EC2 changes only while the instance is stopped. Source: the AWS provider v7,
 * `internal/service/ec2/ec2_instance.go`.
 */
const stopping: readonly string[] = ["ebsOptimized", "instanceType", "userData", "userDataBase64"];

/** Names of the changed properties that need a stop of the instance. */
export function stoppingChanges({ operation, changes }: PreviewedResource): readonly string[] {
  return operation === "update" ? changes.filter((property) => stopping.includes(property)) : [];
}
