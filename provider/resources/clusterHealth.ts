import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import type { Progress } from "../base/progress";
import { isUnknown } from "../base/unknown";
import { suggest } from "../config/suggestion";
import { checkTimeout } from "../engine/checkTimeout";
import type { CheckFailure, Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { KubernetesApi } from "../kubernetes/kubernetesApi";
import { describeUnknownMember, findUnknownMembers } from "../lifecycle/etcd/unknownMembers";
import { awaitHealth, HEALTH_GATES, type HealthGate } from "../lifecycle/health/awaitHealth";
import { type Machine, machinesAt } from "../lifecycle/machine";
import { dropsPublished, forgetAuthorities } from "../lifecycle/rotation/forgetAuthorities";
import { mustRecordAgain } from "../lifecycle/rotation/renewedCredentials";
import type { ClientCredentials } from "../pki/clientCredentials";
import { compactCredentials } from "../pki/compactCredentials";
import { judgeComplete } from "../pki/rotation/judgeRotation";
import type { Rotation } from "../pki/rotation/rotation";
import { outlineInput } from "../render/outlineInput";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { checkEtcd, declaredEtcd, type RecordedEtcd } from "./declaredEtcd";

/** Arguments of `ClusterHealth`. */
export interface ClusterHealthArgs {
  /** Addresses of all control plane machines. */
  readonly controlPlaneNodes: pulumi.Input<pulumi.Input<string>[]>;
  /** Addresses of the workers that must exist. Default: none. */
  readonly workerNodes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The minimum number of further workers without known names: those of auto scaling groups.
   * Default: 0.
   */
  readonly minimumOtherNodes?: pulumi.Input<number>;
  /** The Talos API to dial, which forwards to the machines. Default: each machine's own. */
  readonly endpoint?: pulumi.Input<string>;
  /** The Talos API to dial for workers, if it is another one. Default: `endpoint`. */
  readonly workerEndpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `ClusterKubeconfig.kubeconfig`, for the gates `apiServer` and `nodesReady`. */
  readonly kubeconfig?: pulumi.Input<string>;
  /**
   * What must be healthy: `etcd`, `apiServer`, `nodesReady`. Leave out `nodesReady` if the pod
   * network is installed later. Default: everything that the other arguments allow to check.
   */
  readonly gates?: pulumi.Input<pulumi.Input<HealthGate>[]>;
  /**
   * Values whose change starts another check. Pass the `configurationHash` of every machine, so
   * that every change is checked. Default: none.
   */
  readonly triggers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The stages of CA rotations. They are recorded once the cluster is healthy with them, so a
   * preview refuses the next stages before that. Default: no rotation.
   */
  readonly rotation?: pulumi.Input<Rotation> | undefined;
  /**
   * `MachineConfiguration.redactedConfiguration` of the control plane, if its Talos is managed here.
   * Its etcd is recorded once the cluster is healthy with it, so a preview refuses an older minor
   * after that, which would not start. Default: only the update refuses it.
   */
  readonly redactedConfiguration?: pulumi.Input<ConfigurationOutline>;
  /** How long to wait for all gates together. Seconds. Default: 900. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `ClusterHealth` is registered. */
export const clusterHealthKind: TalosKind<ClusterHealthArgs> = {
  name: "ClusterHealth",
  secrets: ["credentials", "kubeconfig"],
  inputsOf: ({ kubeconfig, ...args }) => ({
    controlPlaneNodes: args.controlPlaneNodes,
    workerNodes: args.workerNodes ?? [],
    minimumOtherNodes: args.minimumOtherNodes,
    endpoint: args.endpoint,
    workerEndpoint: args.workerEndpoint,
    credentials: pulumi.secret(args.credentials),
    kubeconfig: kubeconfig === undefined ? undefined : pulumi.secret(kubeconfig),
    gates: args.gates ?? (kubeconfig === undefined ? ["etcd"] : [...HEALTH_GATES]),
    triggers: args.triggers ?? [],
    ...(args.rotation !== undefined && { rotation: args.rotation }),
    redactedConfiguration: outlineInput(args.redactedConfiguration),
    timeoutSeconds: args.timeoutSeconds ?? 900,
  }),
};

/**
 * A gate in a program: dependent resources wait until the cluster is healthy, as the machines
 * themselves, etcd and Kubernetes report. It checks on creation, and when the machines, the gates
 * or the triggers change. When API servers have dropped a CA, it has them publish the others only. It
 * never checks in a preview or a destroy. A refresh only warns of members
 * of etcd whose machines it doesn't know.
 */
export class ClusterHealth extends TalosResource {
  /** The gates that were healthy. */
  declare readonly gates: pulumi.Output<HealthGate[]>;

  constructor(name: string, args: ClusterHealthArgs, opts?: pulumi.CustomResourceOptions) {
    super(clusterHealthKind, name, args, opts);
  }
}

interface Inputs extends RecordedEtcd {
  readonly controlPlaneNodes: readonly string[];
  readonly workerNodes: readonly string[];
  readonly minimumOtherNodes?: number;
  readonly endpoint?: string;
  readonly workerEndpoint?: string;
  readonly credentials: ClientCredentials;
  readonly kubeconfig?: string;
  readonly gates: readonly HealthGate[];
  readonly triggers: readonly string[];
  readonly rotation?: Rotation;
  readonly redactedConfiguration?: ConfigurationOutline | string;
  readonly timeoutSeconds: number;
}

/** What a change is seen by. */
type Checked = Pick<
  Inputs,
  "controlPlaneNodes" | "workerNodes" | "minimumOtherNodes" | "gates" | "triggers" | "rotation"
>;

interface State extends Checked {
  readonly endpoint?: string;
  /** For a refresh. Compact; absent in older releases' states. */
  readonly credentials?: ClientCredentials;
}

/** Checks, creates, reads, updates and deletes `ClusterHealth`. */
export const clusterHealthHandler: Handler<Inputs, State> = {
  achieved: { create: "healthy", update: "healthy" },

  transient: ["credentials", "kubeconfig", "redactedConfiguration", "timeoutSeconds"],
  computed: ["etcdMinor"],

  check(olds, news) {
    const { redactedConfiguration = "" } = news;
    const etcd = declaredEtcd(redactedConfiguration);
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...checkGates(news),
      ...checkEtcd(olds, etcd),
      ...checkComplete(olds, news),
    ];
    if (!isUnknown(news.controlPlaneNodes) && news.controlPlaneNodes.length === 0) {
      const reason = "it is empty: give the address of every control plane machine";
      failures.push({ property: "controlPlaneNodes", reason });
    }
    // The engine needs each transient input to be present.
    const inputs = {
      ...news,
      kubeconfig: news.kubeconfig ?? "",
      redactedConfiguration,
      ...(etcd?.minor !== undefined && { etcdMinor: etcd.minor }),
    };
    return Promise.resolve({ inputs, failures });
  },

  diff(_id, state, news) {
    return {
      changes:
        mustRecordAgain(state.credentials, news.credentials) ||
        !isDeepStrictEqual(checkedOf(news), checkedOf(state)),
    };
  },

  async create(inputs, progress) {
    await look(inputs, [], clock.now() + inputs.timeoutSeconds * 1_000, progress);
    return { id: inputs.controlPlaneNodes[0] ?? "", state: stateOf(inputs) };
  },

  async read(_id, state, progress) {
    await lookForUnknown(state, progress);
    return { state };
  },

  async update(_id, state, news, progress) {
    // The members of machines that the program no longer has leave later in the run.
    const leaving = state.controlPlaneNodes.filter(
      (node) => !news.controlPlaneNodes.includes(node),
    );
    const deadline = clock.now() + news.timeoutSeconds * 1_000;
    await look(news, leaving, deadline, progress);
    // Every API server has completed the stage now.
    if (dropsPublished(state.rotation, news.rotation)) {
      await forgetAuthorities(controlPlanesOf(news), deadline, progress);
    }
    return stateOf(news);
  },
};

/** How long a refresh looks for members. */
const LOOK_MS = 15_000;

/** Warns of members of etcd whose machines the program doesn't have. */
async function lookForUnknown(state: State, progress: Progress): Promise<void> {
  const { credentials, endpoint, controlPlaneNodes: nodes, gates } = state;
  if (credentials === undefined || !gates.includes("etcd")) {
    return;
  }
  const [first = ""] = nodes;
  const machines = machinesAt(nodes, endpoint, credentials);
  const unknown = (await findUnknownMembers(machines, AbortSignal.timeout(LOOK_MS))) ?? [];
  unknown.forEach((member) => {
    progress.warn(describeUnknownMember(member, first));
  });
}

/** A rotation may continue only from the stage that was last healthy on every machine. */
function checkComplete(olds: Partial<Inputs> | undefined, { rotation }: Inputs): CheckFailure[] {
  return olds === undefined || isUnknown(rotation)
    ? []
    : judgeComplete(olds.rotation, rotation).map(({ secret, reason }) => ({
        property: `rotation.${secret}`,
        reason,
      }));
}

function checkGates({ gates, kubeconfig }: Inputs): CheckFailure[] {
  if (isUnknown(gates)) {
    return [];
  }
  const failures = gates
    .filter((gate) => !HEALTH_GATES.includes(gate))
    .map((gate) => {
      const suggestion = suggest(gate, HEALTH_GATES);
      const hint = suggestion === undefined ? "" : `, did you mean "${suggestion}"`;
      return {
        property: "gates",
        reason: `there is no "${gate}"${hint}: there are ${HEALTH_GATES.join(", ")}`,
      };
    });
  const blind = gates.filter((gate) => gate === "apiServer" || gate === "nodesReady");
  if (blind.length > 0 && kubeconfig === undefined) {
    const reason = `it is missing, and is needed to check ${blind.join(" and ")}`;
    failures.push({ property: "kubeconfig", reason });
  }
  return failures;
}

function controlPlanesOf({ controlPlaneNodes, endpoint, credentials }: Inputs): Machine[] {
  return machinesAt(controlPlaneNodes, endpoint, credentials);
}

async function look(
  inputs: Inputs,
  leaving: readonly string[],
  deadline: number,
  progress: Progress,
): Promise<void> {
  const { endpoint, credentials, kubeconfig = "", gates } = inputs;
  const { workerEndpoint = endpoint, minimumOtherNodes } = inputs;
  await awaitHealth(
    {
      controlPlanes: controlPlanesOf(inputs),
      leaving: machinesAt(leaving, endpoint, credentials),
      workers: machinesAt(inputs.workerNodes, workerEndpoint, credentials),
      ...(minimumOtherNodes !== undefined && { minimumOthers: minimumOtherNodes }),
    },
    gates,
    kubeconfig === "" ? undefined : new KubernetesApi(kubeconfig),
    deadline,
    progress,
  );
}

function stateOf(inputs: Inputs): State {
  const { endpoint, credentials } = inputs;
  return {
    ...checkedOf(inputs),
    ...(endpoint !== undefined && { endpoint }),
    credentials: compactCredentials(credentials),
  };
}

function checkedOf({ minimumOtherNodes, rotation, ...state }: Checked): Checked {
  const { controlPlaneNodes, workerNodes, gates, triggers } = state;
  return {
    controlPlaneNodes,
    workerNodes,
    // Absent if it isn't given, as in states of older releases.
    ...(minimumOtherNodes !== undefined && { minimumOtherNodes }),
    gates,
    triggers,
    ...(rotation !== undefined && { rotation }),
  };
}
