import type { HandlerName } from "./dynamicStub";
import type { CheckFailure } from "./handler";

type Properties = Readonly<Record<string, unknown>>;

/**
 * The inputs of each kind that hold addresses of machines, alone or in lists. A machine may have no
 * address for a while: EC2 takes the public one of a stopped machine.
 */
export const MACHINE_ADDRESSES: Readonly<Record<HandlerName, readonly string[]>> = {
  MachineSecrets: [],
  ClientConfiguration: ["endpoints", "nodes"],
  // Its endpoint is a URL, by the cluster's name.
  MachineConfiguration: [],
  ConfigurationApply: ["node", "endpoint", "privateAddress"],
  MachineBootstrap: ["node", "endpoint", "peers"],
  ClusterKubeconfig: ["node", "endpoint"],
  ClusterHealth: ["controlPlaneNodes", "workerNodes", "endpoint", "workerEndpoint"],
  UserKubeconfig: [],
  MachineTurn: ["node", "endpoint"],
  EtcdMember: ["node", "endpoint", "privateAddress", "peers"],
  ImmutableArguments: [],
  KubernetesUpgrade: ["node", "endpoint"],
  KubernetesManifests: ["nodes", "endpoint"],
  KubernetesObjects: ["nodes", "endpoint"],
  RotatedAuthority: [],
  RotatedSecret: [],
  RotationGate: ["node", "endpoint"],
  FirstContact: ["node", "endpoint"],
};

/**
 * Inputs in which no machine without an address has taken the place of one: its recorded address
 * stays. In a list without a recorded address at that place, the machine is left out.
 *
 * @param recorded the inputs of the last update; undefined for a new resource
 */
export function keepAddresses(
  kind: HandlerName,
  recorded: Properties | undefined,
  given: Properties,
): Properties {
  const former = isOtherMachine(recorded, given) ? undefined : recorded;
  const kept = MACHINE_ADDRESSES[kind]
    .filter((name) => Object.hasOwn(given, name))
    .map((name) => [name, keep(given[name], former?.[name])] as const);
  return { ...given, ...Object.fromEntries(kept) };
}

/**
 * Problems of a new resource whose machine has no address.
 *
 * @param unneeded names of inputs that its create doesn't use
 */
export function missingAddresses(
  kind: HandlerName,
  given: Properties,
  unneeded: readonly string[],
): CheckFailure[] {
  const { machineId } = given;
  const id = typeof machineId === "string" && machineId.startsWith("i-") ? machineId : undefined;
  const reason = `the machine ${id ?? ""} has no address now. If it is stopped, start it with "aws ec2 start-instances --instance-ids ${id ?? "<instance id>"}", then run the command again with --refresh`;
  return MACHINE_ADDRESSES[kind]
    .filter((name) => given[name] === "" && !unneeded.includes(name))
    .map((property) => ({ property, reason: reason.replace("  ", " ") }));
}

function isOtherMachine(recorded: Properties | undefined, given: Properties): boolean {
  return recorded?.machineId !== undefined && recorded.machineId !== given.machineId;
}

function keep(given: unknown, recorded: unknown): unknown {
  if (Array.isArray(given)) {
    return keepInList(given, recorded);
  }
  return given === "" && typeof recorded === "string" ? recorded : given;
}

function keepInList(given: readonly unknown[], recorded: unknown): readonly unknown[] {
  const before: readonly unknown[] = Array.isArray(recorded) ? recorded : [];
  return given.flatMap((address, index) => {
    const former = before[index];
    if (address !== "") {
      return [address];
    }
    return typeof former === "string" && former !== "" && !given.includes(former) ? [former] : [];
  });
}
