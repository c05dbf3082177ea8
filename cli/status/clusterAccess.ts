import type { ClientCredentials } from "../../provider";
import { TalosClient } from "../../provider/api";
import { readOwnContext } from "../configFiles/talosconfigContexts";
import { type ClusterOutputs, textOutput } from "../engine/clusterOutputs";

export interface KnownMachine {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly zone: string;
  readonly instanceId: string;
  /** Addresses; one may be empty. */
  readonly publicAddress: string;
  readonly privateAddress: string;
}

export interface ClusterAccess {
  /** The machines that the stack lists. */
  readonly machines: readonly KnownMachine[];
  /**
   * Which machines of the cluster the stack doesn't list. `workers`: it has auto scaling groups, or
   * doesn't say that it has none. `any`: it lists no machine.
   */
  readonly unlisted: "none" | "workers" | "any";
  readonly endpoints: readonly string[];
  readonly credentials: ClientCredentials;
  /** Undefined if the stack has none. */
  readonly kubeconfig: string | undefined;
}

/**
 * Reads from a cluster's outputs how to reach the machines: `talosconfig`, and if they exist
 * `nodes`, `autoScalingGroupNames` and `kubeconfig`.
 *
 * @throws CommandFailure if the talosconfig is missing
 */
export function clusterAccess(stack: string, outputs: ClusterOutputs): ClusterAccess {
  const { endpoints, nodes, credentials } = readOwnContext(
    textOutput(stack, outputs, "talosconfig"),
  );
  const known = Array.isArray(outputs.nodes) ? outputs.nodes.flatMap(readMachine) : [];
  const { kubeconfig, autoScalingGroupNames: groups } = outputs;
  const hasNoGroup =
    typeof groups === "object" && groups !== null && Object.keys(groups).length === 0;
  return {
    unlisted: known.length === 0 ? "any" : hasNoGroup ? "none" : "workers",
    machines: known.length > 0 ? known : (nodes.length > 0 ? nodes : endpoints).map(unnamed),
    endpoints,
    credentials,
    kubeconfig: typeof kubeconfig === "string" && kubeconfig !== "" ? kubeconfig : undefined,
  };
}

function readMachine(value: unknown): readonly KnownMachine[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const text = (key: string) => {
    const field = fields[key];
    return typeof field === "string" ? field : "";
  };
  const role = text("role") === "worker" ? "worker" : "controlplane";
  const machine = {
    name: text("name"),
    role,
    zone: text("zone"),
    instanceId: text("instanceId"),
    publicAddress: text("publicAddress"),
    privateAddress: text("privateAddress"),
  } as const;
  return machine.publicAddress === "" && machine.privateAddress === "" ? [] : [machine];
}

function unnamed(address: string): KnownMachine {
  return {
    name: address,
    role: "controlplane",
    zone: "",
    instanceId: "",
    publicAddress: address,
    privateAddress: "",
  };
}

/**
 * Connects to a machine of a stack. A control plane machine whose address is an endpoint is dialled
 * directly, others through an endpoint: the firewall admits operators only to the control plane.
 */
export function connectToMachine(
  machine: KnownMachine,
  access: Pick<ClusterAccess, "endpoints" | "credentials">,
): TalosClient {
  return TalosClient.connect({ ...wayTo(machine, access), credentials: access.credentials });
}

/** The address of a machine for the Talos API, and the endpoints to dial for it, at least one. */
export function wayTo(machine: KnownMachine, { endpoints }: Pick<ClusterAccess, "endpoints">) {
  const own = addressesOf(machine);
  const [address = ""] = own;
  const direct = own.find((each) => endpoints.includes(each));
  const through = direct === undefined ? endpoints : [direct];
  return {
    endpoints: through.length > 0 ? through : [address],
    node: direct ?? (machine.privateAddress === "" ? address : machine.privateAddress),
  };
}

/** A machine's addresses, the public one first. */
export function addressesOf({ publicAddress, privateAddress }: KnownMachine): string[] {
  return [publicAddress, privateAddress].filter((each) => each !== "");
}
