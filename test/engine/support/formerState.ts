import type { Stack } from "@pulumi/pulumi/automation";
import { importState } from "../../../cli/engine/stateOfStack";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { expandCredentials } from "../../../provider/pki/compactCredentials";

interface StoredResource {
  readonly urn: string;
  readonly type: string;
  dependencies?: string[];
  propertyDependencies?: Record<string, string[]>;
  retainOnDelete?: boolean;
  readonly inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/**
 * Gives a stack's machines the state that the first releases wrote: their ids and outlines among the
 * outputs too, and their credentials as a talosconfig has them, without the Talos that they run. Role
 * configurations have their outlines among the outputs too. What later releases added is not there. Returns how many machines there are.
 */
export async function writeFormerState(stack: Stack): Promise<number> {
  const exported = await stack.exportStack();
  const deployment = exported.deployment as { resources?: StoredResource[] };
  const isLater = ({ type }: Pick<StoredResource, "type">) =>
    /talos:(EtcdMember|FirstContact|KubernetesUpgrade|KubernetesManifests)$/.test(type);
  const all = deployment.resources ?? [];
  const later = new Set(all.filter(isLater).map(({ urn }) => urn));
  const withoutLater = (urns: readonly string[]) => urns.filter((urn) => !later.has(urn));
  const resources = all.filter((resource) => !isLater(resource));
  deployment.resources = resources;
  for (const resource of resources) {
    const { dependencies = [], propertyDependencies = {} } = resource;
    resource.dependencies = withoutLater(dependencies);
    resource.propertyDependencies = Object.fromEntries(
      Object.entries(propertyDependencies).map(([name, urns]) => [name, withoutLater(urns)]),
    );
  }
  const machines = resources.filter(({ type }) => type.endsWith("talos:ConfigurationApply"));
  for (const machine of machines) {
    machine.retainOnDelete = false;
    const { credentials, talosSystem, ...outputs } = machine.outputs ?? {};
    if (talosSystem === undefined) {
      throw new Error(`${machine.urn} was recorded without its Talos`);
    }
    delete machine.inputs?.talosSystem;
    const { plaintext, ...mark } = credentials as { plaintext: string };
    const former = expandCredentials(JSON.parse(plaintext) as ClientCredentials);
    machine.outputs = {
      ...outputs,
      machineId: machine.inputs?.machineId,
      credentials: { ...mark, plaintext: JSON.stringify(former) },
      redactedConfiguration: machine.inputs?.redactedConfiguration,
    };
  }
  for (const { type, inputs, outputs } of resources) {
    if (type.endsWith("talos:MachineConfiguration") && outputs !== undefined) {
      outputs.redactedConfiguration = inputs?.redactedConfiguration;
    }
  }
  await importState(stack, exported);
  return machines.length;
}
