import type { EncryptionKey, EncryptionKeys } from "../config/encryptionKeys";
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
  seal([first]: EncryptionKeys): void {
    for (const secret of this.objects.list(secretKind)) {
      const path = pathOf(namespaceOf(secret), nameOf(secret));
      if (!this.keys.has(path)) {
        this.keys.set(path, first?.id ?? "");
      }
    }
  }

  /** Notes that an API server has written a Secret. */
  wrote(namespace: string, name: string, [first]: EncryptionKeys): void {
    this.keys.set(pathOf(namespace, name), first?.id ?? "");
  }

  /**
   * What an API server's readiness fails for; undefined if it is ready. Tried on kube-apiserver v1.35.0 and
   * v1.37.2, with a plugin that is away, and with a Secret of a key that was taken out.
   */
  unreadyCheck(keys: EncryptionKeys): string | undefined {
    if (keys.some(isAway)) {
      return "kms-providers";
    }
    const isUnreadable = this.objects
      .list(secretKind)
      .some((secret) => !this.isReadable(pathOf(namespaceOf(secret), nameOf(secret)), keys));
    return isUnreadable ? "informer-sync" : undefined;
  }

  /** Throws the failure of an API server that can't encrypt what it writes: it has never reached the plugin. */
  requireWritable([first]: EncryptionKeys): void {
    if (first !== undefined && isAway(first)) {
      throw new KubernetesFailure(500, "InternalError", UNREACHED);
    }
  }

  private isReadable(path: string, keys: EncryptionKeys): boolean {
    const key = this.keys.get(path) ?? "";
    return key === "" || keys.some((each) => each.id === key && !isAway(each));
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
      const isRead =
        (namespace === undefined || namespaceOf(secret) === namespace) &&
        (name === undefined || nameOf(secret) === name);
      if (isRead && !this.isReadable(path, keys)) {
        const isUnreached = keys.some((each) => each.id === this.keys.get(path));
        throw new KubernetesFailure(
          500,
          "InternalError",
          isUnreached
            ? UNREACHED
            : `Internal error occurred: unable to transform key "/registry/secrets/${path}": no matching key was found for the provided Secretbox transformer`,
        );
      }
    }
  }
}

/** What an API server says that has never reached a plugin (tried on kube-apiserver v1.37.2). */
const UNREACHED = "Internal error occurred: got unexpected nil transformer";

function isAway({ hasPlugin = true }: EncryptionKey): boolean {
  return !hasPlugin;
}

function pathOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
