import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { WaitTimeoutError } from "../api/waitFor";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import type { Progress } from "../base/progress";
import { isUnknown } from "../base/unknown";
import type { InlineManifest } from "../config/generate/inlineManifest";
import { checkTimeout } from "../engine/checkTimeout";
import { type Handler, PartialCreateError, PartialUpdateError } from "../engine/handler";
import { deletesCluster } from "../engine/onDestroy";
import { type InputsOf, type TalosKind, TalosResource } from "../engine/talosResource";
import { objectsInventory } from "../kubernetes/inventory";
import { type Machine, machinesAt } from "../lifecycle/machine";
import { giveUpList } from "../lifecycle/objects/giveUpList";
import { findObjectDrift } from "../lifecycle/objects/objectDrift";
import { syncObjects } from "../lifecycle/objects/syncObjects";
import {
  latestCredentials,
  mustRecordAgain,
  rememberCredentials,
} from "../lifecycle/rotation/renewedCredentials";
import type { ClientCredentials } from "../pki/clientCredentials";
import { compactCredentials } from "../pki/compactCredentials";
import { WITHHELD } from "../pki/withheld";
import {
  asRecorded,
  checkInventoryName,
  type ListedObjects,
  listObjects,
  newSalt,
  removedObjects,
  withDrift,
} from "./listedObjects";
import { withSecretTexts } from "./machineConfiguration";

