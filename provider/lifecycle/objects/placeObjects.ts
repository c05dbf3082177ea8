import { WaitTimeoutError, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { type ApiResource, placed } from "../../kubernetes/apiResources";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { ManifestRefusedError } from "./applyManifest";
import type { ClusterObjects, ClusterWork } from "./clusterObjects";

/**
 * How long a definition may take to be served, or what others bring: an operator its kinds, Talos the
 * namespaces and definitions of its manifests.
 */
export const DEFINITION_MS = 120_000;

/** An object, and where the API server has it. */
export interface Placed {
  readonly object: KubernetesObject;
  readonly resource: ApiResource;
}

type Wait = Pick<ClusterWork, "deadline" | "progress">;

/** The objects whose kind and namespace the API server has, and the others. */
export async function located(
  cluster: ClusterObjects,
  objects: readonly KubernetesObject[],
): Promise<{ readonly found: readonly Placed[]; readonly missing: readonly KubernetesObject[] }> {
  const found: Placed[] = [];
  const missing: KubernetesObject[] = [];
  const namespaces = new Map<string, boolean>();
  for (const object of objects) {
    const resource = await cluster.resourceOf(object);
    const name = resource && namespaceOf(object, resource);
    if (name !== undefined && !namespaces.has(name)) {
      namespaces.set(name, await hasNamespace(cluster, name));
    }
    if (resource === undefined || (name !== undefined && namespaces.get(name) !== true)) {
      missing.push(object);
    } else {
      found.push({ object, resource });
    }
  }
  return { found, missing };
}

/** The namespace that an object goes to; undefined for a cluster-wide kind. */
function namespaceOf(object: KubernetesObject, resource: ApiResource): string | undefined {
  return placed(object, resource).metadata.namespace;
}

async function hasNamespace(cluster: ClusterObjects, name: string): Promise<boolean> {
  const namespace = { groupVersion: "v1", plural: "namespaces", isNamespaced: false };
  return (await cluster.find(namespace, { name })) !== undefined;
}

/** Waits until a definition is served. Source: Kubernetes, `apiextensions/v1`, `Established`. */
export async function awaitEstablished(
  cluster: ClusterObjects,
  definition: KubernetesObject,
  { deadline, progress }: Wait,
): Promise<void> {
  const name = describeObject(definition);
  await waitFor<undefined>({
    what: `${name} to be served`,
    deadlineMs: Math.min(deadline - clock.now(), DEFINITION_MS),
    report: progress.report,
    probe: async () => {
      const resource = await cluster.resourceOf(definition);
      const now = resource && (await cluster.find(resource, definition.metadata));
      const { conditions } = (now?.status ?? {}) as {
        // Null in a definition that is new.
        readonly conditions?:
          | readonly {
              readonly type: string;
              readonly status: string;
              readonly message?: string;
            }[]
          | null;
      };
      const isTrue = (type: string) =>
        conditions?.some((each) => each.type === type && each.status === "True");
      const refusal = conditions?.find(
        (each) => each.type === "NamesAccepted" && each.status === "False",
      );
      return isTrue("Established")
        ? { done: true, value: undefined }
        : { done: false, status: refusal?.message ?? "the API server hasn't established it yet" };
    },
  });
}

/**
 * Waits for the kind and the namespace of an object, which the API server doesn't have yet: it may be about
 * to serve a definition, or an operator or Talos brings them.
 */
export async function awaitPlace(
  cluster: ClusterObjects,
  object: KubernetesObject,
  { deadline, progress }: Wait,
): Promise<ApiResource> {
  const { apiVersion, kind } = object;
  let missingNamespace: string | undefined;
  try {
    return await waitFor<ApiResource>({
      what: `the place of ${describeObject(object)}`,
      deadlineMs: deadline - clock.now(),
      report: progress.report,
      probe: async () => {
        const resource = await cluster.resourceOf(object);
        if (resource === undefined) {
          const status = `the API server has no kind "${kind}" in "${apiVersion}"`;
          return { done: false, status };
        }
        const name = namespaceOf(object, resource);
        if (name === undefined || (await hasNamespace(cluster, name))) {
          return { done: true, value: resource };
        }
        missingNamespace = name;
        return { done: false, status: `there is no namespace "${name}"` };
      },
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) {
      throw error;
    }
    throw new ManifestRefusedError(
      missingNamespace === undefined
        ? `the API server has no kind "${kind}" in "${apiVersion}": correct it, add its definition to the list, or run again once others have installed it`
        : `there is no namespace "${missingNamespace}": correct it, add it to the list, or run again once others have made it`,
      { cause: error },
    );
  }
}
