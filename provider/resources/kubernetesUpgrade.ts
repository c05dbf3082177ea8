import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import type { Progress } from "../base/progress";
import { isUnknown } from "../base/unknown";
import { judgeKubernetesPath, releaseOf } from "../config/kubernetesPath";
import type { ConfigDocument } from "../config/machineConfig";
import { orderReleases } from "../config/releases/releaseOrder";
import { installerOf } from "../config/settings/installer";
import { systemOfInstaller } from "../config/talosSystem";
import { checkTimeout } from "../engine/checkTimeout";
import { type CheckFailure, type Handler, PartialUpdateError } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { DEFAULT_SETTLED_SECONDS } from "../lifecycle/health/awaitHealthy";
import type { Machine } from "../lifecycle/machine";
import { type ControlPlaneImages, imagesOf } from "../lifecycle/upgrade/controlPlaneImages";
import { upgradeControlPlane } from "../lifecycle/upgrade/upgradeControlPlane";
import type { ClientCredentials } from "../pki/clientCredentials";
import { outlineInput } from "../render/outlineInput";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { outlineOf } from "../render/renderMachineConfiguration";
import { checkDrain, type Drain, type DrainArgs, NodeDrain } from "./configurationApply/applyDrain";
import { DEFAULT_UPGRADE_TIMEOUT_SECONDS } from "./configurationApply/applyUpgrade";
import { checkSettled } from "./configurationApply/recordedHealth";
import {
  type ConfigurationRevision,
  isOtherRevision,
  isRevisedTwice,
} from "./configurationRevision";

/** Arguments of `KubernetesUpgrade`. */
export interface KubernetesUpgradeArgs {
  /**
   * EC2 instance id of the control plane machine to ask. Another one is new, and has no cluster
   * yet. So an update that replaces this machine can't upgrade Kubernetes, and is refused.
   */
  readonly machineId: pulumi.Input<string>;
  /** Address of that machine, which knows the others. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `MachineConfiguration.redactedConfiguration` of the control plane. It names the images. */
  readonly redactedConfiguration: pulumi.Input<ConfigurationOutline>;
  /** `MachineConfiguration.revision` of the control plane. Default: as in `ConfigurationApply`. */
  readonly revision?: pulumi.Input<ConfigurationRevision | undefined>;
  /** How long a machine must stay healthy after each change. Seconds. Default: 5. */
  readonly settledSeconds?: pulumi.Input<number>;
  /** How long the upgrade may take, without changes of Talos. Seconds. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * Whether machines whose running Talos doesn't support the new Kubernetes first get the Talos of
   * the configuration's installer, one after another. If false, such machines are an error before any
   * change. Set it as `ConfigurationApply.upgradeTalos` of the machines. Default: true.
   */
  readonly upgradeTalos?: pulumi.Input<boolean>;
  /** How long Talos may take on each machine, with drain and restart. Seconds. Default: 1800. */
  readonly upgradeTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Drains a machine's node before Talos changes, as `ConfigurationApply.drain`. Default: undefined.
   * Talos then drains, for at most five minutes.
   */
  readonly drain?: pulumi.Input<DrainArgs>;
}

/** How `KubernetesUpgrade` is registered. */
export const kubernetesUpgradeKind: TalosKind<KubernetesUpgradeArgs> = {
  name: "KubernetesUpgrade",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    machineId: args.machineId,
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    redactedConfiguration: outlineInput(args.redactedConfiguration),
    revision: args.revision,
    settledSeconds: args.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
    timeoutSeconds: args.timeoutSeconds ?? 3_600,
    upgradeTalos: args.upgradeTalos ?? true,
    upgradeTimeoutSeconds: args.upgradeTimeoutSeconds ?? DEFAULT_UPGRADE_TIMEOUT_SECONDS,
    drain: args.drain,
  }),
};

