import { instanceIdOf, type KubernetesNode } from "../../provider/kubernetes";
import { CORDONED_ANNOTATION } from "../../provider/lifecycle";
import type { ClusterOutputs } from "../engine/clusterOutputs";
import type { WrittenResource } from "../repair/pendingOperations";
import type { ClusterAccess, KnownMachine } from "../status/clusterAccess";
import { askKubernetes, type KubernetesAnswer } from "../status/readKubernetes";
import { readMachine } from "../status/readMachine";
import type { AwsAccount } from "./awsAccount";
import { type InstanceFacts, readInstances } from "./readInstances";
import { readScalingGroups, type ScalingGroup } from "./scalingGroups";
import {
  type ClusterFacts,
  KEEP_MARK,
  type NodeFacts,
  type ReplacementMeans,
  type WorkerFacts,
} from "./workerFacts";

export interface FactSources {
  readonly access: ClusterAccess;
  /** Names of its auto scaling groups, and the pool of each. */
  readonly pools: ReadonlyMap<string, string>;
  readonly aws: AwsAccount;
  /** Of the stack's exported state. */
  readonly resources: readonly WrittenResource[];
}

const INSTANCE = "aws:ec2/instance:Instance";

/** The time limit of one question. */
const TIMEOUT_MS = 5_000;

const UNASKED: Pick<KubernetesAnswer, "nodes" | "problems"> = {
  nodes: [],
  problems: ["the stack has no output kubeconfig, so Kubernetes can't be asked"],
};

/** The groups in the output `autoScalingGroupNames`, by name, each with its pool. */
export function poolsOf({ autoScalingGroupNames }: ClusterOutputs): ReadonlyMap<string, string> {
  const pools = Object.entries((autoScalingGroupNames ?? {}) as Record<string, unknown>);
  return new Map(
    pools.flatMap(([pool, names]) =>
      Object.values((names ?? {}) as Record<string, unknown>).map((name) => [String(name), pool]),
    ),
  );
}

/**
 * Asks Kubernetes, the control plane, EC2 and the groups.
 *
 * @throws CommandFailure if AWS refuses a question
 */
export async function readClusterFacts(
  { access, pools, aws, resources }: FactSources,
  signal: AbortSignal,
): Promise<ClusterFacts> {
  const controlPlane = access.machines.filter(({ role }) => role === "controlplane");
  const fixed = access.machines.filter(({ role }) => role === "worker");
  const [answer = UNASKED, silent, groups] = await Promise.all([
    askKubernetes(access, TIMEOUT_MS),
    problemsOfControlPlane(controlPlane, access, signal),
    readScalingGroups(aws, [...pools.keys()]),
  ]);
  const inGroups = groups.flatMap(({ machines }) => machines.map(({ instanceId }) => instanceId));
  const ids = [...fixed.map(({ instanceId }) => instanceId), ...inGroups];
  const instances = new Map(
    (await readInstances(aws, ids)).map((instance) => [instance.instanceId, instance] as const),
  );
  const node = (instance: InstanceFacts) => nodeOf(instance, answer.nodes);
  return {
    workers: [
      ...fixed.map((machine) => fixedWorker(machine, instances, resources, node)),
      ...groups.flatMap((group) => groupWorkers(group, pools, instances, node)),
    ],
    obstacles: [...answer.problems, ...notReady(answer.nodes), ...silent],
    isKnown: answer.problems.length === 0,
  };
}

type NodeOf = (instance: InstanceFacts) => NodeFacts | undefined;

function fixedWorker(
  { name, zone, instanceId, privateAddress }: KnownMachine,
  instances: ReadonlyMap<string, InstanceFacts>,
  resources: readonly WrittenResource[],
  node: NodeOf,
): WorkerFacts {
  const recorded = resources.find(({ type, id }) => type === INSTANCE && id === instanceId);
  const instance = instances.get(instanceId) ?? gone(instanceId, zone, privateAddress);
  return {
    ...instance,
    name,
    pool: poolOfMachine(name),
    node: node(instance),
    means: {
      kind: "fixed",
      urn: recorded?.delete === true ? undefined : recorded?.urn,
      dataVolumes: dataVolumesOf(recorded),
      isProtected: recorded?.protect === true || recorded?.inputs?.disableApiTermination === true,
    },
  };
}

function groupWorkers(
  { machines, ...group }: ScalingGroup,
  pools: ReadonlyMap<string, string>,
  instances: ReadonlyMap<string, InstanceFacts>,
  node: NodeOf,
): readonly WorkerFacts[] {
  return machines.map(({ instanceId, zone, lifecycleState, isHealthyToGroup }) => {
    const instance = instances.get(instanceId) ?? gone(instanceId, zone, "");
    const means: ReplacementMeans = { kind: "group", group, lifecycleState, isHealthyToGroup };
    const pool = pools.get(group.name) ?? group.name;
    return { ...instance, name: instanceId, pool, node: node(instance), means };
  });
}

/** The name of a fixed machine is its pool's, with its key (`WorkerPool`). */
function poolOfMachine(name: string): string {
  return name.replace(/-\d+$/, "");
}

function gone(instanceId: string, zone: string, privateAddress: string): InstanceFacts {
  return {
    instanceId,
    zone,
    privateAddress,
    state: "terminated",
    launchedAt: undefined,
    impairments: [],
    scheduledEnd: undefined,
  };
}

function dataVolumesOf(recorded: WrittenResource | undefined): readonly string[] {
  const volumes: unknown = recorded?.inputs?.ebsBlockDevices;
  return Array.isArray(volumes)
    ? volumes.map(({ deviceName }: { readonly deviceName?: unknown }) => String(deviceName))
    : [];
}

/** By the id that a cloud controller has recorded. Otherwise by the address, which EC2 gives again. */
function nodeOf(
  { instanceId, privateAddress }: InstanceFacts,
  nodes: readonly KubernetesNode[],
): NodeFacts | undefined {
  const found =
    nodes.find((each) => instanceIdOf(each) === instanceId) ??
    nodes.find(
      (each) => instanceIdOf(each) === undefined && each.addresses.includes(privateAddress),
    );
  if (found?.ready === undefined) {
    return undefined;
  }
  const { name, ready, labels, annotations } = found;
  const { status, since } = ready;
  return {
    name,
    ready: status === "True" || status === "False" ? status : "Unknown",
    since,
    isKept: (annotations[KEEP_MARK] ?? labels[KEEP_MARK] ?? "false") !== "false",
    cordonedFor: annotations[CORDONED_ANNOTATION],
  };
}

async function problemsOfControlPlane(
  machines: readonly KnownMachine[],
  access: ClusterAccess,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answers = await Promise.all(
    machines.map((machine) => readMachine(machine, access, { timeoutMs: TIMEOUT_MS, signal })),
  );
  return answers.flatMap(({ name, problems }) =>
    problems.map((problem) => `the control plane isn't healthy: ${name}: ${problem}`),
  );
}

function notReady(nodes: readonly KubernetesNode[]): readonly string[] {
  return nodes.flatMap(({ name, isControlPlane, isReady }) =>
    isControlPlane && !isReady
      ? [`the control plane isn't healthy: its node ${name} is not ready`]
      : [],
  );
}
