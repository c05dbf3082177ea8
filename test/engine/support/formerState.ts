import type { Stack } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { expandCredentials } from "../../../provider/pki/compactCredentials";

interface StoredResource {
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/**
 * Gives a stack's machines the state that the first releases wrote: their ids and outlines among the
 * outputs too, and their credentials as a talosconfig has them. Returns how many machines there are.
 */
export async function writeFormerState(stack: Stack): Promise<number> {
  const exported = await stack.exportStack();
  const { resources = [] } = exported.deployment as { resources?: StoredResource[] };
  const machines = resources.filter(({ type }) => type.endsWith("talos:ConfigurationApply"));
  for (const machine of machines) {
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
