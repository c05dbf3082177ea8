import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { isUnknown } from "../base/unknown";
import { checkTimeout } from "../engine/checkTimeout";
import { checkWord } from "../engine/checkWord";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { findControlPlanes } from "../lifecycle/findControlPlanes";
import { readyForStage } from "../lifecycle/rotation/readyForStage";
import { rewriteSecrets } from "../lifecycle/rotation/rewriteSecrets";
import {
  tokensRenewed,
  WHEN_TOKENS_ARE_OLD,
  type WhenTokensAreOld,
} from "../lifecycle/rotation/tokensRenewed";
import type { ClientCredentials } from "../pki/clientCredentials";
import { generationsOf } from "../pki/rotation/planGenerations";
import type { Rotation } from "../pki/rotation/rotation";
import { outlineInput } from "../render/outlineInput";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { outlineOf } from "../render/renderMachineConfiguration";

/** Arguments of `RotationGate`. */
export interface RotationGateArgs {
  /**
   * EC2 instance id of the control plane machine. Another one is new, and doesn't know the others.
   * So an update that replaces this machine can't begin a stage, and is refused. Default: unknown,
   * and the gate waits for the machine.
   */
  readonly machineId?: pulumi.Input<string>;
  /** Address of a control plane machine. It knows the others. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The stages to begin. */
  readonly rotation: pulumi.Input<Rotation>;
  /** `MachineConfiguration.redactedConfiguration` of the control plane in these stages. */
  readonly redactedConfiguration: pulumi.Input<ConfigurationOutline>;
  /** How long all machines together may take to answer. Seconds. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * How long it may take to write all Secrets again, before a secretbox key is dropped. Seconds.
   * Default: 1800.
   */
  readonly rewriteTimeoutSeconds?: pulumi.Input<number>;
  /**
   * What happens before a service account key is dropped, if pods may still hold tokens of it.
   * `fail` changes nothing, names them, and says when their kubelets have renewed the tokens.
   * `proceed` warns, and the API servers refuse those pods. Default: `fail`.
   */
  readonly whenTokensAreOld?: pulumi.Input<WhenTokensAreOld>;
}

/** How `RotationGate` is registered. */
export const rotationGateKind: TalosKind<RotationGateArgs> = {
  name: "RotationGate",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    ...(args.machineId !== undefined && { machineId: args.machineId }),
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    rotation: args.rotation,
    redactedConfiguration: outlineInput(args.redactedConfiguration),
    timeoutSeconds: args.timeoutSeconds ?? 300,
    rewriteTimeoutSeconds: args.rewriteTimeoutSeconds ?? 1_800,
    whenTokensAreOld: args.whenTokensAreOld ?? "fail",
  }),
};

/**
 * Gate before a stage of a rotation. When the stages change, it asks every machine of the cluster
 * whether it completed the stage before. Let the machines' `ConfigurationApply` depend on it: if a
 * machine lags behind, nothing is changed. This also holds in an update without a preview, and for
 * machines that AWS or Karpenter created. The create asks no machine, because the first stage only accepts one
 * more CA.
 *
 * Before machines drop a service account key, no pod may hold a token of it. A kubelet renews most
 * tokens within 50 minutes, and all within a day. Before machines drop a secretbox key, it has every
 * Secret written again, so that only the other key is needed. For both it uses the Kubernetes API on
 * port 6443.
 */
export class RotationGate extends TalosResource {
  constructor(name: string, args: RotationGateArgs, opts?: pulumi.CustomResourceOptions) {
    super(rotationGateKind, name, args, opts);
  }
}

interface Inputs {
  /** Absent if the program doesn't name it. */
  readonly machineId?: string;
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly rotation: Rotation;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly timeoutSeconds: number;
  readonly rewriteTimeoutSeconds: number;
  readonly whenTokensAreOld?: WhenTokensAreOld;
}

interface State {
  readonly rotation: Rotation;
  /** Absent from states of older releases. */
  readonly machineId?: string;
}

