import * as pulumi from "@pulumi/pulumi";
import { defined } from "../defined";
import type { HelmReleaseArgs } from "./helmArgs";

/**
 * What a release is to the Kubernetes plugin, as far as this package gives it.
 * Source: schema of pulumi-kubernetes v4.34.2, `kubernetes:helm.sh/v3:Release`.
 */
export interface HelmReleaseInputs {
  readonly name: pulumi.Input<string>;
  readonly chart: string;
  readonly version?: string;
  readonly repositoryOpts?: {
    readonly repo?: string;
    readonly username?: pulumi.Input<string>;
    readonly password?: pulumi.Input<string>;
  };
  readonly namespace: string;
  readonly createNamespace: boolean;
  readonly values?: pulumi.Input<Readonly<Record<string, unknown>>>;
  /** Seconds. */
  readonly timeout?: number;
  readonly atomic?: boolean;
  readonly skipAwait?: boolean;
  readonly waitForJobs?: boolean;
  readonly skipCrds?: boolean;
  /** How many releases Helm keeps, each in a Secret. */
  readonly maxHistory: number;
}

/** What Helm's command keeps. Without a number, the plugin keeps all of them in etcd. Source: helm v3.20.2, `cmd/helm`. */
const MAX_HISTORY = 10;

/** The namespace of a release. */
export function namespaceOf({ namespace = "default" }: HelmReleaseArgs): string {
  return namespace;
}

/** What the Kubernetes plugin gets for a release of this name. */
export function planHelmRelease(
  name: pulumi.Input<string>,
  release: HelmReleaseArgs,
): HelmReleaseInputs {
  const { repository, repositoryUsername: username, repositoryPassword: given } = release;
  const password = given === undefined ? undefined : pulumi.secret(given);
  const repositoryOpts = defined({ repo: repository, username, password });
  return defined({
    name,
    chart: release.chart,
    version: release.version,
    repositoryOpts: Object.keys(repositoryOpts).length === 0 ? undefined : repositoryOpts,
    namespace: namespaceOf(release),
    createNamespace: release.createNamespace ?? true,
    values: release.values,
    timeout: release.timeoutSeconds,
    atomic: release.atomic,
    skipAwait: release.skipAwait,
    waitForJobs: release.waitForJobs,
    skipCrds: release.skipCrds,
    maxHistory: MAX_HISTORY,
  });
}

/** Names of releases, each after those that it depends on. The releases must have been checked. */
export function inOrder(releases: Readonly<Record<string, HelmReleaseArgs>>): readonly string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    if (!ordered.has(name)) {
      (releases[name]?.dependsOn ?? []).forEach(add);
      ordered.add(name);
    }
  };
  Object.keys(releases).forEach(add);
  return [...ordered];
}
