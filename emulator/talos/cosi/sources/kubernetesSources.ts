import { createHash } from "node:crypto";
import type { ComponentFacts } from "../../config/componentFacts";
import { nodeObject, readinessOf } from "../../kubernetes/nodeObject";
import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";
import { nodeIpSources } from "./nodeIpSources";

const NODENAME_TYPE = "Nodenames.kubernetes.talos.dev";
const KUBELET_CONFIG_TYPE = "KubeletConfigs.kubernetes.talos.dev";
const KUBELET_SPEC_TYPE = "KubeletSpecs.kubernetes.talos.dev";
const NODE_STATUS_TYPE = "NodeStatuses.kubernetes.talos.dev";
const ENDPOINT_TYPE = "Endpoints.kubernetes.talos.dev";

/**
 * The Kubernetes resources of a node: its name and addresses there, its status, the control plane.
 */
export function kubernetesSources(node: NodeState): readonly ResourceSource[] {
  return [
    { namespace: "k8s", type: NODENAME_TYPE, values: () => nodename(node) },
    ...nodeIpSources(node),
    { namespace: "k8s", type: NODE_STATUS_TYPE, values: () => nodeStatus(node) },
    {
      namespace: "k8s",
      type: KUBELET_CONFIG_TYPE,
      values: () =>
        kubelet(KUBELET_CONFIG_TYPE, "k8s.KubeletConfigController", node.config?.facts.kubelet),
    },
    {
      namespace: "k8s",
      type: KUBELET_SPEC_TYPE,
      values: () => kubelet(KUBELET_SPEC_TYPE, "k8s.KubeletSpecController", node.renderedKubelet),
    },
    { namespace: "controlplane", type: ENDPOINT_TYPE, values: () => endpoints(node) },
  ];
}

/** The kubelet's parameters: a change of any of them is another version. */
function kubelet(type: string, owner: string, facts: ComponentFacts | undefined): ResourceValue[] {
  if (facts === undefined) {
    return [];
  }
  const { image, extraArgs, settings } = facts;
  const digest = createHash("sha256").update(settings).digest("hex");
  const spec = {
    image,
    args: Object.keys(extraArgs).map((flag) => `--${flag}`),
    config: { digest },
  };
  const proto =
    type === KUBELET_SPEC_TYPE
      ? encodeSpec("KubeletSpec", { image, args: spec.args })
      : encodeSpec("KubeletConfig", { image });
  return [{ namespace: "k8s", type, id: "kubelet", owner, spec, proto }];
}

function nodename(node: NodeState): ResourceValue[] {
  if (node.nodename === undefined) {
    return [];
  }
  const spec = { nodename: node.nodename, hostnameVersion: "1", skipNodeRegistration: false };
  return [
    {
      namespace: "k8s",
      type: NODENAME_TYPE,
      id: "nodename",
      owner: "k8s.NodenameController",
      spec,
      proto: encodeSpec("Nodename", spec),
    },
  ];
}

function nodeStatus(node: NodeState): ResourceValue[] {
  const record = node.kubernetesNode;
  if (!record) {
    return [];
  }
  const now = new Date();
  const { labels, annotations } = nodeObject(record, now).metadata;
  const spec = {
    nodename: record.name,
    nodeReady: readinessOf(record, now).status === "True",
    unschedulable: record.isCordoned,
    labels,
    annotations,
  };
  return [
    {
      namespace: "k8s",
      type: NODE_STATUS_TYPE,
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
  if (addresses.length === 0) {
    return [];
  }
  return [
    {
      namespace: "controlplane",
      type: ENDPOINT_TYPE,
      id: "discovery",
      owner: "cluster.EndpointController",
      spec: { addresses },
      proto: encodeSpec("Endpoint", { addresses: addresses.map(ipOf) }),
    },
  ];
}