/** Arguments of `KubernetesObjects`. */
export interface KubernetesObjectsArgs {
  /** Addresses of the control plane machines. The first one that answers is used. */
  readonly nodes: pulumi.Input<pulumi.Input<string>[]>;
  /** The Talos API to dial, when it isn't the machines' own. Default: each machine's. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * A name for the list, which no other `KubernetesObjects` of the cluster has: lower-case letters, digits
   * and `-`. `TalosCluster` has `cluster` and `karpenter`. The ConfigMap
   * `kube-system/pulumi-talos-aws-objects-<inventory>` records the objects. It can't change.
   */
  readonly inventory: pulumi.Input<string>;
  /** The objects: manifests with unique names, each YAML with any number of objects. */
  readonly manifests: pulumi.Input<readonly InputsOf<InlineManifest>[]>;
  /**
   * The release of Kubernetes, for example `v1.37.2`. A preview then refuses kinds that this release no
   * longer has. Default: only the API server refuses them.
   */
  readonly kubernetesVersion?: pulumi.Input<string>;
  /**
   * Whether Namespaces and CustomResourceDefinitions are deleted too when they leave the list, or with the
   * resource. All objects in them are lost then. Default: false; they stay, with a warning.
   */
  readonly deleteContainers?: pulumi.Input<boolean>;
  /**
   * Whether it waits until changed Deployments, DaemonSets and StatefulSets are rolled out, ten minutes each at
   * most. Nothing waits for the end of a Job, which may take any time. Default: true. Set false if
   * their pods can't start before something that comes later, such as the pod network.
   */
  readonly awaitRollouts?: pulumi.Input<boolean>;
  /**
   * Whether a run has left the objects half applied: with true, all are applied again, although the list is
   * the recorded one. A killed run that the program takes back is in no state. `TalosCluster` asks the cluster
   * in each `up`, and previews don't know. Default: false, so only a refresh finds what is left.
   */
  readonly unfinished?: pulumi.Input<boolean>;
  /**
   * Whether it waits until objects that it deletes are gone, which they are once their finalizers have done their
   * work. Objects of kinds that the list itself defines go before the others, while their controller still runs. A
   * delete then waits for an hour at most. Default: false.
   */
  readonly awaitDeletions?: pulumi.Input<boolean>;
  /** How long an update may take. Seconds. Default: 1800. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `KubernetesObjects` is registered. */
export const kubernetesObjectsKind: TalosKind<KubernetesObjectsArgs> = {
  name: "KubernetesObjects",
  secrets: ["credentials", "salt", "digests"],
  inputsOf: (args) => ({
    nodes: args.nodes,
    endpoint: args.endpoint,
    credentials: pulumi.secret(args.credentials),
    inventory: args.inventory,
    manifests: withSecretTexts(args.manifests),
    kubernetesVersion: args.kubernetesVersion,
    deleteContainers: args.deleteContainers ?? false,
    awaitRollouts: args.awaitRollouts ?? true,
    unfinished: args.unfinished ?? false,
    awaitDeletions: args.awaitDeletions,
    timeoutSeconds: args.timeoutSeconds ?? 1_800,
    salt: pulumi.secret(""),
    digests: undefined,
  }),
};

/**
 * Objects of Kubernetes that this package applies itself, as soon as the API serves. So they are no part
 * of a machine's configuration, which every reader can read, and which is limited in size. It uses
 * server-side apply with the field manager `pulumi-talos-aws`.
 *
 * Namespaces come first, then CustomResourceDefinitions until they are served, then all others. It waits
 * for the rollout of what it changed. An object that leaves the list is deleted; a preview warns about
 * it. `pulumi refresh` finds objects that others have changed or deleted, and the next `pulumi up` repairs
 * them. It takes over objects that Talos created from a manifest, once the machines' configuration no
 * longer contains it, and gives them back once it does again; they are not recreated.
 *
 * The state contains no object, only names and keyed digests. With the resource its objects are deleted.
 * Set `deletedWith` to the cluster's `MachineSecrets`, so that a destroy doesn't ask a cluster that is
 * gone. It needs the Talos API, and the Kubernetes API on port 6443.
 */
export class KubernetesObjects extends TalosResource {
  constructor(name: string, args: KubernetesObjectsArgs, opts?: pulumi.CustomResourceOptions) {
    super(kubernetesObjectsKind, name, args, opts);
  }
}

interface Inputs {
  readonly nodes: readonly string[];
  readonly endpoint?: string | undefined;
  readonly credentials: ClientCredentials;
  readonly inventory: string;
  readonly manifests: readonly InlineManifest[];
  readonly kubernetesVersion?: string | undefined;
  readonly deleteContainers: boolean;
  readonly awaitRollouts: boolean;
  /** Absent from a program of an earlier release's SDK. */
  readonly unfinished?: boolean;
  readonly awaitDeletions?: boolean | undefined;
  readonly timeoutSeconds: number;
  /** Computed by `check`, and kept: keys the digests, so that no value can be guessed by them. Secret. */
  readonly salt: string;
  /** Computed by `check`; absent while all manifests are unknown. */
  readonly objects?: ListedObjects;
}

interface State {
  readonly nodes: readonly string[];
  readonly endpoint?: string | undefined;
  readonly credentials: ClientCredentials;
  readonly inventory: string;
  readonly deleteContainers: boolean;
  readonly awaitDeletions?: boolean | undefined;
  /** As in the inputs, which a refresh returns. */
  readonly salt: string;
  /** Absent after a failed run, because the cluster may have other objects. */
  readonly objects?: ListedObjects;
  /** What `syncObjects` returned. Secret, as it follows from the objects' values. */
  readonly digests?: Readonly<Record<string, string>>;
  /**
   * The objects' keys in the inventory, as last applied: what is deleted doesn't depend on the inventory alone. Absent
   * in states of former releases.
   */
  readonly listed?: readonly string[];
}

const ID = "objects";

/** How long a delete waits for the cluster. */
const DELETE_MS = 300_000;
/** The same where it waits until objects are gone. */
const GONE_MS = 3_600_000;

/** Checks, creates, reads, updates and deletes `KubernetesObjects`. */
export const kubernetesObjectsHandler: Handler<Inputs, State> = {
  achieved: { create: "applied", update: "applied", delete: "deleted" },

  transient: [
    ...(["nodes", "endpoint", "credentials", "manifests"] as const),
    ...(["kubernetesVersion", "awaitRollouts", "unfinished", "timeoutSeconds"] as const),
  ],
  computed: ["objects", "salt"],

  check(olds, news) {
    const salt = olds?.salt ?? newSalt();
    const { objects: listed, failures } = listObjects(news, salt);
    // Without the key, no digest can be compared.
    const isKeyless = salt === WITHHELD;
    const objects = isKeyless ? asRecorded(olds?.objects, listed) : listed;
    const removed = removedObjects(olds?.objects, objects, news.deleteContainers);
    return Promise.resolve({
      inputs: {
        ...news,
        endpoint: news.endpoint,
        kubernetesVersion: news.kubernetesVersion,
        unfinished: news.unfinished ?? false,
        salt,
        ...(objects && { objects }),
      },
      failures: [
        ...checkTimeout(news.timeoutSeconds),
        ...checkInventoryName(olds?.inventory, news.inventory),
        ...failures,
      ],
      warnings: [
        ...removed,
        ...(isKeyless
          ? [
              "what changes inside objects of Kubernetes isn't shown, only which come and go, because the export has no secrets: a preview with the account shows it",
            ]
          : []),
      ],
    });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "nodes");
    return {
      changes:
        !isRefresh &&
        (mustRecordAgain(state.credentials, news.credentials) ||
          news.unfinished === true ||
          isUnknown(news.nodes) ||
          !isDeepStrictEqual(news.nodes, state.nodes) ||
          news.endpoint !== state.endpoint ||
          news.deleteContainers !== state.deleteContainers ||
          (news.awaitDeletions ?? false) !== (state.awaitDeletions ?? false) ||
          !isDeepStrictEqual(news.objects, state.objects)),
    };
  },

