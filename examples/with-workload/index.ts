import * as kubernetes from "@pulumi/kubernetes";
import { TalosCluster } from "pulumi-talos-aws";

const cluster = new TalosCluster("apps", {
  environment: "apps",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] },
  workerPools: { web: { machineCount: 2 } },
  helm: {
    "cert-manager": {
      chart: "cert-manager",
      repository: "https://charts.jetstack.io",
      version: "v1.18.2",
      namespace: "cert-manager",
      values: { crds: { enabled: true } },
    },
    podinfo: {
      chart: "oci://ghcr.io/stefanprodan/charts/podinfo",
      version: "6.9.2",
      namespace: "podinfo",
      values: { ui: { message: "Hello" } },
      dependsOn: ["cert-manager"],
    },
  },
});

const provider = new kubernetes.Provider("apps", {
  // Known when the cluster is healthy, and deleted before any machine.
  kubeconfig: cluster.kubeconfigWhenHealthy,
  // Another certificate or CA in it is no other cluster, whose workloads would all be replaced.
  clusterIdentifier: "apps",
});

const labels = { app: "hello" };
const namespace = new kubernetes.core.v1.Namespace(
  "hello",
  { metadata: { name: "hello" } },
  { provider },
);
new kubernetes.apps.v1.Deployment(
  "hello",
  {
    metadata: { namespace: namespace.metadata.name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: "hello", image: "registry.k8s.io/e2e-test-images/agnhost:2.53" }],
        },
      },
    },
  },
  { provider },
);

export const { endpoint, nodes, kubeconfig, talosconfig } = cluster;
