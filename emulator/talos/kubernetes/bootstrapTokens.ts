import { isMapping } from "../../../provider/config";
import type { KubernetesStore } from "./kubernetesStore";
import { builtIn } from "./objectStore";
import type { ClientIdentity } from "./serviceAccountToken";

const secrets = builtIn("secrets");

/**
 * Whether a cluster accepts a bootstrap token: a Secret of its id in kube-system has its secret
 * (kubernetes.io, "Authenticating with Bootstrap Tokens").
 */
export function acceptsBootstrapToken(store: KubernetesStore, token: string): boolean {
  return identityOfBootstrapToken(store, token) !== undefined;
}

/**
 * The user of a bootstrap token, or undefined if the cluster doesn't accept it. Source: Kubernetes
 * v1.35, `plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go`.
 */
export function identityOfBootstrapToken(
  store: KubernetesStore,
  token: string,
): ClientIdentity | undefined {
  const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
  if (id === undefined) {
    return undefined;
  }
  const key = { namespace: "kube-system", name: `bootstrap-token-${id}` };
  const data = store.objects.find(secrets, key)?.data;
  const read = (name: string) => {
    const text = isMapping(data) ? data[name] : undefined;
    return typeof text === "string" ? Buffer.from(text, "base64").toString("utf8") : undefined;
  };
  const isAccepted =
    read("token-secret") === secret && read("usage-bootstrap-authentication") === "true";
  const extra = read("auth-extra-groups")?.split(",") ?? [];
  return isAccepted
    ? { name: `system:bootstrap:${id}`, groups: ["system:bootstrappers", ...extra] }
    : undefined;
}