/**
 * The Kubernetes release of a control plane. When the images in its configuration change, it
 * upgrades the API servers machine by machine, then the controller managers, then the schedulers,
 * as `talosctl upgrade-k8s` does. First it pulls the images on all machines. Let the machines'
 * `ConfigurationApply` depend on it: they then upgrade the kubelets, which must not be newer than
 * an API server. The create does nothing, because new machines start with their images.
 *
 * A machine refuses images that its running Talos doesn't support. So each machine is asked before
 * the first change, and gets the Talos of its configuration first if it needs it. An upgrade that
 * failed half-way is recorded as unfinished: the next `up` continues it, or takes it back.
 */
export class KubernetesUpgrade extends TalosResource {
  constructor(name: string, args: KubernetesUpgradeArgs, opts?: pulumi.CustomResourceOptions) {
    super(kubernetesUpgradeKind, name, args, opts);
  }
}

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly revision?: ConfigurationRevision | undefined;
  readonly settledSeconds: number;
  readonly timeoutSeconds: number;
  /** Absent in the inputs of older releases, as the two that follow. */
  readonly upgradeTalos?: boolean;
  readonly upgradeTimeoutSeconds?: number;
  readonly drain?: Drain | undefined;
  /**
   * Computed by `check`; absent while the configuration is unknown, or if it leaves the images to
   * Talos.
   */
  readonly images?: ControlPlaneImages;
  /** Computed by `check`: the release of the installer, if Talos is upgraded here. */
  readonly talosVersion?: string;
}

interface State {
  readonly images?: ControlPlaneImages;
  readonly machineId: string;
  /** Of the configuration whose images all machines have. Absent for one that was never changed. */
  readonly revision?: ConfigurationRevision | undefined;
  /** The Talos that an upgrade installed last, because Kubernetes needed it. */
  readonly installedTalos?: string;
  /** Set if an upgrade changed machines and failed. Some run its images, others the recorded ones. */
  readonly isUnfinished?: true;
}

/** Checks, creates, reads, updates and deletes `KubernetesUpgrade`. */
export const kubernetesUpgradeHandler: Handler<Inputs, State> = {
  achieved: { update: "upgraded and healthy" },

  // The machine's id tells two clusters in one stack apart, which have the same images.
  transient: [
    ...(["node", "endpoint", "credentials"] as const),
    ...(["redactedConfiguration", "settledSeconds", "timeoutSeconds"] as const),
    ...(["upgradeTalos", "upgradeTimeoutSeconds", "drain", "revision"] as const),
  ],
  computed: ["images", "talosVersion"],

  check(olds, news) {
    const outline = outlineOf(news.redactedConfiguration);
    const images = outline && imagesOf(outline);
    const { upgradeTalos = true, drain } = news;
    const { upgradeTimeoutSeconds = DEFAULT_UPGRADE_TIMEOUT_SECONDS } = news;
    const installer = outline && upgradeTalos ? installerOf(outline) : undefined;
    const talosVersion = installer && systemOfInstaller(installer)?.version;
    const computed = { ...(images && { images }), ...(talosVersion && { talosVersion }) };
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...checkTimeout(upgradeTimeoutSeconds, "upgradeTimeoutSeconds"),
      ...checkSettled(news.settledSeconds),
      ...checkDrain(drain),
      ...checkPath(olds, computed),
      ...(isUnknown(news.machineId) ? refuseNewMachine(olds?.images, images) : []),
    ];
    const { revision } = news;
    const inputs = { ...news, upgradeTalos, upgradeTimeoutSeconds, drain, revision, ...computed };
    return Promise.resolve({ inputs, failures });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "node");
    return {
      changes:
        !isRefresh &&
        (news.machineId !== state.machineId ||
          state.isUnfinished === true ||
          isOther(state, news) ||
          isOtherRevision("kubernetes", state, news)),
    };
  },

  create(inputs) {
    return Promise.resolve({ id: "kubernetes", state: stateOf(inputs) });
  },

  async update(id, state, news, progress) {
    const { machineId, images } = news;
    const isThere = machineId === state.machineId;
    const [refusal] = isThere ? [] : refuseNewMachine(state.images, images);
    if (refusal !== undefined) {
      throw new Error(refusal.reason);
    }
    let { isUnfinished, installedTalos } = state;
    if (isRevisedTwice("kubernetes", state, news)) {
      // A run that was killed recorded nothing of what it changed.
      isUnfinished = true;
    }
    if (!isThere || images === undefined || !(isUnfinished || isOther(state, news))) {
      // A new machine knows no other yet, so the next update goes on with what is unfinished.
      return { ...stateOf(news, installedTalos), ...(isUnfinished && { isUnfinished }) };
    }
    const begins = (talosVersion = installedTalos) => {
      isUnfinished = true;
      installedTalos = talosVersion;
    };
    try {
      await upgradeControlPlane({ ...upgradeOf(news, images, progress), installedTalos, begins });
    } catch (error) {
      if (!isUnfinished) {
        throw error;
      }
      const message = messageOfError(error);
      const reached = { ...stateOf(state, installedTalos), isUnfinished };
      throw new PartialUpdateError(message, id, reached, { cause: error });
    }
    return stateOf(news, installedTalos);
  },
};

