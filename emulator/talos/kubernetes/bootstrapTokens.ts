import { isMapping } from "../../../provider/config/machineConfig";
import type { KubernetesStore } from "./kubernetesStore";
import { builtIn } from "./objectStore";

const secrets = builtIn("secrets");

/**
 * Whether a cluster accepts a bootstrap token: a Secret of its id in kube-system has its secret
 * (kubernetes.io, "Authenticating with Bootstrap Tokens").
 */
export function acceptsBootstrapToken(store: KubernetesStore, token: string): boolean {
  const [id = "", secret = ""] = token.split(".");
  const key = { namespace: "kube-system", name: `bootstrap-token-${id}` };
  const data = store.objects.find(secrets, key)?.data;
  const known = isMapping(data) ? data["token-secret"] : undefined;
  return typeof known === "string" && Buffer.from(known, "base64").toString("utf8") === secret;
}
