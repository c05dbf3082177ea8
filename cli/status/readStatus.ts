import { parse } from "yaml";
import { instanceIdOf, type KubernetesNode } from "../../provider/kubernetes";
import { CORDONED_ANNOTATION } from "../../provider/lifecycle";
import { certificateExpiry } from "../../provider/pki";
import { addressesOf, type ClusterAccess } from "./clusterAccess";
import type { CertificateStatus, ClusterStatus, MachineStatus } from "./clusterStatus";
import { describeStoppedRoll } from "./describeStoppedRoll";
import { describeUnfinishedList } from "./describeUnfinishedList";
import { describeRemembered, findOthers, isMember, problemsOfOther } from "./otherMembers";
import { askKubernetes } from "./readKubernetes";
import { type MachineAnswer, readMachine } from "./readMachine";
import { readDiscoveredMachines, readEtcdMembers } from "./readRegisters";

/** The time limit of one question. */
const TIMEOUT_MS = 5_000;

/**
 * Asks all machines of a cluster, and the Kubernetes API, for their state. Unanswered questions
 * become problems; it never throws.
 */
export async function readStatus(
  stack: string,
  access: ClusterAccess,
  { now = new Date(), signal }: { readonly now?: Date; readonly signal?: AbortSignal } = {},
): Promise<ClusterStatus> {
  const call = { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
  const [known, discovered, etcd, kubernetes] = await Promise.all([
    Promise.all(access.machines.map((machine) => readMachine(machine, access, call))),
    readDiscoveredMachines(access, call),
    readEtcdMembers(access, call),
    askKubernetes(access, TIMEOUT_MS),
  ]);
  const nodes = kubernetes?.problems.length === 0 ? kubernetes.nodes : undefined;
  const registers = { etcd, nodes };
  const others = await Promise.all(
    findOthers(listedAddresses(access, known, nodes), discovered, registers).map(async (other) => ({
      other,
      answer: await readMachine(other.machine, access, call),
    })),
  );
  const members = others.filter(({ other, answer }) => isMember(other, answer, registers));
  const remembered = others.filter((each) => !members.includes(each)).map(({ other }) => other);
  const answers = [
    ...known,
    ...members.map(({ other, answer }) => ({
      ...answer,
      problems: [...answer.problems, ...problemsOfOther(other, answer, registers, access)],
    })),
  ];
  const machines = answers.map((answer) => withNode(answer, nodes));
  const certificates = readCertificates(access, kubernetes?.serverNotAfter);
  const expired = certificates
    .filter(({ notAfter }) => Date.parse(notAfter) <= now.getTime())
    .map(({ name }) => `the certificate of the ${name} has expired`);
  return {
    stack,
    at: now.toISOString(),
    machines,
    certificates,
    problems: [...expired, ...(kubernetes?.problems ?? [])],
    notes: [
      ...describeStoppedRoll(machines),
      ...describeRemembered(remembered),
      ...(kubernetes?.unfinishedLists ?? []).map(describeUnfinishedList),
    ],
  };
}

function withNode(
  { nodeName, ...machine }: MachineAnswer,
  nodes: readonly KubernetesNode[] | undefined,
): MachineStatus {
  const node = nodes?.find(
    ({ name, addresses }) =>
      name === nodeName || (nodeName === undefined && addresses.includes(machine.address)),
  );
  const missing =
    nodeName === undefined || nodes === undefined
      ? []
      : node === undefined
        ? [`Kubernetes doesn't have its node ${nodeName}`]
        : node.isReady
          ? []
          : [`its node ${node.name} is not ready`];
  return {
    ...machine,
    zone: machine.zone ?? node?.zone,
    instanceId: machine.instanceId ?? (node && instanceIdOf(node)),
    node: node && {
      name: node.name,
      isReady: node.isReady,
      kubeletVersion: node.kubeletVersion,
      isCordoned: node.isCordoned,
      cordonedFor: node.annotations[CORDONED_ANNOTATION],
    },
    problems: [...machine.problems, ...missing],
  };
}

/** The addresses of the listed machines, also those that only their nodes show. */
function listedAddresses(
  { machines }: ClusterAccess,
  answers: readonly MachineAnswer[],
  nodes: readonly KubernetesNode[] = [],
): readonly string[] {
  const names = answers.map(({ nodeName }) => nodeName);
  const own = nodes.filter(({ name }) => names.includes(name));
  return [...machines.flatMap(addressesOf), ...own.flatMap(({ addresses }) => addresses)];
}

function readCertificates(
  { credentials, kubeconfig }: ClusterAccess,
  serverNotAfter: Date | undefined,
): readonly CertificateStatus[] {
  const dates: readonly (readonly [CertificateStatus["name"], Date | undefined])[] = [
    ["talosconfig", certificateExpiry(credentials.crt)],
    ["kubeconfig", kubeconfig === undefined ? undefined : kubeconfigExpiry(kubeconfig)],
    ["API server", serverNotAfter],
  ];
  return dates.flatMap(([name, date]) =>
    date === undefined ? [] : [{ name, notAfter: date.toISOString() }],
  );
}

function kubeconfigExpiry(kubeconfig: string): Date | undefined {
  const { users } = parse(kubeconfig) as {
    readonly users?: readonly { readonly user?: Readonly<Record<string, string>> }[];
  };
  const certificate = users?.[0]?.user?.["client-certificate-data"];
  return certificate === undefined ? undefined : certificateExpiry(certificate);
}