function isOther(state: State, { images }: Inputs): boolean {
  return !isDeepStrictEqual(images, state.images);
}

/** How the machines get their images, and their Talos. */
function upgradeOf(news: Inputs, images: ControlPlaneImages, progress: Progress) {
  const { settledSeconds, timeoutSeconds, drain, redactedConfiguration, upgradeTalos } = news;
  const { upgradeTimeoutSeconds = DEFAULT_UPGRADE_TIMEOUT_SECONDS } = news;
  const outline = outlineOf(redactedConfiguration);
  const installer = outline && upgradeTalos !== false ? installerOf(outline) : undefined;
  const talos = installer !== undefined && {
    installer,
    timeoutSeconds: upgradeTimeoutSeconds,
    drainOf: (machine: Machine) => new NodeDrain({ ...machine, drain }, true, progress),
  };
  return {
    machine: news,
    images,
    settledSeconds,
    progress,
    ...(talos && { talos }),
    deadline: clock.now() + timeoutSeconds * 1_000,
  };
}

/** The releases of a control plane, as far as its configuration names them. */
type DeclaredReleases = Pick<Inputs, "images" | "talosVersion">;

/** Steps of Kubernetes that are too long, and changes of both releases that have no order. */
function checkPath(
  before: Partial<DeclaredReleases> | undefined,
  after: DeclaredReleases,
): CheckFailure[] {
  const [from, to] = [before, after].map(
    (each) => each?.images && releaseOf(outlineOfImages(each.images)),
  );
  if (before?.images === undefined || after.images === undefined) {
    return [];
  }
  const order =
    from && to && before.talosVersion !== undefined && after.talosVersion !== undefined
      ? orderReleases(
          { talos: before.talosVersion, kubernetes: from.version },
          { talos: after.talosVersion, kubernetes: to.version },
        )
      : undefined;
  const problem =
    order !== undefined && "refusal" in order
      ? order.refusal
      : judgeKubernetesPath(outlineOfImages(before.images), outlineOfImages(after.images)).problem;
  return problem === undefined ? [] : [{ property: "kubernetesVersion", reason: problem }];
}

/** A new machine can't upgrade the others. Without that, their kubelets would be newer than an API server. */
function refuseNewMachine(
  before: ControlPlaneImages | undefined,
  after: ControlPlaneImages | undefined,
): CheckFailure[] {
  const [from, to] = [before, after].map((images) => images && releaseOf(outlineOfImages(images)));
  if (from === undefined || to === undefined || from.version === to.version) {
    return [];
  }
  const reason = `this update replaces the control plane machine that upgrades Kubernetes on the others: set Kubernetes back to ${from.version}, run "pulumi up" to replace the machine, then upgrade to ${to.version}`;
  return [{ property: "kubernetesVersion", reason }];
}

function outlineOfImages({ apiServer }: ControlPlaneImages): ConfigDocument {
  return { cluster: { apiServer: { image: apiServer } } };
}

function stateOf(
  { machineId, images, revision }: Pick<Inputs, "machineId" | "images" | "revision">,
  installedTalos?: string,
): State {
  return {
    machineId,
    ...(images && { images }),
    ...(revision && { revision }),
    ...(installedTalos && { installedTalos }),
  };
}
