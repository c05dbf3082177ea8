import * as pulumi from "@pulumi/pulumi";
import { type ClusterJoin, JoinedWorkerPool } from "pulumi-talos-aws";

// pulumi config set clusterStack <organization>/cluster/<stack>
const stack = new pulumi.StackReference(new pulumi.Config().require("clusterStack"));
const cluster = stack.requireOutput("join") as pulumi.Output<ClusterJoin>;

const pool = new JoinedWorkerPool("batch", {
  cluster,
  // The zones decide which machines exist, so they are set here and not read from the other stack.
  zones: ["us-east-1a", "us-east-1b"],
  machineCount: 2,
  labels: { team: "data" },
});

export const { nodes } = pool;
