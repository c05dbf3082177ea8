import { builtIn } from "../../../emulator/talos/kubernetes/objectStore";
import type { InlineManifest } from "../../../provider";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { ServedResource } from "../../conformance/support/servedResource";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import type { Cells } from "./cells";
import { failingWhen } from "./failingWhen";

const configMap = (name: string, data: string, namespace = "default"): InlineManifest => ({
  name,
  contents: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: ${data}}\n`,
});

const daemon = (flag: string): InlineManifest => ({
  name: "daemon",
  contents: `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: daemon, namespace: default}
spec:
  selector: {matchLabels: {app: daemon}}
  template:
    metadata: {labels: {app: daemon}}
    spec:
      tolerations: [{operator: Exists}]
      containers: [{name: daemon, image: "registry.example/daemon:1", args: [${flag}]}]
`,
});

const former = [configMap("one", "before"), configMap("two", "before"), daemon("--v=2")];

interface Life {
  readonly cluster: SimulatedCluster;
  readonly node: SimulatedNode;
  /** The values of the two objects. */
  readonly values: () => Promise<readonly (string | undefined)[]>;
}

/** Fails one change of objects, and takes it back. */
function cell(
  change: readonly InlineManifest[],
  fail: (life: Life, update: () => Promise<unknown>) => Promise<void>,
) {
  return async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
      await cluster.bootstrap(node, 1);
      const machine = await machineAt(cluster, node.address);
      const resource = new ServedResource("KubernetesObjects");
      const up = (manifests: readonly InlineManifest[]) =>
        resource.up({
          nodes: [node.address],
          credentials: machine.credentials,
          timeoutSeconds: 30,
          inventory: "it",
          manifests,
          deleteContainers: false,
          awaitRollouts: true,
        });
      const { signal } = new AbortController();
      const values = async () => {
        const access = await KubernetesAccess.open([machine], signal);
        const path = (name: string) => `/api/v1/namespaces/default/configmaps/${name}`;
        return Promise.all(
          ["one", "two"].map((name) =>
            access.read<{ data: { value: string } }>(path(name), signal).then(
              ({ data }) => data.value,
              () => undefined,
            ),
          ),
        );
      };
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

/** What fails in a `KubernetesObjects`: its parts are objects to apply, and objects to delete. */
export const objectCells: Cells = {
  "before the first change": cell(
    [configMap("one", "after")],
    async ({ cluster, node, values }, update) => {
      const change = update();
      await cluster.faults.inject({ kind: "refuse", machine: node.address });
      await expect(change).rejects.toThrow();
      await cluster.faults.liftAll();
      expect(await values()).toEqual(["before", "before"]);
    },
  ),
  "after the first change": cell(
    [configMap("one", "after"), configMap("two", "before"), refused],
    async ({ values }, update) => {
      await expect(update()).rejects.toThrow(/three/);
      expect(await values()).toEqual(["after", "before"]);
    },
  ),
  // Nothing is deleted while an object is refused.
  "between parts": cell([configMap("one", "after"), refused], async ({ values }, update) => {
    await expect(update()).rejects.toThrow(/three/);
    expect(await values()).toEqual(["after", "before"]);
  }),
  "at the last wait": cell([...former.slice(0, 2), daemon("--v=4")], async (life, update) => {
    const store = await life.cluster.kubernetes();
    const daemons = () => JSON.stringify(store.objects.list(builtIn("daemonsets")));
    await failingWhen(() => daemons().includes("--v=4"), life.cluster, life.node, update);
  }),
};
