import { clock } from "../../../provider/base/clock";
import { applyPatches } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { withMachine } from "../../../provider/lifecycle/machine";
import { areObjectsUnfinished } from "../../../provider/lifecycle/objects/manifestInventory";
import { syncManifests } from "../../../provider/lifecycle/objects/syncManifests";
import { outlineMachineConfiguration } from "../../../provider/render/renderMachineConfiguration";
import { ServedResource } from "../../conformance/support/servedResource";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress } from "../progress";

/** A manifest with one ConfigMap. */
export const configMap = (name: string, value: string, namespace = "default") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: ${value}}\n`;

/** Defines the kind Widget. */
export const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions: [{name: v1, served: true, storage: true}]
`;
/** A Widget in the namespace `shop`. */
export const widget = `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one, namespace: shop}\nspec: {size: 1}\n`;
/** The namespace `shop`. */
export const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n`;

/** The path of a ConfigMap. */
export const place = (name: string, where = "default") =>
  `/api/v1/namespaces/${where}/configmaps/${name}`;
/** Where Talos records its objects. */
export const TALOS_INVENTORY = place("talos-bootstrap-manifests-inventory", "kube-system");
/** Where the list records its objects. */
export const INVENTORY = place("pulumi-talos-aws-objects-it", "kube-system");
/** The path of `widget`. */
export const WIDGET = "/apis/example.com/v1/namespaces/shop/widgets/one";
/** The path of `definition`. */
export const CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";
/** The annotation that names an object's inventory. */
export const MARK = "config.k8s.io/owning-inventory";

/** An object as it is found. */
export interface Found {
  readonly status?: Readonly<Record<string, unknown>>;
  readonly metadata: {
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** A cluster with one machine, and a list of objects in it. */
export async function clusterOf(talosVersion: string) {
  const cluster = await SimulatedCluster.create();
  cluster.talosVersion = talosVersion;
  const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
  await cluster.bootstrap(node, 1);
  const machine = await machineAt(cluster, node.address);
  const { signal } = new AbortController();
  let access: KubernetesAccess | undefined;
  const send = async (
    method: "PATCH" | "DELETE" | "GET" | "POST",
    path: string,
    body?: object,
    contentType = "application/merge-patch+json",
  ) => {
    access ??= await KubernetesAccess.open([machine], signal);
    return access.send({ method, path, ...(body && { body, contentType }) }, signal);
  };
  const find = async (path: string) => {
    try {
      return JSON.parse(await send("GET", path)) as Found;
    } catch {
      return undefined;
    }
  };
  const listOf = (inventory: string) => {
    const resource = new ServedResource("KubernetesObjects");
    const upWith = (more: object, ...texts: readonly string[]) =>
      resource.up({
        nodes: [node.address],
        credentials: machine.credentials,
        timeoutSeconds: 600,
        inventory,
        deleteContainers: false,
        awaitRollouts: true,
        manifests: texts.map((contents, index) => ({ name: `m-${index}`, contents })),
        ...more,
      });
    const records = place(`pulumi-talos-aws-objects-${inventory}`, "kube-system");
    return { resource, records, upWith, up: (...texts: readonly string[]) => upWith({}, ...texts) };
  };
  const { resource, upWith, up } = listOf("it");
  const manifests = new ServedResource("KubernetesManifests");
  /** What a program has that no longer has these lists. */
  const upWithout = (...abandonedInventories: readonly string[]) =>
    manifests.up({
      nodes: [node.address],
      credentials: machine.credentials,
      timeoutSeconds: 60,
      redactedConfiguration: outlineMachineConfiguration(
        decodeDocuments(cluster.config("controlplane")),
      ),
      abandonedInventories,
    });
  const isUnfinished = async () =>
    areObjectsUnfinished(await KubernetesAccess.open([machine], signal), "it", signal);
  /** Gives Talos inline manifests, as a changed configuration does. */
  const configure = (...texts: readonly string[]) =>
    withMachine(machine, (client) => {
      const inlineManifests = texts.map((contents, index) => ({ name: `i-${index}`, contents }));
      const schema = talosSchema(talosVersion);
      const before = decodeDocuments(cluster.config("controlplane"), schema);
      const documents = applyPatches(before, [{ cluster: { inlineManifests } }], { schema });
      const data = encodeDocuments(documents, schema);
      return client.applyConfiguration({ data, mode: "NO_REBOOT" });
    });
  /** What `KubernetesManifests` does after a change. */
  const syncTalos = async () => {
    const [progress, deadline] = [recordedProgress(), clock.now() + 3_600_000];
    await syncManifests({ controlPlanes: [machine], named: [], deadline, progress });
    return progress;
  };
  return {
    cluster,
    node,
    listOf,
    resource,
    up,
    upWith,
    upWithout,
    find,
    send,
    isUnfinished,
    configure,
    syncTalos,
  };
}

/** A cluster, and what is done with it. */
export type Life = Awaited<ReturnType<typeof clusterOf>>;
