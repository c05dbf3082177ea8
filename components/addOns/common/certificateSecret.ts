import type { CertificateAndKey } from "../../../provider";
import type { KubernetesObject } from "../../../provider/kubernetes";
import { SYSTEM_NAMESPACE } from "./addOnScope";

/** A Secret with a server's certificate and key. */
export function certificateSecret(name: string, { crt, key }: CertificateAndKey): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: SYSTEM_NAMESPACE },
    type: "kubernetes.io/tls",
    data: { "tls.crt": crt, "tls.key": key },
  };
}
