import type { EncryptionKeys } from "../config/encryptionKeys";
import { nameOf, namespaceOf } from "./kubernetesObject";
import { builtIn, type ObjectStore } from "./objectStore";
import { KubernetesFailure } from "./statusObject";

const secretKind = builtIn("secrets");

/**
 * The keys that encrypt the Secrets of a cluster in etcd. Other objects aren't encrypted.
 *
 * An API server encrypts what it writes with its first key. It can't read a list with a Secret of a
 * key that it doesn't have (Kubernetes v1.35, `apiserver/pkg/storage/value/transformer.go`).
 */
export class EncryptedSecrets {
  private readonly keys = new Map<string, string>();

  constructor(private readonly objects: ObjectStore) {}

  /** Encrypts the Secrets that no API server has written yet: Talos' own manifests. */
  seal([first = ""]: EncryptionKeys): void {
    for (const secret of this.objects.list(secretKind)) {
      const path = pathOf(namespaceOf(secret), nameOf(secret));
      if (!this.keys.has(path)) {
        this.keys.set(path, first);
      }
    }
  }

  /** Notes that an API server has written a Secret. */
  wrote(namespace: string, name: string, [first = ""]: EncryptionKeys): void {
    this.keys.set(pathOf(namespace, name), first);
  }

  /** Throws the failure of an API server that can't decrypt one of the Secrets that it reads. */
  requireReadable(
    {
      namespace,
      name,
    }: { readonly namespace: string | undefined; readonly name: string | undefined },
    keys: EncryptionKeys,
  ): void {
    for (const secret of this.objects.list(secretKind)) {
      const path = pathOf(namespaceOf(secret), nameOf(secret));
      const key = this.keys.get(path);
      const isRead =
        (namespace === undefined || namespaceOf(secret) === namespace) &&
        (name === undefined || nameOf(secret) === name);
      if (isRead && key !== undefined && key !== "" && !keys.includes(key)) {
        throw new KubernetesFailure(
          500,
          "InternalError",
          `Internal error occurred: unable to transform key "/registry/secrets/${path}": no matching key was found for the provided Secretbox transformer`,
        );
      }
    }
  }
}

function pathOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
