import type { ResourceSource, ResourceValue } from "../resource";
import { resourceDefinitions } from "../resourceDefinitions";
import { encodeSpec } from "../specCodec";

/** Namespaces of a Talos v1.12.1 node, with their descriptions. */
export const namespaces: ReadonlyMap<string, string> = new Map([
  ["cluster", "Cluster configuration and discovery resources."],
  ["cluster-raw", "Cluster unmerged raw resources."],
  ["config", "Talos node configuration."],
  ["controlplane", "Kubernetes control plane resources."],
  ["cri", "CRI Seccomp resources."],
  ["etcd", "etcd resources."],
  ["files", "Files and file-like resources."],
  ["hardware", "Hardware resources."],
  ["k8s", "Kubernetes all node types resources."],
  ["kubespan", "KubeSpan resources."],
  ["meta", "Metadata namespace which contains resource and namespace definitions."],
  ["network", "Networking resources."],
  ["network-config", "Networking configuration resources."],
  ["perf", "Stats resources."],
  ["runtime", "Talos v1alpha1 subsystems glue resources."],
  ["secrets", "Resources with secret material."],
]);

const base = { namespace: "meta", owner: "meta" };
const NAMESPACE_TYPE = "Namespaces.meta.cosi.dev";
const DEFINITION_TYPE = "ResourceDefinitions.meta.cosi.dev";

const namespaceValues: readonly ResourceValue[] = [...namespaces].map(([id, description]) => ({
  ...base,
  type: NAMESPACE_TYPE,
  id,
  spec: { description },
  proto: encodeSpec("Namespace", { description }),
}));

const definitionValues: readonly ResourceValue[] = [...resourceDefinitions].map(
  ([id, definition]) => {
    const { type, displayType, defaultNamespace, sensitive } = definition;
    const aliases = [...definition.aliases];
    const allAliases = [...definition.allAliases];
    const printColumns = definition.printColumns.map(({ name, jsonPath }) => ({ name, jsonPath }));
    return {
      ...base,
      type: DEFINITION_TYPE,
      id,
      spec: {
        type,
        displayType,
        defaultNamespace,
        aliases,
        allAliases,
        printColumns,
        ...(sensitive ? { sensitivity: "sensitive" } : {}),
      },
      proto: encodeSpec("ResourceDefinition", {
        resourceType: type,
        displayType,
        defaultNamespace,
        aliases,
        allAliases,
        printColumns,
        sensitivity: sensitive ? "SENSITIVE" : "NON_SENSITIVE",
      }),
    };
  },
);

/** Namespaces and resource types, in which `talosctl get` looks up names. They never change. */
export const metaSources: readonly ResourceSource[] = [
  { namespace: "meta", type: NAMESPACE_TYPE, values: () => namespaceValues },
  { namespace: "meta", type: DEFINITION_TYPE, values: () => definitionValues },
];
