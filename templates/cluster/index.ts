import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

const config = new pulumi.Config();
const stack = pulumi.getStack();

const cluster = new TalosCluster(stack, {
  environment: stack,
  domain: config.require("domain"),
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: config.require("operatorCidrs").split(","),
  network: { zoneCount: 3 },
});

export const { endpoint, nodes, kubeconfig, talosconfig } = cluster;
