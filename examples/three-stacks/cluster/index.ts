import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

// pulumi config set networkStack <organization>/network/<stack>
const network = new pulumi.StackReference(new pulumi.Config().require("networkStack"));
const subnetIds = network.requireOutput("publicSubnetIds") as pulumi.Output<Record<string, string>>;

// The zones decide which resources exist, so they are set here and not read from the other stack.
const publicSubnetIds = Object.fromEntries(
  ["us-east-1a", "us-east-1b", "us-east-1c"].map((zone) => [
    zone,
    subnetIds.apply((ids) => ids[zone] ?? refuse(zone)),
  ]),
);

const cluster = new TalosCluster("platform", {
  environment: "platform",
  domain: "example.com",
  dns: { createZone: true },
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { adopt: { vpcId: network.requireOutput("vpcId"), publicSubnetIds } },
});

export const { endpoint, kubeconfig, join } = cluster;

function refuse(zone: string): never {
  throw new pulumi.RunError(`the network's stack has no public subnet in "${zone}"`);
}
