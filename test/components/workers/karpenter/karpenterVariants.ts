import type { KarpenterPoolArgs } from "../../../../components/workers/karpenter/karpenterPoolArgs";
import {
  type NodeClassInput,
  planNodeClass,
} from "../../../../components/workers/karpenter/planNodeClass";
import { planNodePool } from "../../../../components/workers/karpenter/planNodePool";
import type { KubernetesObject } from "../../../../provider/kubernetes";

const nodeClass: NodeClassInput = {
  name: "spot",
  machineConfiguration: "version: v1alpha1\nmachine: {type: worker}\n",
  imageIds: ["ami-0123456789abcdef0"],
  subnetIds: ["subnet-0123456789abcdef0"],
  securityGroupIds: ["sg-0123456789abcdef0"],
  instanceProfileName: "workers-profile",
  publicAddresses: true,
  settings: {},
  tags: { Name: "prod-spot" },
};

const fullNodeClass: NodeClassInput = {
  ...nodeClass,
  imageIds: ["ami-0123456789abcdef0", "ami-0123456789abcdef1"],
  subnetIds: ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"],
  securityGroupIds: ["sg-0123456789abcdef0", "sg-0123456789abcdef1"],
  publicAddresses: false,
  settings: {
    metadataHopLimit: 2,
    rootVolumeSizeGib: 200,
    rootVolume: { type: "gp3", iops: 4_000, throughputMib: 250 },
  },
  kmsKeyId: "arn:aws:kms:us-east-1:123456789012:key/0123abcd",
  detailedMonitoring: true,
  dataVolumes: { logs: { sizeGib: 20 }, data: { sizeGib: 500, type: "io2", iops: 5_000 } },
  tags: { Name: "prod-spot", "example.com/team": "data" },
};

const least: KarpenterPoolArgs = { limits: { vcpus: 64 } };

const full: KarpenterPoolArgs = {
  limits: { vcpus: 1_000, memoryGib: 4_000, nodes: 100 },
  architectures: ["amd64", "arm64"],
  capacityTypes: ["spot", "on-demand"],
  instanceFamilies: ["m7i", "m7g"],
  vcpus: { min: 2, max: 16 },
  memoryGib: { min: 4 },
  requirements: [
    { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["4"] },
    { key: "karpenter.k8s.aws/instance-size", operator: "NotIn", values: ["metal"] },
    { key: "karpenter.k8s.aws/instance-local-nvme", operator: "DoesNotExist" },
    {
      key: "karpenter.k8s.aws/instance-cpu-manufacturer",
      operator: "In",
      values: ["intel", "amd", "aws"],
      minValues: 2,
    },
  ],
  budgets: [
    { nodes: "20%", reasons: ["Drifted", "Underutilized"] },
    { nodes: "0", schedule: "0 8 * * 1-5", duration: "10h" },
    { nodes: "5", schedule: "@daily", duration: "1h30m" },
  ],
  consolidationPolicy: "Balanced",
  consolidateAfter: "5m",
  expireAfter: "Never",
  terminationGracePeriod: "1h30m",
  weight: 10,
};

const objects: readonly (readonly [string, KubernetesObject])[] = [
  ["a NodePool by default", planNodePool({ name: "spot", karpenter: least })],
  [
    "a NodePool with everything",
    planNodePool({
      name: "spot",
      karpenter: full,
      labels: { "example.com/tier": "batch", "node-role.kubernetes.io/batch": "" },
      taints: { "example.com/batch": "yes:NoSchedule", alone: "NoExecute" },
    }),
  ],
  [
    "a NodePool of named types",
    planNodePool({ name: "spot", karpenter: { ...least, instanceTypes: ["m7i.large"] } }),
  ],
  ["an EC2NodeClass by default", planNodeClass(nodeClass)],
  ["an EC2NodeClass with everything", planNodeClass(fullNodeClass)],
];

/** Arguments of a pool of Karpenter, and the objects that follow from them. */
export const karpenterVariants = { nodeClass, fullNodeClass, least, full, objects };
