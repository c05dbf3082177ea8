import type { Stack } from "@pulumi/pulumi/automation";
import { ageCertificates } from "./ageCertificates";
import { type LifeOfCluster, withSysctl } from "./lifeOfCluster";
import { type StoredResource, storedResources } from "./storedResources";

const CLIENT = "pulumi-nodejs:dynamic/talos:ClientConfiguration";

/** Administrators' certificates age, and are renewed when that is due. */
export function renewalSteps({ step, world }: LifeOfCluster): void {
  step("renews no certificate the next day: nothing changes", async () => {
    await ageCertificates(world().stack, 1);
    expect(await preview(world().stack)).toEqual([]);
  });

  step("changes only the client configuration when it is due", async () => {
    const { emulator, stack, record } = world();
    await ageCertificates(stack, 300);
    const before = await sorted(stack);
    const due = clientsIn(before).filter(({ urn }) => urn.endsWith("::local-client"));
    expect(await preview(stack)).toEqual(due.map(({ urn }) => urn));

    const nodesBefore = emulator.nodes();
    await stack.up(record);
    const after = await sorted(stack);
    expect(after.map(({ urn }) => urn)).toEqual(before.map(({ urn }) => urn));
    const changed = after.filter(({ outputs }, index) => {
      const old = before[index]?.outputs;
      return JSON.stringify(outputs) !== JSON.stringify(old);
    });
    // The cluster and the stack hand out the new talosconfig.
    expect(changed.map(({ type }) => type)).toEqual([
      "pulumi:pulumi:Stack",
      CLIENT,
      "talos-aws:index:TalosCluster",
    ]);
    expect(emulator.nodes()).toEqual(nodesBefore);
    const lives = clientsIn(after).map(({ outputs }) =>
      Math.round((Date.parse(String(outputs?.notAfter)) - Date.now()) / 86_400_000),
    );
    // What the cluster itself logs in with lives as long as its authority.
    expect(lives).toEqual([3650, 365]);
  });

  step("renews credentials before it uses them, also if they expired long ago", async () => {
    const { emulator, record } = world();
    await ageCertificates(world().stack, 4_000);
    const stack = await withSysctl(world(), "32768");
    const changed = (await preview(stack)).map((urn) => urn.split("::")[2]?.split("$").at(-1));
    expect(changed.sort()).toEqual([
      CLIENT,
      CLIENT,
      // It looks again, as the machines are configured anew.
      "pulumi-nodejs:dynamic/talos:ClusterHealth",
      ...Array<string>(3).fill("pulumi-nodejs:dynamic/talos:ConfigurationApply"),
      // They record the new certificate, for their deletes.
      ...Array<string>(3).fill("pulumi-nodejs:dynamic/talos:EtcdMember"),
      "pulumi-nodejs:dynamic/talos:MachineConfiguration",
      // The engine gives this one the settings of the stack.
      "pulumi:providers:pulumi-nodejs",
    ]);
    // The machines take the new configuration from the new certificate; the old one they refuse.
    await stack.up(record);
    for (const { machineConfiguration } of emulator.nodes()) {
      expect(machineConfiguration).toContain('net.core.somaxconn: "32768"');
    }
    expect(await preview(stack)).toEqual([]);
  });

  /** The URNs of what a preview would change. */
  async function preview(stack: Stack): Promise<string[]> {
    const changed: string[] = [];
    const { record } = world();
    await stack.preview({
      ...record,
      onEvent: (event) => {
        record.onEvent(event);
        const { op, urn } = event.resourcePreEvent?.metadata ?? {};
        if (op !== undefined && urn !== undefined && op !== "same") {
          changed.push(urn);
        }
      },
    });
    return changed.sort();
  }
}

/** The engine writes them down in the order it got to them. */
async function sorted(stack: Stack): Promise<StoredResource[]> {
  return [...(await storedResources(stack))].sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

function clientsIn(resources: readonly StoredResource[]): StoredResource[] {
  return resources.filter(({ type }) => type === CLIENT);
}
