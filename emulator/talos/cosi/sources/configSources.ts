import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec } from "../specCodec";

const NAMESPACE = "config";
const MACHINE_CONFIG_TYPE = "MachineConfigs.config.talos.dev";
const MACHINE_TYPE_TYPE = "MachineTypes.config.talos.dev";

/**
 * The active configuration of a node (`v1alpha1`), the one on its disk (`persistent`) if it was
 * written since the node started, and the machine type. Both configurations contain every secret of
 * the node.
 */
export function configSources(node: NodeState): readonly ResourceSource[] {
  return [
    {
      namespace: NAMESPACE,
      type: MACHINE_CONFIG_TYPE,
      values: () =>
        node.config
          ? [
              ...(node.config.isWrittenSinceStart
                ? [machineConfig("persistent", node.config.persistent)]
                : []),
              machineConfig("v1alpha1", node.config.active),
            ]
          : [],
    },
    {
      namespace: NAMESPACE,
      type: MACHINE_TYPE_TYPE,
      values: () => [machineType(node.config?.facts.machineType)],
    },
  ];
}

function machineConfig(id: string, text: string): ResourceValue {
  return {
    namespace: NAMESPACE,
    type: MACHINE_CONFIG_TYPE,
    id,
    owner: "",
    annotations: { "talos.dev/yaml-spec": "1" },
    spec: text,
    proto: encodeSpec("MachineConfig", { yamlMarshalled: Buffer.from(text) }),
  };
}

function machineType(type: "controlplane" | "worker" | undefined): ResourceValue {
  const protoNames = { controlplane: "TYPE_CONTROL_PLANE", worker: "TYPE_WORKER" };
  return {
    namespace: NAMESPACE,
    type: MACHINE_TYPE_TYPE,
    id: "machine-type",
    owner: "config.MachineTypeController",
    spec: type ?? "unknown",
    proto: encodeSpec("MachineTypeSpec", {
      machineType: type ? protoNames[type] : "TYPE_UNKNOWN",
    }),
  };
}
