/** A certificate and its private key, both as base64 of PEM, the form of Talos' own files. */
export interface CertificateAndKey {
  /** Base64 of the PEM certificate. */
  readonly crt: string;
  /** Base64 of the PEM private key. Secret. */
  readonly key: string;
}

/**
 * All secrets of a Talos cluster. Their holder can act as any node, any client and the Kubernetes
 * administrator of that cluster. Without them no node can be added. The shape is that of the file
 * from `talosctl gen secrets` v1.12.1, so the two can be exchanged as YAML.
 */
export interface SecretsBundle {
  /** What identifies the cluster to the discovery service. */
  readonly cluster: {
    /** The cluster's id at the discovery service: 32 bytes in URL-safe base64. */
    readonly id: string;
    /** Encrypts the data for the discovery service: 32 bytes in standard base64. Secret. */
    readonly secret: string;
  };
  /** Tokens and keys of Kubernetes. */
  readonly secrets: {
    /** A kubelet's first credential at the Kubernetes API: `[a-z0-9]{6}.[a-z0-9]{16}`. Secret. */
    readonly bootstraptoken: string;
    /**
     * Encrypts Kubernetes secrets in etcd (secretbox): 32 bytes in standard base64. Clusters from
     * before Talos v1.3 have none, unless it was added later. Secret.
     */
    readonly secretboxencryptionsecret?: string;
    /**
     * Encrypts Kubernetes secrets in etcd (AES-CBC) in clusters from before Talos v1.3: 32 bytes in
     * standard base64. Newer ones have none. Secret.
     */
    readonly aescbcencryptionsecret?: string;
  };
  /** The token of Talos. */
  readonly trustdinfo: {
    /**
     * A worker's first credential at trustd, which issues its certificate: the same form as
     * `bootstraptoken`. Secret.
     */
    readonly token: string;
  };
  /** Certificate authorities and keys. */
  readonly certs: {
    /** CA of etcd members and their clients: ECDSA P-256, `O=etcd`. */
    readonly etcd: CertificateAndKey;
    /** CA of the Kubernetes API, its clients and kubelets: ECDSA P-256, `O=kubernetes`. */
    readonly k8s: CertificateAndKey;
    /** CA of the Kubernetes aggregation layer's front proxy: ECDSA P-256, no subject. */
    readonly k8saggregator: CertificateAndKey;
    /**
     * Key that signs Kubernetes service account tokens: base64 of PEM, RSA 4096 in PKCS#1, in
     * clusters from before Talos v1.7 ECDSA P-256 in SEC 1.
     */
    readonly k8sserviceaccount: {
      /** Base64 of the PEM private key. Secret. */
      readonly key: string;
    };
    /** CA of the Talos API, its nodes and its clients: Ed25519, `O=talos`. */
    readonly os: CertificateAndKey;
  };
}
