import type { Deployment } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../provider";
import type { EtcdMachine } from "../../provider/lifecycle/etcdMachine";
import type { BegunRestore, DoneRestore } from "../../provider/restoreRecord";
import { restoreId } from "../../provider/restoreRecord";
import { expandCredentials } from "../../provider/pki/compactCredentials";
import { CommandFailure } from "../commandFailure";
import { readResources, type StackResource } from "../stackResource";

/** A control plane machine as the state has it. */
export interface RestoredMachine extends EtcdMachine {
  /** Its name in the stack. */
  readonly name: string;
  /** URN of its instance; undefined where the state has none, as of one that AWS has no more. */
  readonly instanceUrn: string | undefined;
}

/** The cluster that is to be restored, as the state has it. */
export interface RestoreTarget {
  /** URN of its `MachineBootstrap`. */
  readonly bootstrap: string;
  /** URN of its `ClusterHealth`, where there is one. */
  readonly health: string | undefined;
  /** The first is the one that etcd is recovered on, or is replaced by that. */
  readonly machines: readonly RestoredMachine[];
  readonly kubeconfig: string | undefined;
  /** A restore that isn't through. */
  readonly begun: BegunRestore | undefined;
  /** The last one that etcd came back from. */
  readonly done: DoneRestore | undefined;
  /** Whether the cluster was found well after that. */
  readonly isDoneWell: boolean;
}

const TALOS = "pulumi-nodejs:dynamic/talos:";
const INSTANCE = "aws:ec2/instance:Instance";

/**
 * Finds in a stack's state what is to be restored.
 *
 * @param exported with its secrets in clear
 * @param instanceIds those of the machines of the wanted cluster, where a stack has several
 * @throws CommandFailure when there is no such cluster
 */
export function restoreTarget(
  stack: string,
  exported: Deployment,
  instanceIds?: readonly string[],
): RestoreTarget {
  const all = readResources(exported);
  const bootstraps = all.filter(({ type }) => type === `${TALOS}MachineBootstrap`);
  const targets = bootstraps.map((bootstrap) => targetOf(bootstrap, all));
  const chosen =
    instanceIds === undefined
      ? targets
      : targets.filter(({ machines }) =>
          machines.some(({ machineId }) => instanceIds.includes(machineId)),
        );
  const [target, ...others] = chosen;
  if (target === undefined) {
    throw new CommandFailure(
      `the stack "${stack}" has no cluster that was ever bootstrapped: bring it up with "talos-aws up ${stack}"; a snapshot is what it begins with when "recoverFrom" names one`,
    );
  }
  if (others.length > 0) {
    throw new CommandFailure(
      `the stack "${stack}" has ${chosen.length} clusters: name the output that holds the one to restore with --cluster`,
    );
  }
  return target;
}

function targetOf(bootstrap: StackResource, all: readonly StackResource[]): RestoreTarget {
  const siblings = all.filter(({ parent }) => parent === bootstrap.parent);
  const ofKind = (kind: string) => siblings.filter(({ type }) => type === `${TALOS}${kind}`);
  const credentials = secretIn(bootstrap.inputs.credentials) as ClientCredentials;
  // Without a component, what belongs to several clusters stands side by side.
  const isOwn = ({ inputs, outputs }: StackResource) =>
    authorityOf(outputs.credentials ?? inputs.credentials) === expandCredentials(credentials).ca;
  const members = ofKind("EtcdMember").filter(isOwn);
  const names = new Set(members.map(({ name }) => name));
  // A run that was cut off may have configured another machine than the one that is in etcd.
  const configured = ofKind("ConfigurationApply").filter(
    (each) => names.has(each.name) && isOwn(each),
  );
  const recorded = [...members, ...configured].map(({ name, id, outputs }): RestoredMachine => {
    // A `ConfigurationApply` has it as its id.
    const machineId = textIn(outputs.machineId) || id;
    const privateAddress = textIn(outputs.privateAddress);
    return {
      name,
      machineId,
      node: textIn(outputs.node),
      endpoint: textIn(outputs.endpoint),
      ...(privateAddress !== "" && { privateAddress }),
      credentials,
      instanceUrn: all.find(({ type, id }) => type === INSTANCE && id === machineId)?.urn,
    };
  });
  const machines = recorded.length > 0 ? unique(recorded) : named(bootstrap, credentials);
  const { restoring, restored } = bootstrap.outputs;
  const done = restored as DoneRestore | undefined;
  const nodes = new Set<unknown>(machines.map(({ node }) => node));
  const health = ofKind("ClusterHealth").find(({ outputs }) =>
    (outputs.controlPlaneNodes as readonly unknown[] | undefined)?.some((node) => nodes.has(node)),
  );
  const triggers = (health?.outputs.triggers as readonly unknown[] | undefined) ?? [];
  const [kubeconfig] = ofKind("ClusterKubeconfig")
    .filter(isOwn)
    .map(({ outputs }) => secretIn(outputs.kubeconfig));
  return {
    bootstrap: bootstrap.urn,
    health: health?.urn,
    machines,
    kubeconfig: typeof kubeconfig === "string" ? kubeconfig : undefined,
    begun: restoring as BegunRestore | undefined,
    done,
    isDoneWell: done === undefined || !triggers.includes(restoreId(done)),
  };
}

/** The machines of a program that has no `EtcdMember`. */
function named({ inputs }: StackResource, credentials: ClientCredentials): RestoredMachine[] {
  const node = textIn(inputs.node);
  const endpoint = textIn(inputs.endpoint);
  const peers = (inputs.peers as readonly string[] | undefined) ?? [];
  return [...new Set([node, ...peers])].map((each) => ({
    name: each,
    machineId: "",
    node: each,
    endpoint: endpoint === node ? each : endpoint,
    credentials,
    instanceUrn: undefined,
  }));
}

function unique(machines: readonly RestoredMachine[]): RestoredMachine[] {
  return [...new Map(machines.map((each) => [`${each.machineId} ${each.node}`, each])).values()];
}

/** Whose credentials they are. */
function authorityOf(credentials: unknown): string {
  return expandCredentials(secretIn(credentials) as ClientCredentials).ca;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A secret as an export in clear has it. */
function secretIn(value: unknown): unknown {
  const { plaintext } = (value ?? {}) as { readonly plaintext?: string };
  return plaintext === undefined ? value : (JSON.parse(plaintext) as unknown);
}
