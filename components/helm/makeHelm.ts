import * as pulumi from "@pulumi/pulumi";
import type { NodeObserver } from "../workers/nodeObserver";
import { forgetPending } from "./forgetPending";
import type { HelmReleaseArgs } from "./helmArgs";
import { type HelmReleaseInputs, inOrder, planHelmRelease } from "./planHelmRelease";

/**
 * The release of Pulumi's Kubernetes plugin, which Pulumi's engine fetches by itself. It is the newest that npm has
 * as `@pulumi/kubernetes`, whose SDK programs need not have.
 */
export const KUBERNETES_PLUGIN_VERSION = "4.34.2";

/** What of a cluster its Helm releases need. */
export interface HelmScope {
  /** Known when the cluster is healthy, so releases come after that, and go before any machine. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Stays the same for this cluster's life. Another certificate or CA in the kubeconfig is then no other cluster. */
  readonly clusterIdentifier: string;
  /** How to ask Kubernetes what a killed run has left. */
  readonly observer: pulumi.Output<NodeObserver>;
}

/**
 * What the plugin is configured with, as far as this package gives it.
 * Source: schema of pulumi-kubernetes v4.34.2, `pulumi:providers:kubernetes`.
 */
export interface KubernetesProviderInputs {
  readonly kubeconfig: pulumi.Input<string>;
  readonly clusterIdentifier: string;
}

/** Pulumi's Kubernetes provider, by its type: this package needs no SDK of it. */
class KubernetesProvider extends pulumi.ProviderResource {
  constructor(name: string, inputs: KubernetesProviderInputs, opts: pulumi.ResourceOptions) {
    super("kubernetes", name, { ...inputs }, { ...opts, version: KUBERNETES_PLUGIN_VERSION });
  }
}

/** A release of Helm, by its type. */
class HelmRelease extends pulumi.CustomResource {
  constructor(name: string, inputs: HelmReleaseInputs, opts: pulumi.CustomResourceOptions) {
    const versioned = { ...opts, version: KUBERNETES_PLUGIN_VERSION };
    super("kubernetes:helm.sh/v3:Release", name, { ...inputs }, versioned);
  }
}

/**
 * Installs Helm releases in a cluster that is healthy.
 *
 * A destroy uninstalls them, unlike objects that go with the cluster (`deletedWith`): controllers have to delete what
 * charts had them make in AWS while the cluster lives.
 *
 * @param name the cluster's name in the stack, a prefix of the resources' names
 */
export function makeHelm(
  name: string,
  releases: Readonly<Record<string, HelmReleaseArgs>>,
  { kubeconfig, clusterIdentifier, observer }: HelmScope,
  child: pulumi.CustomResourceOptions,
): void {
  const names = inOrder(releases);
  if (names.length === 0) {
    return;
  }
  const provider = new KubernetesProvider(`${name}-helm`, { kubeconfig, clusterIdentifier }, child);
  const { parent } = child;
  const made = new Map<string, HelmRelease>();
  for (const release of names) {
    const { [release]: args } = releases;
    if (args !== undefined) {
      const dependsOn = (args.dependsOn ?? []).flatMap((before) => made.get(before) ?? []);
      const known = forgetPending(release, args, pulumi.all([observer, kubeconfig]), parent);
      made.set(
        release,
        new HelmRelease(`${name}-helm-${release}`, planHelmRelease(known, args), {
          ...child,
          provider,
          dependsOn,
          // In another namespace it would meet its own objects that belong to the whole cluster.
          deleteBeforeReplace: true,
        }),
      );
    }
  }
}
