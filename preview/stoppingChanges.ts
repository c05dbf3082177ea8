import type { PreviewedResource } from "./previewedResource";

/**
 * EC2 changes these of an instance only while it is stopped. Source: the AWS provider v7,
 * `internal/service/ec2/ec2_instance.go`.
 */
const stopping: readonly string[] = ["ebsOptimized", "instanceType", "userData", "userDataBase64"];

/** Names of the properties for whose change an instance is stopped and started. */
export function stoppingChanges({ operation, changes }: PreviewedResource): readonly string[] {
  return operation === "update" ? changes.filter((property) => stopping.includes(property)) : [];
}
