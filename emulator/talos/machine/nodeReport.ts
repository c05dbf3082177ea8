import type { MachineFacts } from "../config/machineFacts";
import type { NodeReport } from "../kubernetes/kubernetesStore";
import type { NodeState } from "./nodeState";

const controlPlaneTaint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };

/** What a node's kubelet reports of it to Kubernetes, but for its pods. */
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
    labels: facts.nodeLabels,
    annotations: facts.nodeAnnotations,
    taints: isControlPlane
      ? [...(facts.allowSchedulingOnControlPlanes ? [] : [controlPlaneTaint]), ...facts.nodeTaints]
      : [],
    registeredTaints: facts.registerWithTaints,
  };
}

/** As EC2 does, the machine's UUID begins with `ec2`; the rest is the instance's id. */
function machineId(instanceId: string): string {
  const hex = instanceId.replace(/^i-/, "").padEnd(29, "0").slice(0, 29);
  return `ec2${hex}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
