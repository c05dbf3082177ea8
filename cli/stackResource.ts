import type { Deployment } from "@pulumi/pulumi/automation";
import type { Properties } from "./properties";
import { nameOf, recordedStack } from "./repair/pendingOperations";

export interface StackResource {
  readonly urn: string;
  /** For example `aws:ec2/instance:Instance`. */
  readonly type: string;
  readonly name: string;
  /** URN of its parent; empty for the stack itself. */
  readonly parent: string;
  /** Its id in the cloud; empty for a component. */
  readonly id: string;
  readonly isComponent: boolean;
  /** Whether Pulumi refuses to delete or replace it. */
  readonly isProtected: boolean;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/**
 * The resources of an exported stack, without the stack itself, providers, resources that are only
 * read, and replaced ones that wait for their deletion.
 */
export function readResources(exported: Deployment): readonly StackResource[] {
  return recordedStack(exported)
    .resources.filter(
      (each) =>
        each.external !== true &&
        each.delete !== true &&
        !/^pulumi:(pulumi|providers):/.test(each.type),
    )
    .map(({ urn, type, parent, id, custom, protect, inputs, outputs }) => ({
      urn,
      type,
      name: nameOf(urn),
      parent: parent ?? "",
      id: id ?? "",
      isComponent: custom !== true,
      isProtected: protect ?? false,
      inputs: inputs ?? {},
      outputs: outputs ?? {},
    }));
}
