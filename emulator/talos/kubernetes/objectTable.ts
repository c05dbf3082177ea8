import { textAt, valueAt } from "../config/yamlPath";
import {
  isTerminating,
  listAt,
  nameOf,
  numberAt,
  objectAt,
  type KubernetesObject,
} from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { ageOf, nodeCells, nodeColumns } from "./nodeObject";
import type { ResourceKind } from "./resources";

/** A column of `kubectl get`: its name, whether only `-o wide` shows it, and its cell. */
interface Column {
  readonly name: string;
  readonly isWide?: boolean;
  readonly cell: (object: KubernetesObject) => string;
}

const count = (name: string, ...path: string[]): Column => ({
  name,
  cell: (object) => `${numberAt(object, ...path) ?? 0}`,
});

const columnsOf: Readonly<Record<string, readonly Column[]>> = {
  namespaces: [{ name: "Status", cell: (object) => textAt(object, "status", "phase") ?? "" }],
  pods: [
    { name: "Ready", cell: readyContainers },
    { name: "Status", cell: podState },
    {
      name: "Restarts",
      cell: (pod) =>
        `${numberAt(listAt(pod, "status", "containerStatuses")[0], "restartCount") ?? 0}`,
    },
  ],
  daemonsets: [
    count("Desired", "status", "desiredNumberScheduled"),
    count("Current", "status", "currentNumberScheduled"),
    count("Ready", "status", "numberReady"),
    count("Up-to-date", "status", "updatedNumberScheduled"),
    count("Available", "status", "numberAvailable"),
  ],
  deployments: [
    {
      name: "Ready",
      cell: (object) =>
        `${numberAt(object, "status", "readyReplicas") ?? 0}/${numberAt(object, "spec", "replicas") ?? 0}`,
    },
    count("Up-to-date", "status", "updatedReplicas"),
    count("Available", "status", "availableReplicas"),
  ],
  replicasets: [
    count("Desired", "spec", "replicas"),
    count("Current", "status", "replicas"),
    count("Ready", "status", "readyReplicas"),
  ],
  poddisruptionbudgets: [
    { name: "Min Available", cell: (object) => limit(object, "minAvailable") },
    { name: "Max Unavailable", cell: (object) => limit(object, "maxUnavailable") },
    count("Allowed Disruptions", "status", "disruptionsAllowed"),
  ],
  configmaps: [
    { name: "Data", cell: (object) => `${Object.keys(objectAt(object, "data")).length}` },
  ],
  secrets: [
    { name: "Type", cell: (object) => textAt(object, "type") ?? "" },
    { name: "Data", cell: (object) => `${Object.keys(objectAt(object, "data")).length}` },
  ],
};

const wideColumnsOf: Readonly<Record<string, readonly Column[]>> = {
  pods: [
    { name: "IP", isWide: true, cell: (pod) => textAt(pod, "status", "podIP") ?? "<none>" },
    { name: "Node", isWide: true, cell: (pod) => textAt(pod, "spec", "nodeName") ?? "<none>" },
  ],
};

/** Columns of the table of a kind; those of priority 1 are only shown with `-o wide`. */
export function columnsFor(kind: ResourceKind): readonly (readonly [string, number])[] {
  if (kind.plural === "nodes") {
    return nodeColumns;
  }
  const named = [...(columnsOf[kind.plural] ?? [])].map(({ name }) => [name, 0] as const);
  const wide = [...(wideColumnsOf[kind.plural] ?? [])].map(({ name }) => [name, 1] as const);
  return [["Name", 0], ...named, ["Age", 0], ...wide];
}

/** Cells in the order of the columns. */
export function cellsFor(
  kind: ResourceKind,
  object: KubernetesObject,
  store: KubernetesStore,
  now: Date,
): string[] {
  if (kind.plural === "nodes") {
    const node = store.node(nameOf(object));
    return node ? nodeCells(node, now) : [nameOf(object)];
  }
  const createdAt = new Date(textAt(object, "metadata", "creationTimestamp") ?? now);
  return [
    nameOf(object),
    ...(columnsOf[kind.plural] ?? []).map(({ cell }) => cell(object)),
    ageOf(createdAt, now),
    ...(wideColumnsOf[kind.plural] ?? []).map(({ cell }) => cell(object)),
  ];
}

function readyContainers(pod: KubernetesObject): string {
  const statuses = listAt(pod, "status", "containerStatuses");
  const ready = statuses.filter((status) => valueAt(status, "ready") === true).length;
  return `${ready}/${listAt(pod, "spec", "containers").length}`;
}

function podState(pod: KubernetesObject): string {
  if (isTerminating(pod)) {
    return "Terminating";
  }
  const [status] = listAt(pod, "status", "containerStatuses");
  return (
    textAt(status, "state", "waiting", "reason") ??
    textAt(status, "state", "terminated", "reason") ??
    textAt(pod, "status", "phase") ??
    ""
  );
}

function limit(budget: KubernetesObject, key: string): string {
  const value = valueAt(budget, "spec", key);
  return typeof value === "number" || typeof value === "string" ? `${value}` : "N/A";
}
