import type { ServiceStatus, TalosClient } from "../../api/talosClient";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import type { KubernetesApi } from "../../kubernetes/kubernetesApi";
import { lookAtEtcdMembers } from "../etcd/lookAtEtcdMembers";
import { describeUnknownMember, findUnknownMembers } from "../etcd/unknownMembers";
import { askKubernetes, isKubernetesRefusal, seenOfKubernetes } from "../kubernetes/askKubernetes";
import { KubernetesAccess } from "../kubernetes/kubernetesAccess";
import { listNodes } from "../kubernetes/kubernetesNode";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";
import { judgeStaticPods } from "./judgeStaticPods";
import { lookAtMachine } from "./lookAtMachine";
import { readMachineFacts } from "./machineFacts";

/**
 * A part of a cluster that must be healthy:
 * - `etcd`: it runs and is healthy on every control plane machine, and all members vote;
 * - `apiServer`: every control plane machine's API server and other static pods are ready;
 * - `nodesReady`: every machine reports healthy, its kubelet first, and its Kubernetes node is
 *   Ready, which needs a pod network.
 */
export type HealthGate = "etcd" | "apiServer" | "nodesReady";

/** In the order in which a cluster comes up. */
export const HEALTH_GATES: readonly HealthGate[] = ["etcd", "apiServer", "nodesReady"];

/** The machines of a cluster that are expected to be there. */
export interface ClusterMachines {
  readonly controlPlanes: readonly Machine[];
  /** Control plane machines that this run may still remove. Default: none. */
  readonly leaving?: readonly Machine[];
  readonly workers: readonly Machine[];
  /** The minimum number of further Ready nodes without known names. Default: 0. */
  readonly minimumOthers?: number;
}

/**
 * Waits at one gate after another.
 *
 * @param kubernetes needed for `apiServer` and `nodesReady`
 * @param deadline in milliseconds since 1970, for all gates together
 * @throws TalosApiError if a machine refuses
 * @throws WaitTimeoutError at the deadline, with the gate and what is unhealthy
 */
export async function awaitHealth(
  machines: ClusterMachines,
  gates: readonly HealthGate[],
  kubernetes: KubernetesApi | undefined,
  deadline: number,
  { report, warn }: Progress,
): Promise<void> {
  const wait = (what: string, look: (signal: AbortSignal) => Promise<string[]>) =>
    waitFor<undefined>({
      what,
      deadlineMs: Math.max(0, deadline - clock.now()),
      report,
      probe: async ({ signal }): Promise<ProbeResult<undefined>> => {
        const problems = await look(signal);
        return problems.length === 0
          ? { done: true, value: undefined }
          : { done: false, status: problems.join("; ") };
      },
    });
  for (const gate of HEALTH_GATES.filter((each) => gates.includes(each))) {
    if (gate === "etcd") {
      await wait("etcd to be healthy on every control plane machine", (signal) =>
        lookAtEtcd(machines.controlPlanes, signal),
      );
      await warnOfUnknownMembers(machines, deadline, warn);
    } else if (kubernetes === undefined) {
      throw new Error(`the gate "${gate}" needs a kubeconfig`);
    } else if (gate === "apiServer") {
      await wait("the API server of every control plane machine to be ready", (signal) =>
        lookAtApiServers(machines.controlPlanes, kubernetes, signal),
      );
    } else {
      await wait("Kubernetes to find every node ready", (signal) =>
        lookAtNodes(machines, kubernetes, signal),
      );
    }
  }
}

async function lookAtEtcd(machines: readonly Machine[], signal: AbortSignal): Promise<string[]> {
  const problems = await ofEach(machines, async (client) => {
    const etcd = (await client.services({ signal })).find(({ id }) => id === "etcd");
    if (etcd?.state !== "Running" || !etcd.healthy) {
      return [`etcd is ${describeEtcd(etcd)}`];
    }
    const members = await client.etcdMembers({ signal });
    const learners = members.filter(({ isLearner }) => isLearner).map(({ hostname }) => hostname);
    return [
      // More members are accepted: their machines may be deleted later in the same run.
      ...(members.length >= machines.length
        ? []
        : [`etcd has ${members.length} members, not ${machines.length}`]),
      ...learners.map((hostname) => `${hostname} doesn't vote in etcd yet`),
    ];
  });
  return [...new Set(problems)];
}

/**
 * Warns about a member without a known machine. Its machine may be removed later in the same run, be
 * lost, or have joined again. It counts for the majority, and waiting for it could last forever.
 */
