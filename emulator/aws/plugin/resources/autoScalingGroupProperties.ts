import type { Property, PropertyTable } from "../propertyTable";

/** Source of the smallest numbers: terraform-provider-aws v6.58, internal/service/autoscaling/group.go. */
const range: Property = {
  type: "block",
  fields: { min: { type: "number", least: 1 }, max: { type: "number", least: 1 } },
};
/** Zero as `max` alone excludes machines with accelerators. */
const accelerators: Property = {
  type: "block",
  fields: { min: { type: "number", least: 1 }, max: { type: "number", least: 0 } },
};
const types: Property = { type: "strings", unordered: true };

const templateFields: PropertyTable = {
  launchTemplateId: { type: "string", computed: true },
  launchTemplateName: { type: "string", computed: true },
  version: { type: "string", default: "$Default" },
};

/** Supported input properties of `aws.autoscaling.Group`. */
export const autoScalingGroupProperties: PropertyTable = {
  name: { type: "string", computed: true, replaces: true },
  namePrefix: { type: "string", computed: true, replaces: true, conflictsWith: ["name"] },
  minSize: { type: "number", required: true },
  maxSize: { type: "number", required: true },
  desiredCapacity: { type: "number", computed: true },
  availabilityZones: {
    type: "strings",
    computed: true,
    unordered: true,
    conflictsWith: ["vpcZoneIdentifiers"],
  },
  vpcZoneIdentifiers: { type: "strings", computed: true, unordered: true },
  launchTemplate: {
    type: "block",
    computed: true,
    fields: {
      id: { type: "string", computed: true },
      name: { type: "string", computed: true, conflictsWith: ["launchTemplate.id"] },
      version: { type: "string" },
    },
  },
  mixedInstancesPolicy: {
    type: "block",
    computed: true,
    fields: {
      launchTemplate: {
        type: "block",
        required: true,
        fields: {
          launchTemplateSpecification: { type: "block", required: true, fields: templateFields },
          overrides: {
            type: "blocks",
            computed: true,
            fields: {
              instanceType: { type: "string" },
              instanceRequirements: {
                type: "block",
                fields: {
                  acceleratorCount: accelerators,
                  allowedInstanceTypes: types,
                  burstablePerformance: { type: "string" },
                  excludedInstanceTypes: types,
                  instanceGenerations: types,
                  memoryMib: range,
                  vcpuCount: range,
                },
              },
              launchTemplateSpecification: { type: "block", fields: templateFields },
            },
          },
        },
      },
      instancesDistribution: {
        type: "block",
        computed: true,
        fields: {
          onDemandAllocationStrategy: { type: "string", computed: true },
          onDemandBaseCapacity: { type: "number", computed: true },
          onDemandPercentageAboveBaseCapacity: { type: "number", computed: true },
          spotAllocationStrategy: { type: "string", computed: true },
          spotInstancePools: { type: "number", computed: true },
          spotMaxPrice: { type: "string" },
        },
      },
    },
  },
  instanceRefresh: {
    type: "block",
    fields: {
      strategy: { type: "string", required: true },
      triggers: { type: "strings", unordered: true },
      preferences: {
        type: "block",
        fields: {
          autoRollback: { type: "boolean" },
          instanceWarmup: { type: "string" },
          maxHealthyPercentage: { type: "number", default: 100 },
          minHealthyPercentage: { type: "number", default: 90 },
          scaleInProtectedInstances: { type: "string", default: "Ignore" },
          skipMatching: { type: "boolean", default: false },
          standbyInstances: { type: "string", default: "Ignore" },
        },
      },
    },
  },
  tags: {
    type: "blocks",
    unordered: true,
    fields: {
      key: { type: "string", required: true },
      value: { type: "string", required: true },
      propagateAtLaunch: { type: "boolean", required: true },
    },
  },
  capacityRebalance: { type: "boolean" },
  defaultCooldown: { type: "number", computed: true },
  defaultInstanceWarmup: { type: "number" },
  enabledMetrics: { type: "strings", unordered: true },
  metricsGranularity: { type: "string", default: "1Minute" },
  forceDelete: { type: "boolean", default: false },
  healthCheckGracePeriod: { type: "number", default: 300 },
  healthCheckType: { type: "string", computed: true },
  ignoreFailedScalingActivities: { type: "boolean", default: false },
  maxInstanceLifetime: { type: "number" },
  placementGroup: { type: "string" },
  protectFromScaleIn: { type: "boolean", default: false },
  suspendedProcesses: { type: "strings", unordered: true },
  targetGroupArns: { type: "strings", computed: true, unordered: true },
  terminationPolicies: { type: "strings" },
  waitForCapacityTimeout: { type: "string", default: "10m" },
};

/** Properties that have API calls of their own, apart from the group's update. */
export const ownCallProperties: readonly string[] = [
  "enabledMetrics",
  "suspendedProcesses",
  "tags",
  "targetGroupArns",
];
