import type { Deployment } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../provider";
import { type HandlerName, talosKind } from "../../provider/engine";
import type { EtcdMachine } from "../../provider/lifecycle";
import { expandCredentials } from "../../provider/pki";
import { type BegunRestore, type DoneRestore, restoreId } from "../../provider/resources";
import { CommandFailure } from "../commandFailure";
import { readResources, type StackResource } from "../stackResource";

export interface RestoredMachine extends EtcdMachine {
  /** Its name in the stack. */
  readonly name: string;
  /** URN of its instance; undefined if the state has none, for example for a deleted one. */
  readonly instanceUrn: string | undefined;
}

export interface RestoreTarget {
  /** URN of its `MachineBootstrap`. */
  readonly bootstrap: string;
  /** URN of its `ClusterHealth`; undefined without one. */
  readonly health: string | undefined;
  /** Its machines. etcd is recovered on the first one or its replacement. */
  readonly machines: readonly RestoredMachine[];
  readonly kubeconfig: string | undefined;
  readonly begun: BegunRestore | undefined;
  readonly done: DoneRestore | undefined;
  /** Whether the cluster was healthy after that. */
  readonly isDoneWell: boolean;
}

const INSTANCE = "aws:ec2/instance:Instance";

/**
 * Finds the cluster to restore in a stack's state.
 *
 * @param exported with its secrets in clear
 * @param instanceIds those of the selected cluster's machines, if a stack has several clusters
 * @throws CommandFailure if there is no such cluster
 */
export function restoreTarget(
  stack: string,
  exported: Deployment,
  instanceIds?: readonly string[],
): RestoreTarget {
  const all = readResources(exported);
  const bootstraps = all.filter(({ type }) => talosKind(type) === "MachineBootstrap");
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
      `the stack "${stack}" has no bootstrapped cluster: bring it up with "talos-aws up ${stack}". To start it from a snapshot, set "recoverFrom"`,
    );
  }
  if (others.length > 0) {
    throw new CommandFailure(
      `the stack "${stack}" has ${chosen.length} clusters: name the output of the cluster to restore with --cluster`,
    );
  }
  return target;
}

function targetOf(bootstrap: StackResource, all: readonly StackResource[]): RestoreTarget {
  const siblings = all.filter(({ parent }) => parent === bootstrap.parent);
  const ofKind = (kind: HandlerName) => siblings.filter(({ type }) => talosKind(type) === kind);
  const credentials = secretIn(bootstrap.inputs.credentials) as ClientCredentials;
  // Without a component, resources of several clusters have the same parent.
  const isOwn = ({ inputs, outputs }: StackResource) =>
    authorityOf(outputs.credentials ?? inputs.credentials) === expandCredentials(credentials).ca;
  const members = ofKind("EtcdMember").filter(isOwn);
  const names = new Set(members.map(({ name }) => name));
  // An interrupted run may have configured another machine than the one in etcd.
  const configured = ofKind("ConfigurationApply").filter(
    (each) => names.has(each.name) && isOwn(each),
  );
  const recorded = [...members, ...configured].map(({ name, id, outputs }): RestoredMachine => {
    // It is the id of a `ConfigurationApply`.
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

/** The machines of a program without `EtcdMember`. */
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

function authorityOf(credentials: unknown): string {
  return expandCredentials(secretIn(credentials) as ClientCredentials).ca;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function secretIn(value: unknown): unknown {
  const { plaintext } = (value ?? {}) as { readonly plaintext?: string };
  return plaintext === undefined ? value : (JSON.parse(plaintext) as unknown);
}
