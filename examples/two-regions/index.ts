import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

const regions = { virginia: "us-east-1", frankfurt: "eu-central-1" } as const;

const clusters = Object.entries(regions).map(([environment, region]) => {
  const provider = new aws.Provider(environment, { region });
  return new TalosCluster(
    environment,
    {
      environment,
      domain: "example.com",
      dns: { createZone: true },
      talosVersion: "v1.14.1",
      versionContract: "v1.14",
      kubernetesVersion: "v1.37.2",
      operatorCidrs: ["203.0.113.7/32"],
      network: { zones: [`${region}a`] },
      // One machine each, for $30 a month; three in three zones survive the loss of one.
      controlPlane: { machineCount: 1 },
    },
    // It creates everything in the component: images, zones and roles are those of its region.
    { providers: [provider] },
  );
});

export const endpoints = clusters.map(({ endpoint }) => endpoint);
export const kubeconfigs = pulumi.all(clusters.map(({ kubeconfig }) => kubeconfig));
