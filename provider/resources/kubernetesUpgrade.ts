import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import { judgeKubernetesPath, releaseOf } from "../config/kubernetesPath";
import type { ConfigDocument } from "../config/machineConfig";
import type { CheckFailure, Handler } from "../handler";
import { DEFAULT_SETTLED_SECONDS } from "../lifecycle/awaitWell";
import {
  type ControlPlaneImages,
  imagesOf,
  upgradeControlPlane,
} from "../lifecycle/upgradeControlPlane";
import { outlineInput } from "../outlineInput";
import type { ClientCredentials } from "../pki/clientCredentials";
import type { ConfigurationOutline } from "../renderConfiguration";
import { outlineOf } from "../renderMachineConfiguration";
import { type TalosKind, TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";
import { checkSettled } from "./applyWellness";

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
  /** How long a machine must stay healthy after each change. Seconds. Default: 5. */
  readonly settledSeconds?: pulumi.Input<number>;
  /** How long the upgrade may take. Seconds. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
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
    settledSeconds: args.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
    timeoutSeconds: args.timeoutSeconds ?? 3_600,
  }),
};

/**
 * The Kubernetes release of a control plane. When the images in its configuration change, it
 * upgrades the API servers machine by machine, then the controller managers, then the schedulers,
 * as `talosctl upgrade-k8s` does. First it pulls the images on all machines. Let the machines'
 * `ConfigurationApply` depend on it: they then upgrade the kubelets, which must not be newer than
 * an API server. The create does nothing, because new machines start with their images.
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
  readonly settledSeconds: number;
  readonly timeoutSeconds: number;
  /**
   * Computed by `check`; absent while the configuration is unknown, or if it leaves the images to
   * Talos.
   */
  readonly images?: ControlPlaneImages;
}

interface State {
  readonly images?: ControlPlaneImages;
  readonly machineId: string;
}

/** Checks, creates, reads, updates and deletes `KubernetesUpgrade`. */
export const kubernetesUpgradeHandler: Handler<Inputs, State> = {
  transient: [
    ...(["machineId", "node", "endpoint", "credentials"] as const),
    ...(["redactedConfiguration", "settledSeconds", "timeoutSeconds"] as const),
  ],
  computed: ["images"],

  check(olds, news) {
    const outline = outlineOf(news.redactedConfiguration);
    const images = outline && imagesOf(outline);
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...checkSettled(news.settledSeconds),
      ...checkPath(olds?.images, images),
      ...(isUnknown(news.machineId) ? refuseNewMachine(olds?.images, images) : []),
    ];
    return Promise.resolve({ inputs: { ...news, ...(images && { images }) }, failures });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "node");
    return {
      changes:
        !isRefresh &&
        (news.machineId !== state.machineId || !isDeepStrictEqual(news.images, state.images)),
    };
  },

  create(inputs) {
    return Promise.resolve({ id: "kubernetes", state: stateOf(inputs) });
  },

  async update(_id, state, news, progress) {
    const { machineId, images, settledSeconds, timeoutSeconds } = news;
    const isThere = machineId === state.machineId;
    const [refusal] = isThere ? [] : refuseNewMachine(state.images, images);
    if (refusal !== undefined) {
      throw new Error(refusal.reason);
    }
    if (isThere && images !== undefined && !isDeepStrictEqual(images, state.images)) {
      const deadline = clock.now() + timeoutSeconds * 1_000;
      await upgradeControlPlane({ machine: news, images, settledSeconds, deadline, progress });
    }
    return stateOf(news);
  },
};

function checkPath(
  before: ControlPlaneImages | undefined,
  after: ControlPlaneImages | undefined,
): CheckFailure[] {
  if (before === undefined || after === undefined) {
    return [];
  }
  const { problem } = judgeKubernetesPath(outlineOfImages(before), outlineOfImages(after));
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

function stateOf({ machineId, images }: Inputs): State {
  return { machineId, ...(images && { images }) };
}
