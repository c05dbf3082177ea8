import { builtIn } from "../../../emulator/talos/kubernetes/objectStore";
import type { Patch } from "../../../provider/config/patches/patch";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { withMachine } from "../../../provider/lifecycle/machine";
import { outlineMachineConfiguration } from "../../../provider/render/renderMachineConfiguration";
import { ServedResource } from "../../conformance/support/servedResource";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import type { Cells } from "./cells";
import { failingWhen } from "./failingWhen";

const configMap = (name: string, data: string, namespace = "default") => ({
  name,
  contents: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: ${data}}\n`,
});
const inline = (...inlineManifests: ReturnType<typeof configMap>[]) => ({
  cluster: { inlineManifests },
});

const former = inline(configMap("one", "before"), configMap("two", "before"));

interface Life {
  readonly cluster: SimulatedCluster;
  readonly node: SimulatedNode;
  /** The values of the two objects. */
  readonly values: () => Promise<readonly (string | undefined)[]>;
}

/** Fails one change of manifests, and takes it back. */
function cell(change: Patch, fail: (life: Life, update: () => Promise<unknown>) => Promise<void>) {
  return async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
      await cluster.bootstrap(node, 1);
      const machine = await machineAt(cluster, node.address);
      const resource = new ServedResource("KubernetesManifests");
      const up = async (patch: Patch) => {
        const data = cluster.config("controlplane", [patch]);
        await withMachine(machine, (client) =>
          client.applyConfiguration({ data, mode: "NO_REBOOT" }),
        );
        return resource.up({
          nodes: [node.address],
          credentials: machine.credentials,
          timeoutSeconds: 30,
          redactedConfiguration: outlineMachineConfiguration(decodeDocuments(data)),
        });
      };
      const { signal } = new AbortController();
      const values = async () => {
        const access = await KubernetesAccess.open([machine], signal);
        return Promise.all(
          ["one", "two"].map((name) =>
            access
              .read<{ data: { value: string } }>(
                `/api/v1/namespaces/default/configmaps/${name}`,
                signal,
              )
              .then(
                ({ data }) => data.value,
                () => undefined,
              ),
          ),
        );
      };
      await up(inline());
      await up(former);
      expect(await values()).toEqual(["before", "before"]);
      await fail({ cluster, node, values }, () => up(change));
      await cluster.faults.liftAll();
      await up(former);
      expect(await values()).toEqual(["before", "before"]);
      expect(await up(former)).toBe("same");
    } finally {
      await cluster.stop();
    }
  };
}

/** An object that the API server refuses: there is no such namespace. */
const refused = configMap("three", "after", "nowhere");

/** What fails in a `KubernetesManifests`: its parts are objects to apply, and objects to delete. */
export const manifestCells: Cells = {
  "before the first change": cell(
    inline(configMap("one", "after")),
    async ({ cluster, node, values }, update) => {
      const change = update();
      await cluster.faults.inject({ kind: "refuse", machine: node.address });
      await expect(change).rejects.toThrow();
      await cluster.faults.liftAll();
      expect(await values()).toEqual(["before", "before"]);
    },
  ),
  "after the first change": cell(
    inline(configMap("one", "after"), configMap("two", "before"), refused),
    async ({ values }, update) => {
      await expect(update()).rejects.toThrow(/three/);
      expect(await values()).toEqual(["after", "before"]);
    },
  ),
  // Nothing is deleted while an object is refused.
  "between parts": cell(inline(configMap("one", "after"), refused), async ({ values }, update) => {
    await expect(update()).rejects.toThrow(/three/);
    expect(await values()).toEqual(["after", "before"]);
  }),
  "at the last wait": cell(
    { cluster: { ...former.cluster, proxy: { extraArgs: { v: "4" } } } },
    async ({ cluster, node }, update) => {
      const store = await cluster.kubernetes();
      const proxies = () => JSON.stringify(store.objects.list(builtIn("daemonsets")));
      await failingWhen(() => proxies().includes("--v=4"), cluster, node, update);
    },
  ),
};
