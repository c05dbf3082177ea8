import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../config/patches/patch";
import { inputsBehind, markedIn } from "../../engine/markedInputs";
import type { OnDestroy } from "../../engine/onDestroy";
import { type TalosKind, TalosResource } from "../../engine/talosResource";
import type { ApplyMode, FirstDelivery, Takeover } from "../../lifecycle/delivery/delivery";
import { DEFAULT_SETTLED_SECONDS } from "../../lifecycle/health/awaitHealthy";
import type { ClientCredentials } from "../../pki/clientCredentials";
import { outlineInput } from "../../render/outlineInput";
import { readPatchArgument } from "../../render/readPatchFiles";
import type { ConfigurationOutline } from "../../render/renderConfiguration";
import type { ConfigurationRevision } from "../configurationRevision";
import type { ConsoleArgs } from "../consoleArgs";
import { DEFAULT_TIMEOUT_SECONDS, isMarkable } from "./applyChecks";
import type { DrainArgs } from "./applyDrain";

/** Arguments of `ConfigurationApply`. */
export interface ConfigurationApplyArgs {
  /**
   * The machine's EC2 instance id. Another id is another machine without a configuration, so the
   * resource is replaced.
   */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /**
   * The Talos API to dial, if it isn't the machine's own: a control plane machine that forwards.
   * The first configuration can't be forwarded, so a machine without one is dialled at `node`.
   * Default: `node`.
   */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * The machine's address inside the network, also if that is `node`. With `onDestroy.leaveEtcd`,
   * the etcd member of a lost machine is found by it. Default: `node`. If etcd knows no such
   * address, the delete waits for the machine.
   */
  readonly privateAddress?: pulumi.Input<string>;
  /**
   * `ClientConfiguration.credentials`. They are stored, encrypted, because `refresh` and `destroy`
   * need them. Use credentials that live as long as the machine.
   */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `MachineConfiguration.machineConfiguration`. Secret. */
  readonly machineConfiguration: pulumi.Input<string>;
  /**
   * `MachineConfiguration.redactedConfiguration`, which a first preview shows while the
   * configuration is unknown. Default: that preview shows nothing.
   */
  readonly redactedConfiguration?: pulumi.Input<ConfigurationOutline>;
  /**
   * `MachineConfiguration.revision`. With it, an update without a refresh also asks the machine if a
   * killed run had begun another change, and takes that back. Default: what is recorded of the
   * machine is trusted, except in a refresh.
   */
  readonly revision?: pulumi.Input<ConfigurationRevision | undefined>;
  /**
   * This machine's number in `MachineConfiguration.machineRevisions`. With it, the same holds for
   * changes of `patches`. Default: 0.
   */
  readonly machineRevision?: pulumi.Input<number | undefined>;
  /**
   * Patches for this machine, applied after those of its role, in the formats of
   * `MachineConfiguration`. Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * How the machine gets its first configuration. `apply`: over the API, unauthenticated if the
   * machine waits in maintenance mode. `userData`: it has booted with it, and is never trusted
   * without a certificate. Default: `apply`.
   */
  readonly delivery?: pulumi.Input<FirstDelivery>;
  /**
   * Fingerprints of the machine's maintenance certificate, as its console prints them and `talosctl
   * apply-config --cert-fingerprint` accepts them. Only a machine with one of them gets the first
   * configuration. Talos creates a new certificate at each boot, and when it learns the time.
   * Default: the first machine that answers in maintenance mode gets it; see `firstContact`.
   */
  readonly maintenanceFingerprints?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * `FirstContact.fingerprints`. With it, a create that another run had begun before it was killed
   * sends the configuration only to the machine that was met first. `maintenanceFingerprints`
   * take precedence. Default: such a create trusts the first machine that answers.
   */
  readonly firstContact?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Where EC2 shows what the machine prints. With it, a machine without a configuration gets one only
   * if it prints the fingerprint of its certificate there, whenever it has made that.
   * `maintenanceFingerprints` take precedence. Default: see those.
   */
  readonly console?: ConsoleArgs | undefined;
  /**
   * How a later configuration is applied: `auto`, `noReboot`, `reboot` or `staged`. Default:
   * `auto`, which reboots the machine if Talos requires it, or if the change takes effect only then.
   */
  readonly mode?: pulumi.Input<ApplyMode>;
  /**
   * What the create does with a machine that is already configured differently. A preview can't
   * know this, because it contacts no machine.
   * - `look`: it changes nothing and warns. `pulumi preview --refresh` then shows each line, and
   *   the next `up` changes it.
   * - `noReboot`: it applies a change that needs no reboot. Otherwise it changes nothing, records
   *   the machine and fails with the differences. The next `up` applies them.
   * - `auto`: it applies the change, with a reboot if Talos requires it.
   *
   * With each, a setting that a machine keeps from its birth changes only with `acceptedChanges`.
   * Otherwise the machine gets nothing, and the error lists all such settings.
   *
   * A machine with its configuration in user data has just been created: `auto`. Default:
   * `noReboot`.
   */
  readonly takeover?: pulumi.Input<Takeover>;
  /**
   * What happens to the machine when this resource is deleted. Default: nothing. The environment
   * variable `TALOS_AWS_ON_DESTROY` overrides it for one run: `none`, or JSON of the same shape.
   */
  readonly onDestroy?: pulumi.Input<OnDestroy>;
  /**
   * Whether the machine's Talos follows the installer in its configuration
   * (`machine.install.image`, from `MachineConfiguration.talosVersion` and extensions). An update
   * then first upgrades the machine in place: Talos drains the node, installs beside the old
   * system, and restarts. Talos is not upgraded in the modes `noReboot` and `staged`, or if the
   * installer's tag is no version. Default: true.
   */
  readonly upgradeTalos?: pulumi.Input<boolean>;
  /**
   * How long an upgrade may take, with drain and restart, in addition to `timeoutSeconds`. Seconds.
   * Default: 1800.
   */
  readonly upgradeTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Drains the machine's node before the machine restarts for another Talos or a configuration. The
   * node is cordoned, and its pods are evicted as their PodDisruptionBudgets allow. It is
   * uncordoned when the machine is healthy, or the change has failed. Default: undefined. Talos
   * then drains only for an upgrade, for at most five minutes.
   */
  readonly drain?: pulumi.Input<DrainArgs>;
  /**
   * Accepts changes of settings that a cluster, machine or volume keeps from its birth, such as the
   * ranges of pods or the encryption of a volume. A preview refuses them for a machine that runs. The
   * key is the path, and the value the new value, both as the refusal quotes them. Read there what
   * happens. The way back to what the machine was born with needs no entry. An entry for a completed
   * change has no effect. Default: none.
   */
  readonly acceptedChanges?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /**
   * Whether a `KubernetesManifests` applies the configuration's manifests to the cluster. Otherwise
   * a preview lists what stays unchanged. Default: false.
   */
  readonly manifestsFollow?: pulumi.Input<boolean>;
  /**
   * How long to wait until the machine runs the configuration and is healthy. Seconds. Default:
   * 600.
   */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * How long a machine must stay healthy before a change counts as done. A larger value finds late
   * failures, and makes every change slower. Seconds. Default: 5.
   */
  readonly settledSeconds?: pulumi.Input<number>;
}

