import { nodeObject, readinessOf } from "../../kubernetes/nodeObject";
import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const nodenameType = "Nodenames.kubernetes.talos.dev";
const nodeIpType = "NodeIPs.kubernetes.talos.dev";
const nodeStatusType = "NodeStatuses.kubernetes.talos.dev";
const endpointType = "Endpoints.kubernetes.talos.dev";

/**
 * The Kubernetes resources of a node: its name and addresses there, its status, the control plane.
 */
export function kubernetesSources(node: NodeState): readonly ResourceSource[] {
  return [
    { namespace: "k8s", type: nodenameType, values: () => nodename(node) },
    { namespace: "k8s", type: nodeIpType, values: () => nodeIp(node) },
    { namespace: "k8s", type: nodeStatusType, values: () => nodeStatus(node) },
    { namespace: "controlplane", type: endpointType, values: () => endpoints(node) },
  ];
}

function nodename(node: NodeState): ResourceValue[] {
  if (node.nodename === undefined) return [];
  const spec = { nodename: node.nodename, hostnameVersion: "1", skipNodeRegistration: false };
  return [
    {
      namespace: "k8s",
      type: nodenameType,
      id: "nodename",
      owner: "k8s.NodenameController",
      spec,
      proto: encodeSpec("Nodename", spec),
    },
  ];
}

function nodeIp(node: NodeState): ResourceValue[] {
  if (!node.config) return [];
  const { privateAddress } = node.hardware;
  return [
    {
      namespace: "k8s",
      type: nodeIpType,
      id: "kubelet",
      owner: "k8s.NodeIPController",
      spec: { addresses: [privateAddress] },
      proto: encodeSpec("NodeIp", { addresses: [ipOf(privateAddress)] }),
    },
  ];
}

function nodeStatus(node: NodeState): ResourceValue[] {
  const record = node.kubernetesNode;
  if (!record) return [];
  const now = new Date();
  const { labels, annotations } = nodeObject(record, now).metadata;
  const spec = {
    nodename: record.name,
    nodeReady: readinessOf(record, now).status === "True",
    unschedulable: false,
    labels,
    annotations,
  };
  return [
    {
      namespace: "k8s",
      type: nodeStatusType,
      id: record.name,
      owner: "k8s.NodeStatusController",
      spec,
      proto: encodeSpec("NodeStatus", spec),
    },
  ];
}

function endpoints(node: NodeState): ResourceValue[] {
  const addresses = node.peers
    .filter(({ machineType }) => machineType === "controlplane")
    .map(({ privateAddress }) => privateAddress)
    .sort();
  if (addresses.length === 0) return [];
  return [
    {
      namespace: "controlplane",
      type: endpointType,
      id: "discovery",
      owner: "cluster.EndpointController",
      spec: { addresses },
      proto: encodeSpec("Endpoint", { addresses: addresses.map(ipOf) }),
    },
  ];
}
