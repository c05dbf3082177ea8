import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";

/** A cluster of three machines in three zones, by all defaults. */
export const standardCluster: TalosClusterArgs = {
  environment: "sandbox",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a", "us-east-1b", "us-east-1c"] },
};
