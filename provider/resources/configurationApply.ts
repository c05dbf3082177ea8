import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../config/patch";
import { DEFAULT_SETTLED_SECONDS } from "../lifecycle/awaitWell";
import type { ApplyMode, FirstDelivery } from "../lifecycle/delivery";
import type { Takeover } from "../lifecycle/takeOverMachine";
import type { OnDestroy } from "../onDestroy";
import type { ClientCredentials } from "../pki/clientCredentials";
import { readPatchArgument } from "../readPatchFiles";
import type { RedactedConfiguration } from "../renderConfiguration";
import { TalosResource } from "../talosResource";
import type { DrainArgs } from "./applyDrain";

/** Arguments of `ConfigurationApply`. */
export interface ConfigurationApplyArgs {
  /**
   * What machine this is: its EC2 instance id. Another id is another machine, which has no
   * configuration yet: the resource is replaced.
   */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /**
   * The Talos API to dial, when it isn't the machine's own: a control plane that forwards. The
   * first configuration can't be forwarded: a machine without one is dialled at `node`.
   * Default: `node`.
   */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * Where the other machines of the cluster find it: its address inside the network, also when that is
   * `node`. A control plane machine that is gone for good is found in etcd by it, when `onDestroy`
   * says that it leaves. Default: `node`, and where etcd knows none of that address the machine is
   * waited for.
   */
  readonly privateAddress?: pulumi.Input<string>;
  /**
   * `ClientConfiguration.credentials`. They are kept, encrypted, as `refresh` and `destroy` need
   * them: take ones that live as long as the machine does.
   */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `MachineConfiguration.machineConfiguration`. */
  readonly machineConfiguration: pulumi.Input<string>;
  /**
   * `MachineConfiguration.redactedConfiguration`: what a first preview shows, when there is no
   * configuration yet. Default: then it shows nothing.
   */
  readonly redactedConfiguration?: pulumi.Input<RedactedConfiguration>;
  /**
   * Patches for this machine alone, applied after those of its role, in the forms that
   * `MachineConfiguration` takes. Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * How the machine gets its first configuration: `apply`, over the API, unauthenticated if it waits
   * for one in maintenance mode; or `userData`: it has booted with it, and is never trusted without a
   * certificate. Default: `apply`.
   */
  readonly delivery?: pulumi.Input<FirstDelivery>;
  /**
   * Fingerprints of the maintenance certificate that the machine may show, as its console prints them
   * and `talosctl apply-config --cert-fingerprint` takes them. With them nobody else gets the first
   * configuration. Talos makes the certificate anew at each boot. Default: the first to answer in
   * maintenance mode gets it.
   */
  readonly maintenanceFingerprints?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How another configuration than the first is taken: `auto`, `noReboot`, `reboot` or `staged`.
   * Default: `auto`, which reboots the machine when Talos has to.
   */
  readonly mode?: pulumi.Input<ApplyMode>;
  /**
   * What is done to a machine that is configured already when this resource is made, and runs something
   * else; no preview can know that, as none contacts machines:
   *
   * - `look`: nothing. What differs is a warning, `pulumi preview --refresh` then shows it line by line,
   *   and the next `up` changes it;
   * - `noReboot`: what needs no reboot is changed at once. Otherwise nothing is, and the `up` fails with
   *   what differs; the machine is recorded, and the next `up` changes it;
   * - `auto`: it is changed at once, with a reboot where Talos has to.
   *
   * Machines with their configuration by user data have just been made: `auto`. Default: `noReboot`.
   */
  readonly takeover?: pulumi.Input<Takeover>;
  /**
   * What becomes of the machine when this resource is deleted. Default: nothing. The environment
   * variable `TALOS_AWS_ON_DESTROY` says otherwise for one run: `none`, or JSON of the same shape.
   */
  readonly onDestroy?: pulumi.Input<OnDestroy>;
  /**
   * Whether the machine's Talos follows the installer in its configuration (`machine.install.image`, of which
   * `MachineConfiguration.talosVersion` and its extensions are part). An update then upgrades the machine in
   * place before it changes its configuration: Talos drains the node, installs beside the old system, and
   * restarts. In the modes `noReboot` and `staged`, and where the installer's tag is no version, Talos is
   * left as it is. Default: true.
   */
  readonly upgradeTalos?: pulumi.Input<boolean>;
  /** How long an upgrade may take, drain and restart included, besides `timeoutSeconds`. Default: 1800. */
  readonly upgradeTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Drains the machine's node before the machine restarts, for another Talos or a configuration that needs it:
   * the node is cordoned, its pods are evicted as their PodDisruptionBudgets allow, and pods are let in again
   * when the machine is well, or the change has failed. Default: undefined, Talos drains by itself for an upgrade,
   * for five minutes at most, and not for a configuration.
   */
  readonly drain?: pulumi.Input<DrainArgs>;
  /**
   * Whether a `KubernetesManifests` brings what the configuration's manifests name to the cluster. Otherwise a preview
   * says what stays as it is. Default: false.
   */
  readonly manifestsFollow?: pulumi.Input<boolean>;
  /** How long to wait until the machine runs the configuration and is well. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * How long a machine has to stay well after a change until that counts as done. More of it finds what
   * fails late; every change takes so much longer. Seconds. Default: 5.
   */
  readonly settledSeconds?: pulumi.Input<number>;
}

