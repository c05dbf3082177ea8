import { parseTaint } from "../../../provider/config";
import type { KubernetesObject } from "../../../provider/kubernetes";
import { defined } from "../../defined";
import type { NumberRange } from "../autoScalingArgs";
import { NODE_CLASS_API, NODE_POOL_API, TYPE_LABELS } from "./karpenterKinds";
import type {
  KarpenterLimitsArgs,
  KarpenterPoolArgs,
  KarpenterRequirementArgs,
} from "./karpenterPoolArgs";

const MIB_PER_GIB = 1_024;
/** The least memory of a worker. */
const LEAST_MEMORY_GIB = 1;
const DEFAULT_CATEGORIES = ["c", "m", "r"];

/** The architectures of a pool that names none. */
export const DEFAULT_ARCHITECTURES = ["amd64"] as const;

/** A pool as Karpenter sees it, besides what its machines are made of. */
export interface NodePoolInput {
  readonly name: string;
  readonly karpenter: KarpenterPoolArgs;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** By key, `<value>:<effect>` or `<effect>`. */
  readonly taints?: Readonly<Record<string, string>> | undefined;
}

/**
 * The NodePool of a pool: what its machines may be, how many, and when they end. Labels and taints are here,
 * and not in the machines' configuration: Karpenter plans by them before there is a machine, and writes them to
 * its node.
 *
 * Source: `pkg/apis/v1/nodepool.go` of sigs.k8s.io/karpenter v1.15.0.
 */
export function planNodePool(input: NodePoolInput): KubernetesObject {
  const { name, karpenter, labels = {}, taints = {} } = input;
  const { budgets = [{ nodes: "10%" }], weight } = karpenter;
  const [group = ""] = NODE_CLASS_API.split("/");
  const listed = Object.entries(taints).map(([key, taint]) => {
    const { value, effect } = parseTaint(taint);
    return { key, ...(value !== "" && { value }), effect };
  });
  return {
    apiVersion: NODE_POOL_API,
    kind: "NodePool",
    metadata: { name },
    spec: defined({
      template: {
        metadata: { labels },
        spec: defined({
          nodeClassRef: { group, kind: "EC2NodeClass", name },
          requirements: planRequirements(input),
          taints: listed.length === 0 ? undefined : listed,
          expireAfter: karpenter.expireAfter ?? "720h",
          terminationGracePeriod: karpenter.terminationGracePeriod ?? "24h",
        }),
      },
      disruption: {
        consolidationPolicy: karpenter.consolidationPolicy ?? "WhenEmptyOrUnderutilized",
        consolidateAfter: karpenter.consolidateAfter ?? "1m",
        budgets,
      },
      limits: planLimits(karpenter.limits),
      weight,
    }),
  };
}

function planLimits({ vcpus, memoryGib, nodes }: KarpenterLimitsArgs) {
  return defined({
    cpu: String(vcpus),
    memory: memoryGib === undefined ? undefined : `${memoryGib}Gi`,
    nodes: nodes === undefined ? undefined : String(nodes),
  });
}

/** What the labels of machines must say. Their zones follow from the subnets of the EC2NodeClass. */
function planRequirements({ karpenter }: NodePoolInput): KarpenterRequirementArgs[] {
  const { architectures = DEFAULT_ARCHITECTURES, capacityTypes = ["on-demand"] } = karpenter;
  const { memoryGib = { min: LEAST_MEMORY_GIB }, requirements = [] } = karpenter;
  return [
    isIn("kubernetes.io/arch", architectures),
    isIn("kubernetes.io/os", ["linux"]),
    isIn("karpenter.sh/capacity-type", capacityTypes),
    // Talos' images need UEFI, which older families don't have.
    isIn(`${TYPE_LABELS}hypervisor`, ["nitro"]),
    ...planTypes(karpenter),
    ...isBetween(`${TYPE_LABELS}cpu`, karpenter.vcpus),
    ...isBetween(`${TYPE_LABELS}memory`, inMib(memoryGib)),
    ...requirements,
  ];
}

function planTypes(karpenter: KarpenterPoolArgs): KarpenterRequirementArgs[] {
  const { instanceTypes, instanceFamilies, instanceCategories = DEFAULT_CATEGORIES } = karpenter;
  if (instanceTypes !== undefined) {
    return [isIn("node.kubernetes.io/instance-type", instanceTypes)];
  }
  return instanceFamilies === undefined
    ? [isIn(`${TYPE_LABELS}category`, instanceCategories)]
    : [isIn(`${TYPE_LABELS}family`, instanceFamilies)];
}

function isIn(key: string, values: readonly string[]): KarpenterRequirementArgs {
  return { key, operator: "In", values: [...values] };
}

function isBetween(key: string, range: NumberRange | undefined): KarpenterRequirementArgs[] {
  return range === undefined
    ? []
    : [
        { key, operator: "Gte", values: [String(range.min)] },
        ...(range.max === undefined
          ? []
          : [{ key, operator: "Lte" as const, values: [String(range.max)] }]),
      ];
}

function inMib({ min, max }: NumberRange): NumberRange {
  return defined({
    min: min * MIB_PER_GIB,
    max: max === undefined ? undefined : max * MIB_PER_GIB,
  });
}
