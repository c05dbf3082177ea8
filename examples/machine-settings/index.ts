import { TalosCluster, transformChild } from "pulumi-talos-aws";

const cluster = new TalosCluster(
  "demo",
  {
    environment: "demo",
    domain: "example.com",
    talosVersion: "v1.14.1",
    versionContract: "v1.14",
    kubernetesVersion: "v1.37.2",
    operatorCidrs: ["203.0.113.7/32"],
    network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] },
    // Control plane machines.
    machineConfiguration: {
      nodeLabels: { "example.com/rack": "a" },
      sysctls: { "vm.max_map_count": "262144" },
      registryMirrors: { "docker.io": ["https://mirror.example.com"] },
    },
    // Everything else is a patch: a typed object, YAML, a JSON patch, or "@" and a file.
    patches: [
      { apiVersion: "v1alpha1", kind: "KubeAPIServerConfig", extraArgs: { "event-ttl": "3h" } },
    ],
    // Workers: what all pools share, then what one pool adds.
    workers: { machineConfiguration: { sysctls: { "net.core.somaxconn": "4096" } } },
    workerPools: {
      apps: { machineCount: 2, machineConfiguration: { kubeletExtraArgs: { "max-pods": "200" } } },
    },
  },
  {
    // Resources that no argument reaches.
    transformations: [
      transformChild("aws:ec2/instance:Instance", ({ props, opts }) => ({
        props: { ...props, sourceDestCheck: false },
        opts,
      })),
    ],
  },
);

export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