/** How `ConfigurationApply` is registered. */
export const configurationApplyKind: TalosKind<ConfigurationApplyArgs> = {
  name: "ConfigurationApply",
  secrets: ["credentials", "machineConfiguration", "markedValues"],
  isMarkable,
  inputsOf: (args) => ({
    machineId: args.machineId,
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    privateAddress: args.privateAddress,
    credentials: pulumi.secret(args.credentials),
    machineConfiguration: pulumi.secret(args.machineConfiguration),
    revision: args.revision,
    machineRevision: args.machineRevision,
    patches: readPatchArgument(args.patches ?? []),
    markedValues: markedIn([
      args.patches,
      inputsBehind(args.redactedConfiguration, args.machineConfiguration),
    ]),
    delivery: args.delivery ?? "apply",
    maintenanceFingerprints: args.maintenanceFingerprints ?? [],
    firstContact: args.firstContact,
    console: args.console && pulumi.secret(args.console),
    mode: args.mode ?? "auto",
    takeover: args.takeover,
    onDestroy: args.onDestroy,
    upgradeTalos: args.upgradeTalos,
    upgradeTimeoutSeconds: args.upgradeTimeoutSeconds,
    drain: args.drain,
    acceptedChanges: args.acceptedChanges,
    manifestsFollow: args.manifestsFollow,
    timeoutSeconds: args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    settledSeconds: args.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
    configurationHash: undefined,
    redactedConfiguration: "",
    roleOutline: outlineInput(args.redactedConfiguration),
  }),
};

/**
 * Applies one configuration to one machine. It is done when the machine reports that it runs the
 * configuration and is healthy. After a change, its services and static pods must have been
 * restarted with it, and be ready for `settledSeconds`, like its node. A machine that was never up
 * only has to run the configuration, because the first machine of a cluster waits for its
 * bootstrap. A staged configuration changes nothing yet. A change that fails at the deadline is
 * recorded as applied: the next `up` waits again, or applies a reverted program.
 *
 * Another Talos in the configuration's installer upgrades the machine in place (`upgradeTalos`):
 * one minor at a time, and a control plane machine only while all members of etcd are healthy. The
 * upgrade is done when the machine reports that version and schematic. If it returns with its old
 * system, that is an error.
 *
 * `pulumi refresh` finds manual changes, also an upgrade, and the next `up` reverts them. For a
 * machine that doesn't answer it warns, and keeps the recorded state.
 *
 * A machine is trusted without mutual TLS only for its first configuration, in maintenance mode,
 * and only if the state says that none was sent. With `console` or `maintenanceFingerprints`, it must
 * prove that it is the machine. Without, the first server that answers at its address gets the
 * configuration with all keys. The server's fingerprint is recorded until the machine has proven over mutual TLS
 * that it runs the configuration. Until then only that server gets it. A machine in maintenance
 * mode with another certificate is an error, which asks for a replacement or for the fingerprint.
 * All later calls use mutual TLS with the cluster's CA. An engine that is killed during the create
 * records nothing. With `firstContact`, the next run sends the configuration only to the machine that
 * was met before. Without, it trusts the first machine that answers again.
 *
 * A preview shows each line that changes on the machine. The state stores only what that needs of
 * the configuration, so `ignoreChanges` can't name `machineConfiguration`, `patches` and similar
 * inputs, nor what is computed from them, such as `redactedConfiguration`. That is refused.
 */
export class ConfigurationApply extends TalosResource {
  declare readonly node: pulumi.Output<string>;
  /**
   * SHA-256, hex, of the content of the machine's configuration. Unknown in the preview of a
   * change.
   */
  declare readonly configurationHash: pulumi.Output<string>;

  constructor(name: string, args: ConfigurationApplyArgs, opts?: pulumi.CustomResourceOptions) {
    super(configurationApplyKind, name, args, opts);
  }
}
