import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import { readinessOf } from "../kubernetes/nodeObject";
import { staticPods, systemPods } from "../kubernetes/systemPods";
import { instanceSize } from "../machine/instanceSize";
import type { NodeState } from "../machine/nodeState";
import { partitionOf } from "../machine/partitionTable";

/** One check of a cluster: its condition, and the problems that remain. */
export interface ClusterCheck {
  readonly name: string;
  /** `undefined` when it holds. */
  readonly problem: (view: ClusterView) => string | undefined;
}

const MEBIBYTE = 1024 * 1024;
/**
 * The minimum sizes: Talos v1.12.1, `minimal.Memory`, and `minimal.DiskSize` without the other
 * partitions.
 */
const leastMebibytes = { controlplane: 1698, worker: 874 };
const LEAST_EPHEMERAL_MEBIBYTES = 3932;

/** The checks of `talosctl health` in their order (talos v1.12.1, `check.DefaultClusterChecks`). */
export const clusterChecks: readonly ClusterCheck[] = [
  { name: "etcd to be healthy", problem: (view) => serviceHealth(view, "etcd") },
  { name: "etcd members to be consistent across nodes", problem: membersConsistent },
  { name: "etcd members to be control plane nodes", problem: membersAreControlPlanes },
  {
    name: "apid to be ready",
    problem: (view) => firstOf(view.nodes, (node) => silent(view, node)),
  },
  { name: "all nodes memory sizes", problem: memorySizes },
  {
    name: "all nodes disk sizes",
    problem: () =>
      partitionOf("EPHEMERAL").sizeBytes < LEAST_EPHEMERAL_MEBIBYTES * MEBIBYTE
        ? "ephemeral partition is too small"
        : undefined,
  },
  { name: "no diagnostics", problem: () => undefined },
  { name: "kubelet to be healthy", problem: (view) => serviceHealth(view, "kubelet") },
  { name: "all nodes to finish boot sequence", problem: booted },
  { name: "all k8s nodes to report", problem: reported },
  { name: "all control plane static pods to be running", problem: staticPodsRun },
  { name: "all control plane components to be ready", problem: componentsReady },
  { name: "all k8s nodes to report ready", problem: nodesReady },
  { name: "kube-proxy to report ready", problem: (view) => podsReady(view, "kube-proxy") },
  { name: "coredns to report ready", problem: (view) => podsReady(view, "coredns") },
  { name: "all k8s nodes to report schedulable", problem: schedulable },
];

function controlPlanes({ nodes }: ClusterView): CheckedNode[] {
  return nodes.filter(({ machineType }) => machineType === "controlplane");
}

function firstOf(
  nodes: readonly CheckedNode[],
  problem: (node: CheckedNode) => string | undefined,
): string | undefined {
  return nodes.map(problem).find((text) => text !== undefined);
}

function silent(view: ClusterView, { address }: CheckedNode): string | undefined {
  if (view.nodeAt(address)) {
    return undefined;
  }
  return errors([
    `${address}: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp ${address}:50000: connect: connection refused"`,
  ]);
}

function serviceHealth(view: ClusterView, id: string): string | undefined {
  const nodes = controlPlanes(view);
  const unreachable = firstOf(nodes, (node) => silent(view, node));
  if (unreachable !== undefined) {
    return unreachable;
  }
  const problems = nodes.flatMap(({ address }) => {
    const service = view.nodeAt(address)?.services.find(id);
    const last = service?.events.at(-1);
    if (!service || !last) {
      return [];
    }
    if (last.state !== "Running") {
      return [
        `${address}: service "${id}" not in expected state "Running": current state [${last.state}] ${last.message}`,
      ];
    }
    return service.health.healthy ? [] : [`${address}: service is not healthy: ${id}`];
  });
  return problems.length > 0 ? errors(problems) : undefined;
}

function membersConsistent(view: ClusterView): string | undefined {
  const clusters = controlPlanes(view).map(
    ({ address }) => view.nodeAt(address)?.etcd?.membership?.cluster,
  );
  const [first] = clusters;
  if (!first?.hasQuorum) {
    return "rpc error: code = DeadlineExceeded desc = context deadline exceeded";
  }
  const other = clusters.findIndex((cluster) => cluster !== first);
  if (other < 0) {
    return undefined;
  }
  const names = (cluster: typeof first | undefined) =>
    `[${(cluster?.members ?? []).map(({ name }) => name).join(" ")}]`;
  return `${controlPlanes(view)[other]?.address ?? ""}: expected to have ${names(first)} members, got ${names(clusters[other])}`;
}

function membersAreControlPlanes(view: ClusterView): string | undefined {
  const members = view.local.etcd?.membership?.cluster.members;
  if (!members) {
    return "rpc error: code = Unimplemented desc = member list is only available on control plane nodes";
  }
  const memberAddresses = members.map(({ peerUrl }) => new URL(peerUrl).hostname);
  const addresses = controlPlanes(view).map(({ address }) => address);
  if (memberAddresses.every((address) => addresses.includes(address))) {
    return undefined;
  }
  return `etcd member ips ${quoted(memberAddresses)} are not subset of control plane node ips ${quoted(addresses)}`;
}

