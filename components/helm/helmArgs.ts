import type * as pulumi from "@pulumi/pulumi";

/**
 * A Helm release of a cluster: a chart, and what it is installed with. Helm itself installs it, so its hooks run and
 * `helm list` shows it. What the chart makes in AWS, such as load balancers, costs extra.
 */
export interface HelmReleaseArgs {
  /**
   * The chart: its name in `repository`, an address as `oci://ghcr.io/stefanprodan/charts/podinfo`, also with a digest
   * (`…/podinfo@sha256:…`), or a folder or archive on this computer, as `./charts/web`.
   */
  readonly chart: string;
  /**
   * The chart's release, exactly, as `6.9.2`; no range, so that a run later installs the same. A digest needs none. A
   * folder or an archive has its version inside: raise that in its `Chart.yaml` with each change, or nothing is upgraded.
   */
  readonly version?: string;
  /** URL of the chart's repository, as `https://charts.jetstack.io`. `pulumi` reads it, no machine does. */
  readonly repository?: string;
  /** The user that the repository or the registry asks for. Default: none. */
  readonly repositoryUsername?: pulumi.Input<string>;
  /** The user's password. Secret in the state. Default: none. */
  readonly repositoryPassword?: pulumi.Input<string>;
  /** The namespace of the release. Another one uninstalls it and installs it there. Default: `default`. */
  readonly namespace?: string;
  /**
   * Makes the namespace unless it is there. It has no labels and outlives the release. For pods that Pod Security's
   * `baseline` refuses, make it with labels by `manifests`. Default: true.
   */
  readonly createNamespace?: boolean;
  /**
   * Values of the chart. They may have secrets inside, which stay encrypted in the state; Helm keeps all values in a
   * Secret of the namespace. Default: the chart's own.
   */
  readonly values?: pulumi.Input<Readonly<Record<string, unknown>>>;
  /** Releases of this cluster that are installed before, and uninstalled after this one. Default: none. */
  readonly dependsOn?: readonly string[];
  /**
   * How long Helm may wait for each step: hooks, pods that are to be ready, objects that are to be gone. Seconds.
   * Default: 300.
   */
  readonly timeoutSeconds?: number;
  /**
   * Undoes a failed step: a first install is uninstalled, and an upgrade goes back to the release before. Otherwise it
   * stays as it is, to be looked at, and the next `up` upgrades it. Default: false.
   */
  readonly atomic?: boolean;
  /** Doesn't wait until the objects are ready. Default: false. */
  readonly skipAwait?: boolean;
  /** Waits for the chart's Jobs, too. Default: false. */
  readonly waitForJobs?: boolean;
  /** Leaves out definitions in the chart's folder `crds`. Helm never upgrades or deletes those. Default: false. */
  readonly skipCrds?: boolean;
}
