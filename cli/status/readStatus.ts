import { parse } from "yaml";
import type { CallOptions } from "../../provider/api/callOptions";
import { TalosClient } from "../../provider/api/talosClient";
import { type MemberSpec, talosResources } from "../../provider/api/talosResources";
import { certificateExpiry } from "../../provider/pki/certificateExpiry";
import type { ClusterAccess, KnownMachine } from "./clusterAccess";
import type { CertificateStatus, ClusterStatus, MachineStatus } from "./clusterStatus";
import { describeStoppedRoll } from "./describeStoppedRoll";
import { type KubernetesAnswer, readKubernetes } from "./readKubernetes";
import { readMachine } from "./readMachine";

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
  const [known, members, kubernetes] = await Promise.all([
    Promise.all(access.machines.map((machine) => readMachine(machine, access, call))),
    readMembers(access, call),
    askKubernetes(access),
  ]);
  const others = await Promise.all(
    unknownMembers(access.machines, members).map((machine) => readMachine(machine, access, call)),
  );
  const machines = [...known, ...others].map(({ nodeName, ...machine }): MachineStatus => {
    const node = kubernetes?.nodes.find(
      ({ name, internalAddresses }) =>
        name === nodeName ||
        (nodeName === undefined && internalAddresses.includes(machine.address)),
    );
    const missing =
      nodeName !== undefined && kubernetes?.problems.length === 0
        ? node === undefined
          ? [`Kubernetes doesn't have its node ${nodeName}`]
          : node.isReady
            ? []
            : [`its node ${node.name} is not ready`]
        : [];
    return {
      ...machine,
      zone: machine.zone ?? node?.zone,
      instanceId: machine.instanceId ?? node?.instanceId,
      node: node && {
        name: node.name,
        isReady: node.isReady,
        kubeletVersion: node.kubeletVersion,
        isCordoned: node.isCordoned,
        cordonedFor: node.cordonedFor,
      },
      problems: [...machine.problems, ...missing],
    };
  });
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
    notes: describeStoppedRoll(machines),
  };
}

function askKubernetes({
  kubeconfig,
  machines,
}: ClusterAccess): Promise<KubernetesAnswer | undefined> {
  const addresses = machines
    .filter(({ role }) => role === "controlplane")
    .map(({ publicAddress, privateAddress }) =>
      publicAddress === "" ? privateAddress : publicAddress,
    );
  return kubeconfig === undefined
    ? Promise.resolve(undefined)
    : readKubernetes(kubeconfig, addresses, TIMEOUT_MS);
}

/** The members that the first answering endpoint has discovered; empty if none answers. */
async function readMembers(
  { endpoints, credentials }: ClusterAccess,
  call: CallOptions,
): Promise<readonly MemberSpec[]> {
  const asked = endpoints.map(async (endpoint) => {
    const client = TalosClient.connect({ endpoint, credentials });
    try {
      return (await client.listTyped(talosResources.member, call)).map(({ spec }) => spec);
    } finally {
      client.close();
    }
  });
  return Promise.any(asked).catch(() => []);
}

/** Members that are not in the stack: the machines of auto scaling groups. */
function unknownMembers(
  machines: readonly KnownMachine[],
  members: readonly MemberSpec[],
): readonly KnownMachine[] {
  const known = machines.flatMap(({ publicAddress, privateAddress }) => [
    publicAddress,
    privateAddress,
  ]);
  return members
    .filter(({ addresses }) => !addresses.some((address) => known.includes(address)))
    .map(({ hostname, nodeType, addresses }) => ({
      name: hostname,
      role: nodeType === "worker" ? "worker" : "controlplane",
      zone: "",
      instanceId: "",
      publicAddress: "",
      privateAddress: addresses[0] ?? "",
    }));
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