/** Why a stage can't begin. */
const NEW_MACHINE =
  'this update replaces the control plane machine that reports the others\' stages: set the rotation back to the previous stage, run "pulumi up" to replace the machine, then begin this stage';

/** Checks, creates, reads, updates and deletes `RotationGate`. */
export const rotationGateHandler: Handler<Inputs, State> = {
  achieved: { update: "every machine is ready for this stage" },

  // The machine's id tells the gates of two clusters in one stack apart, which begin the same stage.
  transient: [
    ...(["node", "endpoint", "credentials", "redactedConfiguration"] as const),
    ...(["timeoutSeconds", "rewriteTimeoutSeconds", "whenTokensAreOld"] as const),
  ],

  check(olds, news) {
    const former = olds?.rotation;
    const { whenTokensAreOld: whenOld = "fail" } = news;
    const isRefused =
      former !== undefined && begins({ rotation: former }, news) && isUnknown(news.machineId);
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...checkTimeout(news.rewriteTimeoutSeconds, "rewriteTimeoutSeconds"),
      ...checkWord("whenTokensAreOld", whenOld, WHEN_TOKENS_ARE_OLD),
      ...(isRefused ? [{ property: "rotation", reason: NEW_MACHINE }] : []),
    ];
    // The engine needs each transient input to be present.
    return Promise.resolve({ inputs: { ...news, whenTokensAreOld: whenOld }, failures });
  },

  diff(_id, state, news) {
    return { changes: isNewMachine(state, news) || begins(state, news) };
  },

  create(inputs) {
    return Promise.resolve({ id: "rotation", state: stateOf(inputs) });
  },

  async update(_id, state, news, progress) {
    const { rotation, redactedConfiguration, timeoutSeconds } = news;
    if (!begins(state, news)) {
      return stateOf(news);
    }
    if (isNewMachine(state, news)) {
      throw new Error(NEW_MACHINE);
    }
    const target = outlineOf(redactedConfiguration);
    if (target !== undefined) {
      const deadline = clock.now() + timeoutSeconds * 1_000;
      await readyForStage(news, { rotation, outline: target }, deadline, progress);
    }
    // A key that is only accepted has signed no token, so going back needs no wait.
    const isLast = rotation.serviceAccountKey?.stage === "drop";
    if (isLast && drops("serviceAccountKey", state.rotation, rotation)) {
      const { whenTokensAreOld: whenOld = "fail" } = news;
      const deadline = clock.now() + timeoutSeconds * 1_000;
      await tokensRenewed({ controlPlanes: [news], whenOld, deadline, progress });
    }
    if (drops("secretboxKey", state.rotation, rotation)) {
      const deadline = clock.now() + news.rewriteTimeoutSeconds * 1_000;
      const controlPlanes = await findControlPlanes(news);
      await rewriteSecrets({ controlPlanes, deadline, progress });
    }
    return stateOf(news);
  },
};

/** Whether a stage begins. */
function begins(before: Pick<State, "rotation">, { rotation }: Pick<State, "rotation">): boolean {
  return !isDeepStrictEqual(rotation, before.rotation);
}

/** A refresh, programs of older releases, and some of this one name no machine. */
function isNewMachine(before: Pick<State, "machineId">, after: Pick<State, "machineId">): boolean {
  return isNamed(before) && isNamed(after) && before.machineId !== after.machineId;
}

function stateOf(inputs: Inputs): State {
  const { machineId, rotation } = inputs;
  return { rotation, ...(machineId !== undefined && isNamed(inputs) && { machineId }) };
}

function isNamed({ machineId = "" }: Pick<State, "machineId">): boolean {
  return machineId !== "";
}

/** Whether API servers will no longer accept a key that they accept now. */
function drops(
  secret: "serviceAccountKey" | "secretboxKey",
  before: Rotation,
  after: Rotation,
): boolean {
  const kept = generationsOf(secret, after[secret]);
  return generationsOf(secret, before[secret]).some((each) => !kept.includes(each));
}
