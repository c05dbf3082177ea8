import { stringify } from "yaml";
import type { InlineManifest } from "./inlineManifest";

/**
 * Inline manifests that have Kubernetes accept further bootstrap tokens, besides the one that
 * machines use. Each is the Secret that Talos renders for `cluster.token`, so a token may move from
 * one to the other. Talos creates it. `KubernetesManifests` deletes it when it is no longer among
 * the manifests; without that resource it stays.
 *
 * Source: Talos v1.12.1, `k8stemplates.KubeletBootstrapTokenSecret`; kubernetes.io,
 * "Authenticating with Bootstrap Tokens": each Secret of this type in kube-system is a token.
 *
 * @param tokens each an id and a secret, as in `cluster.token`
 */
export function acceptedBootstrapTokens(tokens: readonly string[]): readonly InlineManifest[] {
  return tokens.map((token, index) => {
    const [id = "", secret = ""] = token.split(".");
    const contents = stringify({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: `bootstrap-token-${id}`, namespace: "kube-system" },
      stringData: {
        "auth-extra-groups": "system:bootstrappers:nodes",
        "token-id": id,
        "token-secret": secret,
        "usage-bootstrap-authentication": "true",
      },
      type: "bootstrap.kubernetes.io/token",
    });
    // Not the token's id, which a preview may not know yet.
    return { name: `accepted-bootstrap-token-${index + 1}`, contents };
  });
}
