import type { ConfigDocument } from "../../../../provider/config/machineConfig";

/** The outline of a control plane's configuration, with all settings in fields. */
export const sampleSettings: ConfigDocument = {
  machine: {
    type: "controlplane",
    install: { image: "factory.talos.dev/aws-installer/abc:v1.14.1" },
    kubelet: {
      image: "ghcr.io/siderolabs/kubelet:v1.36.3",
      extraArgs: { "node-labels": "a=b" },
      extraConfig: { maxPods: 60 },
      registerWithFQDN: true,
      nodeIP: { validSubnets: ["10.0.0.0/16"] },
    },
    nodeLabels: { "example.com/pool": "blue" },
    features: {
      kubePrism: { enabled: true, port: 7445 },
      hostDNS: { enabled: true, forwardKubeDNSToHost: true },
    },
    sysctls: { "vm.max_map_count": "262144" },
  },
  cluster: {
    id: "aWQ=",
    secret: "c2VjcmV0",
    clusterName: "example",
    controlPlane: { endpoint: "https://10.0.0.1:6443", localAPIServerPort: 6443 },
    network: {
      dnsDomain: "cluster.local",
      podSubnets: ["10.244.0.0/16"],
      cni: { name: "flannel" },
    },
    ca: { crt: "«certificate sha256:1a2b3c4d»", key: "«secret sha256:1a2b3c4d»" },
    aggregatorCA: { crt: "«certificate sha256:1b2c3d4e»", key: "«secret sha256:1b2c3d4e»" },
    acceptedCAs: [{ crt: "«certificate sha256:5e6f7a8b»" }],
    serviceAccount: { key: "«secret sha256:9c0d1e2f»" },
    secretboxEncryptionSecret: "«secret sha256:3a4b5c6d»",
    apiServer: {
      image: "registry.k8s.io/kube-apiserver:v1.36.3",
      extraArgs: { "feature-gates": "A=true" },
      certSANs: ["api.example.com"],
    },
    controllerManager: { image: "registry.k8s.io/kube-controller-manager:v1.36.3" },
    scheduler: { image: "registry.k8s.io/kube-scheduler:v1.36.3" },
    proxy: { image: "registry.k8s.io/kube-proxy:v1.36.3", disabled: false },
    coreDNS: { disabled: true },
    inlineManifests: { one: { name: "one", contents: "kind: Namespace" } },
    extraManifests: ["https://example.com/one.yaml"],
  },
};
