/** The CAs of the Kubernetes API in a machine's configuration, each a certificate in base64 of PEM. */
export interface KubernetesTrust {
  /** What issues certificates, its API server's own among them; undefined where there is none. */
  readonly issuing: string | undefined;
  /** What is accepted, the issuing one included. */
  readonly accepted: readonly string[];
}

/**
 * The client certificate of a kubelet. It stays until the machine no longer accepts what issued it, and is
 * then asked for anew, with the bootstrap token (talos v1.12.1, `refreshKubeletCerts` in
 * `k8s/kubelet_service.go`).
 */
export class KubeletCertificate {
  #issuer: string | undefined;

  /** Whether the kubelet and an API server take each other; without a certificate it is issued one by that. */
  isTaken(kubelet: KubernetesTrust, apiServer: KubernetesTrust): boolean {
    if (this.#issuer !== undefined && !kubelet.accepted.includes(this.#issuer)) {
      this.#issuer = undefined;
    }
    const { issuing } = apiServer;
    if (issuing === undefined || !kubelet.accepted.includes(issuing)) return false;
    this.#issuer ??= issuing;
    return apiServer.accepted.includes(this.#issuer);
  }
}