function memorySizes(view: ClusterView): string | undefined {
  const problems = view.nodes.flatMap(({ address, machineType }) => {
    const hardware = view.nodeAt(address)?.hardware;
    if (!hardware) {
      return [];
    }
    const least = leastMebibytes[machineType];
    const actual = Math.floor(instanceSize(hardware.instanceType).memoryBytes / MEBIBYTE);
    return actual < least
      ? [
          `node "${address}" does not meet memory requirements: expected at least ${least} MiB, actual ${actual} MiB`,
        ]
      : [];
  });
  return problems.length > 0 ? errors(problems) : undefined;
}

function booted(view: ClusterView): string | undefined {
  const unreachable = firstOf(view.nodes, (node) => silent(view, node));
  if (unreachable !== undefined) {
    return unreachable;
  }
  const byStage = new Map<string, string[]>();
  for (const { address } of view.nodes) {
    const stage = view.nodeAt(address)?.status.stage;
    if (stage === undefined || stage === "running") {
      continue;
    }
    byStage.set(stage, [...(byStage.get(stage) ?? []), address]);
  }
  if (byStage.size === 0) {
    return undefined;
  }
  const stages = [...byStage].map(
    ([stage, addresses]) => `${stage}: [${addresses.sort().join(" ")}]`,
  );
  return `nodes are not running: ${stages.sort().join(", ")}`;
}

/** The problem of every Kubernetes check without an API server. */
function withNodes(
  view: ClusterView,
  problem: (store: NonNullable<ReturnType<ClusterView["kubernetes"]>>) => string | undefined,
): string | undefined {
  const store = view.kubernetes();
  if (store) {
    return problem(store);
  }
  const endpoint = view.local.config?.facts.endpoint ?? "";
  return `Get "${endpoint}/api/v1/nodes": dial tcp: connect: connection refused`;
}

function reported(view: ClusterView): string | undefined {
  return withNodes(view, ({ nodes }) => {
    const expected = view.nodes.map(({ address }) => address);
    const actual = nodes.map(({ internalAddress }) => internalAddress);
    const missing = expected.find((address) => !actual.includes(address));
    if (missing !== undefined) {
      return `can't find expected node with IPs ${quoted([missing])}`;
    }
    const unexpected = actual.filter((address) => !expected.includes(address)).sort();
    return unexpected.length > 0 ? `unexpected nodes with IPs ${quoted(unexpected)}` : undefined;
  });
}

function staticPodsRun(view: ClusterView): string | undefined {
  return firstOf(controlPlanes(view), (node) => {
    const state = view.nodeAt(node.address);
    if (!state) {
      return silent(view, node);
    }
    const missing = missingStaticPods(state);
    return missing.length > 0
      ? `missing static pods on node ${node.address}: [${missing.join(" ")}]`
      : undefined;
  });
}

function missingStaticPods({ staticPodStatuses }: NodeState): string[] {
  const running = Object.keys(staticPodStatuses);
  return ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]
    .filter((app) => !running.includes(app))
    .map((app) => `kube-system/${app}`);
}

function componentsReady(view: ClusterView): string | undefined {
  return withNodes(view, ({ nodes }) => {
    const now = new Date();
    const pods = nodes.flatMap((node) => staticPods(node, now));
    for (const app of ["kube-apiserver", "kube-scheduler", "kube-controller-manager"]) {
      const late = pods.filter((pod) => pod.app === app && !pod.isReady).map(({ name }) => name);
      if (late.length > 0) {
        return `some pods are not ready for ${app}: [${late.join(" ")}]`;
      }
    }
    return undefined;
  });
}

function nodesReady(view: ClusterView): string | undefined {
  return withNodes(view, ({ nodes }) => {
    const late = nodes
      .filter((node) => readinessOf(node, new Date()).status !== "True")
      .map(({ name }) => name);
    return late.length > 0 ? `some nodes are not ready: [${late.join(" ")}]` : undefined;
  });
}

/** Also passes for a component that isn't installed. */
function podsReady(view: ClusterView, app: string): string | undefined {
  return withNodes(view, (store) => {
    const late = systemPods(store, new Date())
      .filter((pod) => pod.app === app && !pod.isReady)
      .map(({ name }) => name);
    return late.length > 0 ? `some pods are not ready: [${late.join(" ")}]` : undefined;
  });
}

function schedulable(view: ClusterView): string | undefined {
  return withNodes(view, ({ nodes }) => {
    const cordoned = nodes.find(({ isCordoned }) => isCordoned);
    return cordoned ? `some nodes are not schedulable: [${cordoned.name}]` : undefined;
  });
}

/** A list of errors as Go's multierror prints it. */
function errors(problems: readonly string[]): string {
  const count = problems.length === 1 ? "1 error" : `${problems.length} errors`;
  return `${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join("")}\n`;
}

/** A list of texts as Go prints it with `%q`. */
function quoted(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}

/** A node in a cluster check. */
export interface CheckedNode {
  /** Inside the cluster's network. */
  readonly address: string;
  readonly machineType: "controlplane" | "worker";
}

/** The checking node's view of its cluster. */
export interface ClusterView {
  readonly nodes: readonly CheckedNode[];
  /** The node that checks. */
  readonly local: NodeState;
  /** The node at an address, if it answers. */
  nodeAt(address: string): NodeState | undefined;
  /** The objects of the Kubernetes API, while one of its servers answers. */
  kubernetes(): KubernetesStore | undefined;
}
