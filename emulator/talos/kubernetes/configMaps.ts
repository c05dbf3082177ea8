import { randomUUID } from "node:crypto";
import { seconds } from "./nodeObject";
import { namespaceNames } from "./resources";
import { KubernetesFailure } from "./statusObject";

/** A ConfigMap as it is stored. */
export interface ConfigMapRecord {
  readonly namespace: string;
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
  readonly uid: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
}

/** In it Kubernetes' controller manager tells each namespace the authority of the API server. */
const ROOT_CA = "kube-root-ca.crt";

/** The ConfigMaps of one Kubernetes cluster: what its users store there. */
export class ConfigMaps {
  readonly #byPath = new Map<string, ConfigMapRecord>();
  readonly #nextVersion: () => number;

  /** Empty, or with those of a snapshot. */
  constructor(nextVersion: () => number, restored: readonly ConfigMapRecord[] = []) {
    this.#nextVersion = nextVersion;
    restored.forEach((each) => this.#byPath.set(pathOf(each), each));
  }

  /** By namespace and name. */
  get all(): readonly ConfigMapRecord[] {
    return [...this.#byPath.values()].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  }

  /** Has every namespace know the authority. */
  publishRootCa(pem: string): void {
    for (const namespace of namespaceNames) {
      const known = this.#byPath.get(pathOf({ namespace, name: ROOT_CA }));
      if (known?.data["ca.crt"] !== pem) this.#put(namespace, ROOT_CA, { "ca.crt": pem });
    }
  }

  /** Makes one of an object as clients send it. Raises `KubernetesFailure` for one that is there, or is none. */
  create(namespace: string, body: string): ConfigMapRecord {
    const { metadata, data } = readObject(body);
    const name = metadata?.name;
    if (name === undefined || name === "") {
      throw new KubernetesFailure(422, "Invalid", "name or generateName is required");
    }
    if (this.#byPath.has(pathOf({ namespace, name }))) {
      throw new KubernetesFailure(409, "AlreadyExists", `configmaps "${name}" already exists`, {
        name,
        kind: "configmaps",
      });
    }
    return this.#put(namespace, name, data ?? {});
  }

  #put(namespace: string, name: string, data: ConfigMapRecord["data"]): ConfigMapRecord {
    const known = this.#byPath.get(pathOf({ namespace, name }));
    const record = {
      ...{ uid: randomUUID(), createdAt: new Date(), ...known },
      ...{ namespace, name, data, resourceVersion: this.#nextVersion() },
    };
    this.#byPath.set(pathOf(record), record);
    return record;
  }
}

/** The object that clients read. */
export function configMapObject({ data, ...record }: ConfigMapRecord) {
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: record.name,
      namespace: record.namespace,
      uid: record.uid,
      resourceVersion: `${record.resourceVersion}`,
      creationTimestamp: seconds(record.createdAt),
    },
    data,
  };
}

interface SentObject {
  readonly metadata?: { readonly name?: string };
  readonly data?: ConfigMapRecord["data"];
}

function readObject(body: string): SentObject {
  try {
    return JSON.parse(body) as SentObject;
  } catch {
    throw new KubernetesFailure(400, "BadRequest", "the body of the request is no JSON");
  }
}

function pathOf({ namespace, name }: Pick<ConfigMapRecord, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}
