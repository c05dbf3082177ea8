import { hexId } from "../../etcd/etcdCluster";
import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource } from "../resource";
import { encodeSpec } from "../specCodec";

const NAMESPACE = "etcd";
const TYPE = "EtcdMembers.etcd.talos.dev";

/** The node's etcd member, with its id in hexadecimal as `talosctl etcd members` shows it. */
export function etcdSources(node: NodeState): readonly ResourceSource[] {
  return [
    {
      namespace: NAMESPACE,
      type: TYPE,
      values: () => {
        const id = node.etcd?.membership?.member.id;
        if (id === undefined) {
          return [];
        }
        const memberId = hexId(id);
        return [
          {
            namespace: NAMESPACE,
            type: TYPE,
            id: "local",
            owner: "etcd.MemberController",
            spec: { memberID: memberId },
            proto: encodeSpec("EtcdMember", { memberId }),
          },
        ];
      },
    },
  ];
}