/**
 * One machine runs one configuration. Done when the machine itself says so, and is well again: after a
 * change its services and static pods were started with it, are ready and stay so (`settledSeconds`), and
 * so is its node. A machine that never was up needs only run the configuration, as the first one of a
 * cluster waits for its bootstrap; a staged configuration changes nothing yet. A change that fails at the
 * deadline is recorded, as the machine has it: the next `up` waits again, or takes it back.
 *
 * Another Talos in the configuration's installer upgrades the machine in place (`upgradeTalos`): one minor at
 * a time, a control plane machine only while all members of etcd are healthy. Done when the machine itself says
 * that it runs that version and schematic; one that comes back on its old system is an error.
 *
 * `pulumi refresh` finds what somebody else changed, also an upgrade, and the next `up` takes it back; a
 * machine that doesn't answer is warned of, and stays recorded as it was.
 *
 * A machine is trusted without mutual TLS only for its first configuration, while it is in maintenance
 * mode and the state says that none was sent. Who answers at its address first then gets the
 * configuration, keys and all: give `maintenanceFingerprints`, or have the firewall let only operators
 * in. The fingerprint of that server is recorded until the machine has proven, over mutual TLS, that it
 * runs the configuration; until then it is sent to nobody else, and a machine in maintenance mode with
 * another certificate is an error that asks for a replacement or for the fingerprint. From then on every
 * call is mutual TLS with the cluster's certificate authority. An engine that is killed during the
 * create records nothing: the next run trusts the first to answer again.
 *
 * A preview shows line by line what changes on the machine. The state keeps of the configuration
 * only what that takes: `ignoreChanges` can't name `machineConfiguration`, `patches` and the like.
 */
export class ConfigurationApply extends TalosResource {
  declare public readonly node: pulumi.Output<string>;
  /**
   * SHA-256, hex, of the meaning of the configuration that the machine runs. Not known in the
   * preview of a change.
   */
  declare public readonly configurationHash: pulumi.Output<string>;

  constructor(name: string, args: ConfigurationApplyArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      machineId: args.machineId,
      node: args.node,
      endpoint: args.endpoint ?? args.node,
      privateAddress: args.privateAddress,
      credentials: pulumi.secret(args.credentials),
      machineConfiguration: pulumi.secret(args.machineConfiguration),
      patches: readPatchArgument(args.patches ?? []),
      delivery: args.delivery ?? "apply",
      maintenanceFingerprints: args.maintenanceFingerprints ?? [],
      mode: args.mode ?? "auto",
      takeover: args.takeover,
      onDestroy: args.onDestroy,
      upgradeTalos: args.upgradeTalos,
      upgradeTimeoutSeconds: args.upgradeTimeoutSeconds,
      drain: args.drain,
      manifestsFollow: args.manifestsFollow,
      timeoutSeconds: args.timeoutSeconds ?? 600,
      settledSeconds: args.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
      configurationHash: undefined,
      redactedConfiguration: args.redactedConfiguration ?? "",
    };
    super("ConfigurationApply", name, props, ["credentials", "machineConfiguration"], opts);
  }
}
