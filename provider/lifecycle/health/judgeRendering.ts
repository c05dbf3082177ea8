import type { StaticPod } from "./machineFacts";

/** What Talos derives static pods from, and the versions that it has now. */
export interface RenderingFacts {
  /** The configurations of components, by the names of their pods. */
  readonly components: ReadonlyMap<string, Component>;
  /** The version of the secrets that Talos has written for static pods. */
  readonly secretsVersion: string | undefined;
  /** The version of the files that Talos has written for static pods. */
  readonly filesVersion: string | undefined;
}

/** The configuration of a component that runs as a static pod. */
export interface Component {
  readonly version: string;
  /** Whether the machine runs it. */
  readonly isEnabled: boolean;
}

/**
 * Finds static pods that Talos has not derived from the configuration yet. It keeps what it derived before if it
 * can't: then everything still runs, and nothing is as configured. Each static pod of the control
 * plane names the versions that it was rendered from. Sources: Talos v1.12.1,
 * `k8s/control_plane_static_pod.go`; v1.14.1, `k8s/control_plane_final.go`.
 *
 * @returns ends of sentences; empty if all is derived
 */
export function judgeRendering(
  { components, secretsVersion, filesVersion }: RenderingFacts,
  pods: readonly Pick<StaticPod, "name" | "versions">[],
): string[] {
  const rendered = pods.filter(({ versions }) => versions !== undefined);
  const missing = [...components].filter(
    ([name, { isEnabled }]) => isEnabled && !rendered.some((pod) => pod.name === name),
  );
  return [
    ...missing.map(([name]) => `Talos has not rendered the static pod ${name}`),
    ...rendered.flatMap(({ name, versions }) => {
      const component = components.get(name);
      if (component === undefined || versions === undefined) {
        return [`Talos has no configuration for the static pod ${name} any more`];
      }
      const parts = [
        ...(versions.config === component.version ? [] : ["configuration"]),
        ...(isSame(versions.secrets, secretsVersion) ? [] : ["secrets"]),
        ...(isSame(versions.files, filesVersion) ? [] : ["files"]),
      ];
      return parts.length === 0
        ? []
        : [`Talos has not rendered the static pod ${name} with its new ${parts.join(" and ")} yet`];
    }),
  ];
}

/**
 * Finds static pods with another image than the configuration. Until Talos has derived a component's
 * configuration from the machine's, all versions are still the former ones.
 *
 * @param images of the configuration, by the names of pods
 */
export function judgeImages(
  images: ReadonlyMap<string, string>,
  pods: readonly Pick<StaticPod, "name" | "image" | "versions">[],
): string[] {
  return pods.flatMap(({ name, image, versions }) => {
    const wanted = images.get(name);
    return versions === undefined || wanted === undefined || image === wanted
      ? []
      : [`the static pod ${name} has the image ${image}, not ${wanted} as configured`];
  });
}

/** Pods without such a source have no version, and Talos shows none before it has written any. */
function isSame(rendered: string | undefined, current: string | undefined): boolean {
  return rendered === undefined || current === undefined || rendered === current;
}