async function warnOfUnknownMembers(
  { controlPlanes: machines, leaving = [] }: ClusterMachines,
  deadline: number,
  warn: Progress["warn"],
): Promise<void> {
  const [first] = machines;
  if (first === undefined) {
    return;
  }
  const signal = AbortSignal.timeout(Math.max(1, deadline - clock.now()));
  const looked = withMachine(first, async (client) => {
    const { length } = await client.etcdMembers({ signal });
    if (length <= machines.length) {
      return [];
    }
    const problems = await lookAtEtcdMembers(client, signal);
    return problems.map(
      (problem) =>
        `etcd has ${length} members for ${machines.length} machines, and ${problem}: unless this run removes ` +
        `it, or it recovers, remove it with "talosctl -n ${first.node} etcd remove-member", it counts for the majority`,
    );
  });
  const lines = (await unlessSilent(looked)) ?? [];
  const unknown =
    lines.length > 0 ? [] : ((await findUnknownMembers([...machines, ...leaving], signal)) ?? []);
  [...lines, ...unknown.map((each) => describeUnknownMember(each, first.node))].forEach(warn);
}

/** The state of a machine's etcd, with the message of its health check if there is one. */
function describeEtcd(etcd: ServiceStatus | undefined): string {
  if (etcd?.state !== "Running") {
    return etcd?.state ?? "absent";
  }
  return etcd.lastMessage === "" ? "Running, not healthy" : `not healthy: ${etcd.lastMessage}`;
}

async function lookAtApiServers(
  machines: readonly Machine[],
  kubernetes: KubernetesApi,
  signal: AbortSignal,
): Promise<string[]> {
  // Machines behind one endpoint share an API server's address.
  const byEndpoint = new Map(machines.map((machine) => [machine.endpoint, machine]));
  const problems = [...byEndpoint.values()].map((machine) =>
    ask(machine.endpoint, async () => {
      await askKubernetes(kubernetes, machine, "/readyz", signal);
      return [];
    }),
  );
  const [answers, pods] = await Promise.all([
    Promise.all(problems),
    ofEach(machines, async (client) => {
      const verdict = judgeStaticPods(await readMachineFacts(client, { signal }));
      return [...verdict.unrendered, ...verdict.problems];
    }),
  ]);
  return [...answers.flat(), ...pods];
}

async function lookAtNodes(
  { controlPlanes, workers, minimumOthers = 0 }: ClusterMachines,
  kubernetes: KubernetesApi,
  signal: AbortSignal,
): Promise<string[]> {
  const [first] = controlPlanes;
  if (first === undefined) {
    return ["there is no control plane machine to ask"];
  }
  let ready = new Map<string, boolean>();
  const problems = await ask(first.node, async () => {
    const nodes = await listNodes(new KubernetesAccess(kubernetes, first), signal);
    ready = new Map(nodes.map(({ name, isReady }) => [name, isReady]));
    return [];
  });
  if (problems.length > 0) {
    return problems;
  }
  const named = new Set<string>();
  const ofNamed = await ofEach([...controlPlanes, ...workers], async (client) => {
    const { facts, verdict } = await lookAtMachine(client, { signal });
    const { problems: own, unmet } = verdict;
    const { nodename = "" } = facts;
    named.add(nodename);
    // Kubernetes reports a node ready for 40 s after its kubelet has stopped, so the machine's own
    // answer comes first.
    if (own.length + unmet.length > 0) {
      return [...own, ...unmet];
    }
    const isReady = ready.get(nodename);
    if (isReady === undefined) {
      return [`Kubernetes doesn't know the node ${nodename} yet`];
    }
    return isReady ? [] : [`the node ${nodename} is not ready`];
  });
  const others = [...ready].filter(([name, isReady]) => isReady && !named.has(name)).length;
  return others >= minimumOthers
    ? ofNamed
    : [...ofNamed, `${others} other nodes are ready, not ${minimumOthers}`];
}

/** Asks all machines at once. Each problem begins with its machine's address. */
async function ofEach(
  machines: readonly Machine[],
  look: (client: TalosClient) => Promise<readonly string[]>,
): Promise<string[]> {
  const problems = machines.map(async (machine) => {
    const found = await withMachine(machine, look);
    return found.map((problem) => `${machine.node}: ${problem}`);
  });
  return (await Promise.all(problems)).flat();
}

async function ask(node: string, look: () => Promise<string[]>): Promise<string[]> {
  try {
    return await look();
  } catch (error) {
    if (isKubernetesRefusal(error)) {
      throw error;
    }
    return [`${node}: ${seenOfKubernetes(error)}`];
  }
}
