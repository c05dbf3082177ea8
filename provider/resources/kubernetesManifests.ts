import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { WaitTimeoutError } from "../api/waitFor";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import type { Progress } from "../base/progress";
import {
  type ManifestInputs,
  manifestInputs,
  namedManifests,
  removedManifests,
} from "../config/manifestInputs";
import { checkTimeout } from "../engine/checkTimeout";
import { type Handler, PartialUpdateError } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { machinesAt } from "../lifecycle/machine";
import { giveUpAbandoned } from "../lifecycle/objects/giveUpList";
import {
  noteManifests,
  syncManifests,
  type ManifestSync,
} from "../lifecycle/objects/syncManifests";
import type { ClientCredentials } from "../pki/clientCredentials";
import { outlineInput } from "../render/outlineInput";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { outlineOf } from "../render/renderMachineConfiguration";
import { type ConfigurationRevision, isOtherRevision } from "./configurationRevision";

/** Arguments of `KubernetesManifests`. */
export interface KubernetesManifestsArgs {
  /** Addresses of the control plane machines. The first one that answers is used. */
  readonly nodes: pulumi.Input<pulumi.Input<string>[]>;
  /** The Talos API to dial, when it isn't the machines' own. Default: each machine's. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * `MachineConfiguration.redactedConfiguration` of the control plane. It determines the manifests.
   */
  readonly redactedConfiguration: pulumi.Input<ConfigurationOutline>;
  /** `MachineConfiguration.revision` of the control plane. Default: as in `ConfigurationApply`. */
  readonly revision?: pulumi.Input<ConfigurationRevision | undefined>;
  /**
   * Lists (`KubernetesObjects.inventory`) that the program doesn't have, and that a run has left half applied. No state
   * has them if it was killed in their first create, so this resource deletes their objects, except Namespaces and
   * CustomResourceDefinitions. `TalosCluster` asks the cluster in each `up`, and previews don't know. Default: none.
   */
  readonly abandonedInventories?: pulumi.Input<pulumi.Input<string>[]>;
  /** How long the update may take. Seconds. Default: 1800. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `KubernetesManifests` is registered. */
export const kubernetesManifestsKind: TalosKind<KubernetesManifestsArgs> = {
  name: "KubernetesManifests",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    nodes: args.nodes,
    endpoint: args.endpoint,
    credentials: pulumi.secret(args.credentials),
    redactedConfiguration: outlineInput(args.redactedConfiguration),
    revision: args.revision,
    abandonedInventories: args.abandonedInventories,
    timeoutSeconds: args.timeoutSeconds ?? 1_800,
  }),
};

/**
 * Keeps the objects of Talos' manifests in the cluster up to date: kube-proxy, CoreDNS, the pod
 * network, inline and extra manifests. Talos itself creates them once and then leaves them alone.
 * When the configuration changes them, this resource applies them as `talosctl upgrade-k8s` does.
 * It deletes objects that no manifest contains any more; a preview warns about this. It never
 * deletes Namespaces and CustomResourceDefinitions. It keeps fields that others have set, with a
 * warning. You can also use `talosctl upgrade-k8s`, because the field manager is Talos' (`talos`).
 *
 * The create changes nothing. It only records which objects came from manifests, in the ConfigMap
 * `kube-system/talos-bootstrap-manifests-inventory`, as Talos 1.13 does. Let it depend on the
 * `ConfigurationApply` of every control plane machine. It uses the Kubernetes API on port 6443.
 */
export class KubernetesManifests extends TalosResource {
  constructor(name: string, args: KubernetesManifestsArgs, opts?: pulumi.CustomResourceOptions) {
    super(kubernetesManifestsKind, name, args, opts);
  }
}

interface Inputs {
  readonly nodes: readonly string[];
  readonly endpoint?: string | undefined;
  readonly credentials: ClientCredentials;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly revision?: ConfigurationRevision | undefined;
  readonly abandonedInventories?: readonly string[] | undefined;
  readonly timeoutSeconds: number;
  /** Computed by `check`; absent while the configuration is unknown. */
  readonly manifests?: ManifestInputs;
}

