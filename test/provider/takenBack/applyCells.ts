import { nextSystem } from "../../../emulator/talos/machine/machineDisk";
import { talosResources } from "../../../provider/api/talosResources";
import type { Patch } from "../../../provider/config/patches/patch";
import { withMachine } from "../../../provider/lifecycle/machine";
import { ServedResource } from "../../conformance/support/servedResource";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import type { Cells } from "./cells";
import { failingWhen } from "./failingWhen";

const swappiness: Patch = { machine: { sysctls: { "vm.swappiness": "1" } } };
const verbose: Patch = { cluster: { apiServer: { extraArgs: { v: "4" } } } };
const installer = (version: string): Patch => ({
  machine: { install: { image: `factory.talos.dev/aws-installer/0:${version}` } },
});

interface Life {
  readonly cluster: SimulatedCluster;
  readonly node: SimulatedNode;
  readonly up: (patches: readonly Patch[]) => Promise<unknown>;
}

/** The Talos that it boots. */
const talosOf = ({ node }: SimulatedNode) => nextSystem(node.disk)?.version;

/** Fails one change of a machine, and takes it back. */
function cell(
  change: readonly Patch[],
  fail: (life: Life, update: () => Promise<unknown>) => Promise<void>,
) {
  return async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
      await cluster.bootstrap(node, 1);
      const resource = new ServedResource("ConfigurationApply");
      const machine = await machineAt(cluster, node.address);
      // One that is not up yet only has to run its configuration.
      await eventually(async () => {
        const { machineStatus } = talosResources;
        const { spec } = await withMachine(machine, (client) => client.getTyped(machineStatus));
        return spec.stage === "running" && spec.ready;
      });
      const up = (patches: readonly Patch[]) =>
        resource.up({
          ...machine,
          machineId: "i-1",
          patches,
          mode: "auto",
          settledSeconds: 0,
          machineConfiguration: cluster.config("controlplane"),
          timeoutSeconds: 20,
          upgradeTimeoutSeconds: 60,
          redactedConfiguration: "",
        });
      await up([]);
      const before = node.node.machineConfiguration;
      const talosVersion = talosOf(node);
      await fail({ cluster, node, up }, () => up(change));
      await cluster.faults.liftAll();
      await up([]);
      expect(node.node.machineConfiguration).toBe(before);
      expect(talosOf(node)).toBe(talosVersion);
      expect(await up([])).toBe("same");
    } finally {
      await cluster.stop();
    }
  };
}

/** What fails in a `ConfigurationApply`: its parts are the machine's Talos and its configuration. */
export const applyCells: Cells = {
  "before the first change": cell([swappiness], async ({ cluster, node }, update) => {
    await cluster.faults.inject({ kind: "refuse", machine: node.address });
    await expect(update()).rejects.toThrow(/gave up waiting/);
  }),
  // The machine has the configuration, and no answer arrives.
  "after the first change": cell([swappiness], async ({ cluster, node }, update) => {
    const parameters = { method: "ApplyConfiguration" };
    await cluster.faults.inject({ kind: "resetMidCall", machine: node.address, parameters });
    const hasIt = () => node.node.machineConfiguration?.includes("vm.swappiness") === true;
    await failingWhen(hasIt, cluster, node, update);
    expect(hasIt()).toBe(true);
  }),
  "between parts": cell([swappiness, installer("v1.13.0")], async ({ cluster, node }, update) => {
    const isUpgraded = () => talosOf(node) === "v1.13.0";
    await failingWhen(isUpgraded, cluster, node, update);
    expect(node.node.machineConfiguration).not.toContain("vm.swappiness");
  }),
  // Nothing starts the changed API server.
  "at the last wait": cell([verbose], async ({ cluster, node }, update) => {
    const hasIt = () => node.node.machineConfiguration?.includes('v: "4"') === true;
    await failingWhen(hasIt, cluster, node, update, "stoppedKubelet");
  }),
};