  async create(inputs, progress) {
    try {
      return { id: ID, state: await apply(inputs, progress) };
    } catch (error) {
      throw new PartialCreateError(messageOfError(error), ID, stateOf(inputs), { cause: error });
    }
  },

  async read(_id, state, progress) {
    const { objects, digests, listed, inventory, deleteContainers, awaitDeletions, salt } = state;
    if (objects === undefined || digests === undefined) {
      return { state };
    }
    const work = { controlPlanes: machinesOf(state), progress };
    const drift = await findObjectDrift(work, objectsInventory(inventory), { digests, listed });
    if (drift === undefined || Object.keys(drift).length === 0) {
      return { state };
    }
    const found = withDrift(objects, drift);
    return {
      state: { ...state, objects: found },
      inputs: {
        inventory,
        deleteContainers,
        ...(awaitDeletions !== undefined && { awaitDeletions }),
        salt,
        objects: found,
      },
    };
  },

  async update(_id, state, news, progress) {
    try {
      return isDeepStrictEqual(news.objects, state.objects) && news.unfinished !== true
        ? { ...stateOf(news), ...appliedOf(state) }
        : await apply(news, progress, state.listed);
    } catch (error) {
      const { listed } = appliedOf(state);
      const properties = { ...stateOf(news), ...(listed && { listed }) };
      throw new PartialUpdateError(messageOfError(error), ID, properties, { cause: error });
    }
  },

  async delete(_id, state, progress) {
    if (deletesCluster()) {
      return;
    }
    const controlPlanes = machinesOf(state);
    const owner = objectsInventory(state.inventory);
    const { deleteContainers, awaitDeletions: awaitsDeletions = false } = state;
    const deadline = clock.now() + (awaitsDeletions ? GONE_MS : DELETE_MS);
    const work = { controlPlanes, progress, deadline };
    try {
      await giveUpList({ ...work, owner, deleteContainers, awaitsDeletions }, state.listed);
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) {
        throw error;
      }
      throw new Error(
        `${error.message}. If the cluster is gone, so are its objects: remove the resource from the state with "pulumi state delete <its URN>"`,
        { cause: error },
      );
    }
  },
};

async function apply(
  inputs: Inputs,
  progress: Progress,
  formerly?: readonly string[],
): Promise<State> {
  const { inventory, deleteContainers, awaitRollouts, awaitDeletions, timeoutSeconds } = inputs;
  rememberCredentials(inputs.credentials);
  const applied = await syncObjects({
    controlPlanes: machinesOf(inputs),
    owner: objectsInventory(inventory),
    objects: listObjects(inputs, inputs.salt).parsed,
    awaitsRollouts: awaitRollouts,
    deleteContainers,
    awaitsDeletions: awaitDeletions ?? false,
    formerly,
    deadline: clock.now() + timeoutSeconds * 1_000,
    progress,
  });
  return { ...stateOf(inputs), ...(inputs.objects && { objects: inputs.objects }), ...applied };
}

function appliedOf({
  objects,
  digests,
  listed,
}: State): Pick<State, "objects" | "digests" | "listed"> {
  return { ...(objects && { objects }), ...(digests && { digests }), ...(listed && { listed }) };
}

function machinesOf({
  nodes,
  endpoint,
  credentials,
}: Pick<State, "nodes" | "endpoint" | "credentials">): readonly Machine[] {
  return machinesAt(nodes, endpoint, latestCredentials(credentials));
}

/** What a refresh and a delete need. */
function stateOf(inputs: Inputs): State {
  const { nodes, endpoint, credentials, inventory, deleteContainers, awaitDeletions, salt } =
    inputs;
  return {
    nodes,
    ...(endpoint !== undefined && { endpoint }),
    credentials: compactCredentials(credentials),
    inventory,
    deleteContainers,
    ...(awaitDeletions !== undefined && { awaitDeletions }),
    salt,
  };
}