interface State {
  /** Absent after a failed update, because the cluster may have other objects. */
  readonly manifests?: ManifestInputs;
  /** Of the configuration whose manifests the cluster has. Absent for one that was never changed. */
  readonly revision?: ConfigurationRevision | undefined;
  /**
   * The keys of the manifests' workloads, which no run has to wait for again while they stay the same.
   * Absent in states of former releases.
   */
  readonly workloads?: readonly string[] | undefined;
}

/**
 * How long to wait for a new cluster's API. After that, the create continues without recording
 * objects.
 */
const FIRST_LOOK_MS = 300_000;

/** Checks, creates, reads, updates and deletes `KubernetesManifests`. */
export const kubernetesManifestsHandler: Handler<Inputs, State> = {
  achieved: { create: "applied", update: "applied" },

  transient: [
    ...(["nodes", "endpoint", "credentials", "redactedConfiguration"] as const),
    ...(["revision", "abandonedInventories", "timeoutSeconds"] as const),
  ],
  computed: ["manifests"],

  check(olds, news) {
    const outline = outlineOf(news.redactedConfiguration);
    const manifests = outline && manifestInputs(outline);
    const before = olds?.manifests;
    const removed = before && manifests ? removedManifests(before, manifests) : [];
    const warnings = removed.map(
      (what) => `${what}: its objects are deleted from the cluster, except namespaces`,
    );
    return Promise.resolve({
      inputs: {
        ...news,
        endpoint: news.endpoint,
        revision: news.revision,
        abandonedInventories: news.abandonedInventories,
        ...(manifests && { manifests }),
      },
      failures: checkTimeout(news.timeoutSeconds),
      warnings,
    });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "nodes");
    const isClean = (news.abandonedInventories ?? []).length === 0;
    return { changes: !isRefresh && (!isClean || isOther(state, news)) };
  },

  async create(inputs, progress) {
    const sync = syncOf(inputs, progress);
    const deadline = Math.min(sync.deadline, clock.now() + FIRST_LOOK_MS);
    let workloads: readonly string[] | undefined;
    try {
      workloads = await noteManifests({ ...sync, deadline });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) {
        throw error;
      }
      progress.warn(
        `${error.message}. The objects of Talos' manifests were not recorded, so objects that a manifest no longer contains will be kept`,
      );
    }
    await giveUpAbandoned(inputs.abandonedInventories ?? [], sync);
    return { id: "manifests", state: stateOf(inputs, workloads) };
  },

  async update(id, state, news, progress) {
    const { workloads: knownWorkloads } = state;
    const sync = syncOf(news, progress);
    await giveUpAbandoned(news.abandonedInventories ?? [], sync);
    if (isOther(state, news)) {
      try {
        const workloads = await syncManifests({ ...sync, knownWorkloads });
        return stateOf(news, workloads);
      } catch (error) {
        const message = messageOfError(error);
        // Some objects may be changed already. So the next run must update, also if the change is
        // reverted.
        const kept = knownWorkloads && { workloads: knownWorkloads };
        throw new PartialUpdateError(message, id, { ...kept }, { cause: error });
      }
    }
    return stateOf(news, knownWorkloads);
  },
};

/** A killed run that began to apply other manifests recorded nothing of it. */
function isOther(state: State, news: Inputs): boolean {
  return (
    !isDeepStrictEqual(news.manifests, state.manifests) || isOtherRevision("manifests", state, news)
  );
}

function syncOf(inputs: Inputs, progress: Progress): ManifestSync {
  const { nodes, endpoint, credentials, redactedConfiguration, timeoutSeconds } = inputs;
  const outline = outlineOf(redactedConfiguration);
  return {
    controlPlanes: machinesAt(nodes, endpoint, credentials),
    named: outline === undefined ? [] : namedManifests(outline),
    deadline: clock.now() + timeoutSeconds * 1_000,
    progress,
  };
}

function stateOf({ manifests, revision }: Inputs, workloads: State["workloads"]): State {
  return {
    ...(manifests && { manifests }),
    ...(revision && { revision }),
    ...(workloads && { workloads }),
  };
}
