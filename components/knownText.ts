import type * as pulumi from "@pulumi/pulumi";

/** A text as a plan shows it that is made before a run. Texts of other resources are known only then. */
export function knownText(value: pulumi.Input<string>): string {
  return typeof value === "string" ? value : "(known in a run)";
}
