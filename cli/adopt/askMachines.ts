import { TalosApiError } from "../../provider/api";
import { messageOfError } from "../../provider/base";
import { readMachineConfig, withMachine } from "../../provider/lifecycle";
import type { OwnContext } from "../configFiles/talosconfigContexts";
import type { FormerCluster, FormerMachine } from "./formerCluster";
import { adoptionFailure } from "./formerResource";
import { factsOf } from "./readClusters";

/** The time limit of one question. */
const TIMEOUT_MS = 15_000;

/**
 * The cluster of a talosconfig, as its machines say themselves. It only reads, over mutual TLS.
 *
 * @param nodes addresses of all machines. Default: those of the context
 * @throws CommandFailure with all problems: machines that don't answer, or refuse to show their configuration
 */
export async function askMachines(
  { name, endpoints, nodes: own, credentials }: OwnContext,
  nodes: readonly string[],
): Promise<FormerCluster> {
  const asked = nodes.length > 0 ? nodes : own;
  const what = `no cluster can be taken over from the context "${name}"`;
  const [first] = endpoints;
  if (asked.length === 0 || first === undefined) {
    throw adoptionFailure(what, [
      asked.length === 0
        ? "it names no machines: name the address of each one with --node"
        : "it has no endpoint: add the address of a control plane machine to it",
    ]);
  }
  const problems: string[] = [];
  const answers = await Promise.all(
    asked.map(async (node) => {
      const endpoint = endpoints.includes(node) ? node : first;
      const read = withMachine({ node, endpoint, credentials }, (client) =>
        readMachineConfig(client, "persistent", { timeoutMs: TIMEOUT_MS }),
      );
      const configuration = await read.catch((error: unknown) => problemOf(node, error, problems));
      return { node, endpoint, configuration };
    }),
  );
  const read = answers.flatMap(({ node, endpoint, configuration }) => {
    const facts = configuration === undefined ? undefined : factsOf(node, configuration, problems);
    const machine: FormerMachine | undefined =
      configuration === undefined
        ? undefined
        : {
            address: node,
            name: node.replaceAll(/[^A-Za-z0-9.-]+/g, "-"),
            machineId: node,
            node,
            endpoint,
            configuration,
            block: "",
            isWiped: false,
            patches: undefined,
            contract: undefined,
          };
    return facts === undefined || machine === undefined ? [] : [{ ...facts, machine }];
  });
  const controlPlane = read.find(({ machineType }) => machineType === "controlplane");
  if (controlPlane === undefined && problems.length === 0) {
    problems.push("none of them is a control plane machine: name all machines with --node");
  }
  if (controlPlane === undefined || problems.length > 0) {
    throw adoptionFailure(what, problems);
  }
  return {
    name: controlPlane.clusterName,
    secrets: controlPlane.machine.configuration,
    contract: undefined,
    machines: read.map(({ machine }) => machine),
    managed: [],
  };
}

function problemOf(node: string, error: unknown, problems: string[]): undefined {
  problems.push(
    error instanceof TalosApiError && error.code === "permissionDenied"
      ? `machine ${node} doesn't show its configuration to this certificate: take a talosconfig of the role os:admin`
      : `machine ${node}: ${messageOfError(error)}`,
  );
  return undefined;
}
