import { Network } from "pulumi-talos-aws";

const network = new Network("platform", {
  clusterName: "platform",
  zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
});

export const { vpcId, publicSubnetIds } = network;
