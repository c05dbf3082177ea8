import { kubernetesRemovals } from "../config/releases/kubernetesRemovals";

/** A kind of object that a Kubernetes release no longer has. */
export interface RemovedApi {
  /** `<plural>.<version>.<group>`, as in `kubernetesRemovals`. */
  readonly resource: string;
  /** The first release without it, for example `1.37`. */
  readonly removedIn: string;
  /** Lists one object, and the number of the others. */
  readonly path: string;
}

/**
 * The kinds that a Kubernetes release and all before it have removed. An older server still has
 * some of them.
 *
 * @param version of Kubernetes, for example `v1.37.2`; another text has none
 */
export function removedApis(version: string): readonly RemovedApi[] {
  const [, target = "0"] = /^v?1\.(\d+)/.exec(version) ?? [];
  return [...kubernetesRemovals]
    .filter(([minor]) => minor <= Number(target))
    .flatMap(([minor, { apiResources = [] }]) =>
      apiResources.map((resource) => {
        const [plural = "", apiVersion = "", ...group] = resource.split(".");
        const path = `/apis/${group.join(".")}/${apiVersion}/${plural}?limit=1`;
        return { resource, removedIn: `1.${minor}`, path };
      }),
    );
}

/** The number of objects according to the first page of a list. Source: `meta/v1.ListMeta`. */
export function countObjects(page: string): number {
  const { items = [], metadata = {} } = JSON.parse(page) as {
    readonly items?: readonly unknown[];
    readonly metadata?: { readonly remainingItemCount?: number };
  };
  return items.length + (metadata.remainingItemCount ?? 0);
}
