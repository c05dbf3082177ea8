import { networksOverlap } from "../../../../provider/config";
import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const CONFIG_TYPE = "NodeIPConfigs.kubernetes.talos.dev";
const ADDRESS_TYPE = "NodeIPs.kubernetes.talos.dev";

/**
 * Which of a node's addresses its kubelet has. If none fits the configuration, Talos only logs it, and
 * the kubelet keeps the former ones. Source: talos v1.12.1, `k8s/nodeip_config.go`, `k8s/nodeip.go`.
 */
export function nodeIpSources(node: NodeState): readonly ResourceSource[] {
  let chosen: string | undefined;
  return [
    { namespace: "k8s", type: CONFIG_TYPE, values: () => configOf(node) },
    {
      namespace: "k8s",
      type: ADDRESS_TYPE,
      values: () => {
        chosen = choose(node) ?? chosen;
        return chosen === undefined ? [] : [addressOf(chosen)];
      },
    },
  ];
}

function subnetsOf(node: NodeState) {
  const facts = node.config?.facts;
  if (facts === undefined) {
    return undefined;
  }
  const { nodeIpSubnets, serviceCidrs, podCidrs } = facts;
  const anywhere = serviceCidrs.map((cidr) => (cidr.includes(":") ? "::/0" : "0.0.0.0/0"));
  return {
    validSubnets: nodeIpSubnets.length > 0 ? [...nodeIpSubnets] : anywhere,
    excludeSubnets: [...podCidrs, ...serviceCidrs],
  };
}

function choose(node: NodeState): string | undefined {
  const { privateAddress } = node.hardware;
  const subnets = subnetsOf(node);
  const all = [
    ...(subnets?.validSubnets ?? []),
    ...(subnets?.excludeSubnets ?? []).map((subnet) => `!${subnet}`),
  ];
  const last = all.findLast((subnet) => networksOverlap(privateAddress, subnet.replace(/^!/, "")));
  return last === undefined || last.startsWith("!") ? undefined : privateAddress;
}

function configOf(node: NodeState): ResourceValue[] {
  const spec = subnetsOf(node);
  return spec === undefined
    ? []
    : [
        {
          namespace: "k8s",
          type: CONFIG_TYPE,
          id: "kubelet",
          spec,
          owner: "k8s.NodeIPConfigController",
          proto: encodeSpec("NodeIpConfig", spec),
        },
      ];
}

function addressOf(address: string): ResourceValue {
  return {
    namespace: "k8s",
    type: ADDRESS_TYPE,
    id: "kubelet",
    owner: "k8s.NodeIPController",
    spec: { addresses: [address] },
    proto: encodeSpec("NodeIp", { addresses: [ipOf(address)] }),
  };
}
