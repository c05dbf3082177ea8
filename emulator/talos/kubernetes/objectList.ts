import { configMapObject } from "./configMaps";
import type { KubernetesStore } from "./kubernetesStore";
import { nodeCells, nodeColumns, nodeObject, seconds } from "./nodeObject";
import { podCells, podColumns, podObject } from "./podObject";
import { namespaceNames, type ResourceKind } from "./resources";
import { systemPods } from "./systemPods";
import type { TableRow } from "./table";
import { daemonSetColumns, daemonSets, deploymentColumns, deployments } from "./workloadObjects";

/** A list of the API in the making. */
export interface ObjectList {
  readonly columns: readonly (readonly [name: string, priority: number])[];
  readonly rows: readonly (TableRow & {
    readonly object: {
      readonly metadata: {
        readonly name: string;
        readonly namespace?: string;
        readonly labels?: Readonly<Record<string, string>>;
      };
    };
  })[];
}

/** Every object of a kind. */
export function objectsOf(kind: ResourceKind, store: KubernetesStore, now: Date): ObjectList {
  switch (kind.plural) {
    case "nodes":
      return {
        columns: nodeColumns,
        rows: store.nodes.map((node) => ({
          cells: nodeCells(node, now),
          object: nodeObject(node, now),
        })),
      };
    case "namespaces":
      return {
        columns: [
          ["Name", 0],
          ["Status", 0],
        ],
        rows: namespaceNames.map((name) => ({
          cells: [name, "Active"],
          object: namespaceObject(name, store.createdAt),
        })),
      };
    case "pods":
      return {
        columns: podColumns,
        rows: systemPods(store, now).map((pod) => ({
          cells: podCells(pod, now),
          object: podObject(pod),
        })),
      };
    case "configmaps":
      return {
        columns: [
          ["Name", 0],
          ["Data", 0],
        ],
        rows: store.configMaps.all.map((each) => ({
          cells: [each.name, `${Object.keys(each.data).length}`],
          object: configMapObject(each),
        })),
      };
    case "daemonsets":
      return { columns: daemonSetColumns, rows: daemonSets(store, now) };
    case "deployments":
      return { columns: deploymentColumns, rows: deployments(store, now) };
  }
}

function namespaceObject(name: string, createdAt: Date) {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: {
      name,
      resourceVersion: "1",
      creationTimestamp: seconds(createdAt),
      labels: { "kubernetes.io/metadata.name": name },
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
