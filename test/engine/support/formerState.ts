import type { Stack } from "@pulumi/pulumi/automation";
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
 * outputs too, and their credentials as a talosconfig has them, without an `EtcdMember`. Returns how
 * many machines there are.
 */
export async function writeFormerState(stack: Stack): Promise<number> {
  const exported = await stack.exportStack();
  const deployment = exported.deployment as { resources?: StoredResource[] };
  const isMember = ({ type }: Pick<StoredResource, "type">) => type.endsWith("talos:EtcdMember");
  const all = deployment.resources ?? [];
  const members = new Set(all.filter(isMember).map(({ urn }) => urn));
  const withoutMembers = (urns: readonly string[]) => urns.filter((urn) => !members.has(urn));
  const resources = all.filter((resource) => !isMember(resource));
  deployment.resources = resources;
  for (const resource of resources) {
    const { dependencies = [], propertyDependencies = {} } = resource;
    resource.dependencies = withoutMembers(dependencies);
    resource.propertyDependencies = Object.fromEntries(
      Object.entries(propertyDependencies).map(([name, urns]) => [name, withoutMembers(urns)]),
    );
  }
  const machines = resources.filter(({ type }) => type.endsWith("talos:ConfigurationApply"));
  for (const machine of machines) {
    machine.retainOnDelete = false;
    const { credentials, ...outputs } = machine.outputs ?? {};
    const { plaintext, ...mark } = credentials as { plaintext: string };
    const former = expandCredentials(JSON.parse(plaintext) as ClientCredentials);
    machine.outputs = {
      ...outputs,
      machineId: machine.inputs?.machineId,
      credentials: { ...mark, plaintext: JSON.stringify(former) },
      redactedConfiguration: machine.inputs?.redactedConfiguration,
    };
  }
  await stack.importStack(exported);
  return machines.length;
}
