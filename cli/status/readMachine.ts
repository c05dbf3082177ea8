import {
  type CallOptions,
  type ServiceStatus,
  type TalosClient,
  talosResources,
} from "../../provider/api";
import { messageOfError } from "../../provider/base";
import {
  addressesOf,
  type ClusterAccess,
  connectToMachine,
  type KnownMachine,
} from "./clusterAccess";
import type { EtcdStatus, MachineStatus } from "./clusterStatus";

/** A machine's own report, and its name in Kubernetes. */
export type MachineAnswer = Omit<MachineStatus, "node"> & { readonly nodeName: string | undefined };

/**
 * Asks a machine for its state. An unanswered question is a problem in the report; it never throws.
 */
export async function readMachine(
  machine: KnownMachine,
  access: ClusterAccess,
  call: CallOptions,
): Promise<MachineAnswer> {
  const [address = ""] = addressesOf(machine);
  const client = connectToMachine(machine, access);
  const base = {
    name: machine.name,
    role: machine.role,
    zone: machine.zone || undefined,
    instanceId: machine.instanceId || undefined,
    address,
  };
  try {
    const answers = await askMachine(client, machine.role, call);
    return { ...base, ...answers };
  } catch (error) {
    return {
      ...base,
      stage: undefined,
      talosVersion: undefined,
      etcd: undefined,
      kubelet: undefined,
      nodeName: undefined,
      problems: [`it doesn't answer: ${messageOfError(error)}`],
    };
  } finally {
    client.close();
  }
}

async function askMachine(client: TalosClient, role: KnownMachine["role"], call: CallOptions) {
  const [{ spec: status }, { tag }, services, nodeName] = await Promise.all([
    client.getTyped(talosResources.machineStatus, call),
    client.version(call),
    client.services(call),
    client
      .getTyped(talosResources.nodename, call)
      .then(({ spec }) => spec.nodename)
      .catch(() => undefined),
  ]);
  const problems: string[] = [];
  if (status.stage !== "running") {
    problems.push(`its stage is ${status.stage}`);
  } else if (!status.ready) {
    problems.push(
      ...status.unmetConditions.map(({ name, reason }) => `not ready: ${name}: ${reason}`),
    );
  }
  const kubelet = services.find(({ id }) => id === "kubelet");
  problems.push(...serviceProblems("kubelet", kubelet));
  const etcd = services.find(({ id }) => id === "etcd");
  if (role === "controlplane") {
    problems.push(...serviceProblems("etcd", etcd));
  }
  const member = isRunning(etcd) ? await readEtcd(client, call) : { problems: [] };
  return {
    stage: status.stage,
    talosVersion: tag,
    etcd: member.etcd,
    kubelet: isRunning(kubelet) ? ("healthy" as const) : ("unhealthy" as const),
    nodeName,
    problems: [...problems, ...member.problems],
  };
}

/** Without a leader, etcd does not answer before the deadline. */
async function readEtcd(
  client: TalosClient,
  call: CallOptions,
): Promise<{ readonly etcd?: EtcdStatus; readonly problems: readonly string[] }> {
  try {
    const [status, all] = await Promise.all([client.etcdStatus(call), client.etcdAlarms(call)]);
    const alarms = all
      .filter(({ memberId, alarm }) => memberId === status.memberId && alarm !== "NONE")
      .map(({ alarm }) => alarm);
    const isLeader = status.leaderId === status.memberId;
    const role = status.isLearner ? "learner" : isLeader ? "leader" : "member";
    return {
      etcd: { role, alarms },
      problems: [
        ...(status.leaderId === "0" ? ["etcd has no leader"] : []),
        ...alarms.map((alarm) => `etcd raises the alarm ${alarm}`),
        ...status.errors.map((error) => `etcd complains: ${error}`),
      ],
    };
  } catch (error) {
    return { problems: [`etcd doesn't answer: ${messageOfError(error)}`] };
  }
}

function isRunning(service: ServiceStatus | undefined): boolean {
  return service?.state === "Running" && (service.healthy || service.healthUnknown);
}

function serviceProblems(id: string, service: ServiceStatus | undefined): readonly string[] {
  if (isRunning(service)) {
    return [];
  }
  const state = service === undefined ? "absent" : service.state;
  const reason = service?.lastMessage ?? "";
  const seen = state === "Running" ? "not healthy" : `${state.toLowerCase()}, not running`;
  return [`${id} is ${seen}${reason === "" ? "" : `: ${reason}`}`];
}
