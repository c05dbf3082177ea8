import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

// pulumi config set clusterStack <organization>/cluster/<stack>
const cluster = new pulumi.StackReference(new pulumi.Config().require("clusterStack"));
const kubeconfig = cluster.requireOutput("kubeconfig") as pulumi.Output<string>;
const provider = new kubernetes.Provider("cluster", { kubeconfig });

const labels = { app: "hello" };
const namespace = new kubernetes.core.v1.Namespace(
  "hello",
  { metadata: { name: "hello" } },
  { provider },
);
const deployment = new kubernetes.apps.v1.Deployment(
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

export const name = deployment.metadata.name;
