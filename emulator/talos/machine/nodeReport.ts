import { awsSchematicId } from "../../../provider/config";
import type { MachineFacts } from "../config/machineFacts";
import type { NodeMetadata, NodeReport } from "../kubernetes/nodeRecord";
import type { NodeState } from "./nodeState";

const controlPlaneTaint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };

/** The kubelet's report about its node, without its pods. */
export function nodeReport(node: NodeState, facts: MachineFacts): Omit<NodeReport, "staticPods"> {
  const { hardware } = node;
  const isControlPlane = facts.machineType === "controlplane";
  return {
    name: node.nodename ?? node.hostname.hostname,
    isControlPlane,
    internalAddress: hardware.privateAddress,
    externalAddress: hardware.hasPublicAddress ? hardware.address : undefined,
    architecture: hardware.architecture,
    kubeletVersion: facts.kubeletVersion,
    talosVersion: node.talosVersion,
    instanceId: hardware.instanceId,
    instanceType: hardware.instanceType,
    region: hardware.region,
    zone: hardware.zone,
    bootId: node.uptime.bootId,
    machineId: machineId(hardware.instanceId),
    hasOfficialImage: node.uptime.system.schematic === awsSchematicId,
    awaitsPodNetwork: isControlPlane && facts.awaitsPodNetwork,
    registeredTaints: [...facts.registerWithTaints, ...roleTaints(facts)],
  };
}

/** The metadata that Talos wants on its Kubernetes node. */
export function nodeMetadata(facts: MachineFacts): NodeMetadata {
  const isControlPlane = facts.machineType === "controlplane";
  return {
    labels: { ...facts.nodeLabels, ...(isControlPlane ? { [controlPlaneTaint.key]: "" } : {}) },
    annotations: facts.nodeAnnotations,
    taints: [...roleTaints(facts), ...facts.nodeTaints],
  };
}

/** The taints that keep ordinary pods off a control plane; the node registers with them too. */
function roleTaints({ machineType, allowSchedulingOnControlPlanes }: MachineFacts) {
  return machineType === "controlplane" && !allowSchedulingOnControlPlanes
    ? [controlPlaneTaint]
    : [];
}

/** The machine's UUID begins with `ec2` as on EC2; the rest is the instance's id. */
function machineId(instanceId: string): string {
  const hex = instanceId.replace(/^i-/, "").padEnd(29, "0").slice(0, 29);
  return `ec2${hex}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
