import {
  BurstablePerformance,
  RefreshStrategy,
  ScaleInProtectedInstances,
  StandbyInstances,
} from "@aws-sdk/client-auto-scaling";
import { nameProperties } from "../nameProperties";
import type { Property, PropertyTable } from "../propertyTable";
import {
  between,
  memberOf,
  text,
  duration,
  launchTemplateName,
  SUFFIX_LENGTH,
  type ValueRule,
} from "../valueRules";

/** Source of the smallest numbers: terraform-provider-aws v6.58, internal/service/autoscaling/group.go. */
const range: Property = {
  type: "block",
  fields: { min: { type: "number", rule: between(1) }, max: { type: "number", rule: between(1) } },
};
/** Zero as `max` alone excludes machines with accelerators. */
const accelerators: Property = {
  type: "block",
  fields: { min: { type: "number", rule: between(1) }, max: { type: "number", rule: between(0) } },
};
const types: Property = { type: "strings", unordered: true };

/** A group has its machines' template in one of these. */
const LAUNCH = ["launchTemplate", "mixedInstancesPolicy"];
/** A whole number as a text; empty is none. */
const wholeNumber: ValueRule = {
  expected: "a whole number, at least 0",
  holds: (value) => /^\d*$/.test(String(value)),
};
const templateId = text(1, 255, {
  matches: /^lt-[0-9a-z]+$/,
  expected: "of the form lt-0123456789abcdef0",
});

const templateFields: PropertyTable = {
  launchTemplateId: { type: "string", computed: true },
  launchTemplateName: { type: "string", computed: true },
  version: { type: "string", computed: true },
};

/** Supported input properties of `aws.autoscaling.Group`. */
export const autoScalingGroupProperties: PropertyTable = {
  ...nameProperties(text(0, 255), text(0, 255 - SUFFIX_LENGTH)),
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
    exactlyOneOf: LAUNCH,
    fields: {
      id: { type: "string", computed: true, rule: templateId },
      name: {
        type: "string",
        computed: true,
        conflictsWith: ["launchTemplate.id"],
        rule: launchTemplateName(125),
      },
      version: { type: "string", computed: true, rule: text(1, 255) },
    },
  },
  mixedInstancesPolicy: {
    type: "block",
    computed: true,
    exactlyOneOf: LAUNCH,
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
                  burstablePerformance: { type: "string", rule: memberOf(BurstablePerformance) },
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
          onDemandBaseCapacity: { type: "number", computed: true, rule: between(0) },
          onDemandPercentageAboveBaseCapacity: {
            type: "number",
            computed: true,
            rule: between(0, 100),
          },
          spotAllocationStrategy: { type: "string", computed: true },
          spotInstancePools: { type: "number", computed: true, rule: between(0) },
          spotMaxPrice: { type: "string" },
        },
      },
    },
  },
  instanceRefresh: {
    type: "block",
    fields: {
      strategy: { type: "string", required: true, rule: memberOf(RefreshStrategy) },
      triggers: { type: "strings", unordered: true },
      preferences: {
        type: "block",
        fields: {
          autoRollback: { type: "boolean" },
          instanceWarmup: { type: "string", rule: wholeNumber },
          maxHealthyPercentage: { type: "number", default: 100, rule: between(100, 200) },
          minHealthyPercentage: { type: "number", default: 90, rule: between(0, 100) },
          scaleInProtectedInstances: {
            type: "string",
            default: "Ignore",
            rule: memberOf(ScaleInProtectedInstances),
          },
          skipMatching: { type: "boolean", default: false },
          standbyInstances: { type: "string", default: "Ignore", rule: memberOf(StandbyInstances) },
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
  waitForCapacityTimeout: { type: "string", default: "10m", rule: duration },
};

/** Properties that have API calls of their own, apart from the group's update. */
export const ownCallProperties: readonly string[] = [
  "enabledMetrics",
  "suspendedProcesses",
  "tags",
  "targetGroupArns",
];
