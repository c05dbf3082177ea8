import type { ConfigDocument } from "../machineConfig";
import { textIn } from "../settings/settingIn";

/** A Kubernetes release: `v1.35.0`, and its minor. */
export interface Release {
  readonly version: string;
  readonly minor: number;
}

/**
 * Components that must not be newer than the API server, by their settings, and how many minors older they
 * may be. Source: Kubernetes, "Version Skew Policy".
 */
const components = [
  ["the kubelet", "machine.kubelet", 3],
  ["the controller manager", "cluster.controllerManager", 1],
  ["the scheduler", "cluster.scheduler", 1],
  ["kube-proxy", "cluster.proxy", 3],
] as const;

/**
 * The components of a machine whose Kubernetes minor is newer than the API server's, with what to do.
 * Patches of images can make them so: `kubernetesVersion` sets all images alike.
 *
 * Source: Kubernetes, "Version Skew Policy".
 *
 * @param outline the outline of the machine's configuration
 * @param kubernetesVersion the cluster's, for workers: their configuration names no API server
 */
export function newerThanApiServer(
  outline: ConfigDocument,
  kubernetesVersion: string | undefined,
): readonly string[] {
  return besideApiServer(outline, kubernetesVersion, (name, release, apiServer) =>
    release.minor <= apiServer.minor
      ? []
      : [
          `${name} would run Kubernetes ${release.version}, newer than the API server's ${apiServer.version}, which Kubernetes does not support: take its image out of the patches, and set kubernetesVersion to ${release.version}, which upgrades the API servers first`,
        ],
  );
}

/**
 * The components of a machine that are older than the API server allows, with what to do. Parameters as
 * above. Source: as above.
 */
export function olderThanApiServer(
  outline: ConfigDocument,
  kubernetesVersion: string | undefined,
): readonly string[] {
  return besideApiServer(outline, kubernetesVersion, (name, release, apiServer, minors) =>
    release.minor + minors >= apiServer.minor
      ? []
      : [
          `${name} would run Kubernetes ${release.version}, more than ${minors === 1 ? "one minor" : `${minors} minors`} older than the API server's ${apiServer.version}, which Kubernetes does not support: take its image out of the patches`,
        ],
  );
}

function besideApiServer(
  outline: ConfigDocument,
  kubernetesVersion: string | undefined,
  judge: (name: string, release: Release, apiServer: Release, minors: number) => readonly string[],
): readonly string[] {
  const apiServer = releaseIn(imageOf(outline, "cluster.apiServer") ?? kubernetesVersion);
  return components.flatMap(([name, settings, minors]) => {
    const release = releaseIn(imageOf(outline, settings));
    return release && apiServer ? judge(name, release, apiServer, minors) : [];
  });
}

/**
 * Warnings about components that patches keep on another release than `kubernetesVersion`: an upgrade would
 * pass them by in silence.
 */
export function releaseWarnings(outline: ConfigDocument, kubernetesVersion: string): string[] {
  const wanted = releaseIn(kubernetesVersion)?.version;
  return [["the API server", "cluster.apiServer"] as const, ...components].flatMap(
    ([name, settings]) => {
      const found = releaseIn(imageOf(outline, settings))?.version;
      return found === undefined || wanted === undefined || found === wanted
        ? []
        : [
            `${settings}.image: ${name} runs Kubernetes ${found}, and kubernetesVersion is ${wanted}: it stays there until the image is taken out of the patches`,
          ];
    },
  );
}

/** The version of the kubelet in an outline: the one of the cluster, if no patch sets another. */
export function kubeletVersion(outline: ConfigDocument): string | undefined {
  return releaseIn(imageOf(outline, "machine.kubelet"))?.version;
}

/** Whether the minor of a release, or of an image's tag, is newer than another's. Unknown ones aren't. */
export function isNewerMinor(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [releaseIn(one), releaseIn(other)];
  return first !== undefined && second !== undefined && first.minor > second.minor;
}

function imageOf(outline: ConfigDocument, settings: string): string | undefined {
  return textIn(outline, `${settings}.image`);
}

/** The release in a version or in an image's tag; undefined without one. */
export function releaseIn(text = ""): Release | undefined {
  const [, version, minor] = /(?:^|:)v?(1\.(\d+)\.[^@]+)/.exec(text) ?? [];
  return version === undefined ? undefined : { version: `v${version}`, minor: Number(minor) };
}
