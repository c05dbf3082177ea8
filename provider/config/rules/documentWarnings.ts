import { CONTROL_PLANE_ROLE } from "../generate/nodeMetadata";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  textAt,
  type YamlValue,
} from "../machineConfig";

/**
 * What Talos accepts in its documents since v1.14 and warns of, because it works otherwise than one might
 * think. Source: the warnings of `Validate` in pkg/machinery/config/types/{k8s,runtime,network,container},
 * and of `validateContainer` in pkg/machinery/config/container/validate.go, Talos v1.14.1.
 */
export function documentWarnings(documents: readonly ConfigDocument[]): string[] {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  const isControlPlane = textAt(config?.machine, "type") === "controlplane";
  return documents.flatMap((document) => {
    const warnings = rules.get(textAt(document, "kind") ?? "")?.(document, isControlPlane) ?? [];
    return warnings.map((warning) => `${documentId(document)}: ${warning}`);
  });
}

type Rule = (document: ConfigDocument, isControlPlane: boolean) => readonly string[];

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    KubeNodeConfig: roleWarnings,
    KubeProxyConfig: proxyWarnings,
    UnattendedInstallConfig: ({ installer }) =>
      when(
        textAt(installer, "image") === undefined,
        "installer.image is missing: Talos is installed only if the machine booted an image of the Image Factory",
      ),
    KubeAuthorizerConfig: ({ type, webhook }) =>
      when(
        type !== "Webhook" && itemsIn(webhook).length > 0,
        'webhook has no effect: only the type "Webhook" asks one',
      ),
    KubeTalosAPIAccessConfig: ({ allowedRoles }) =>
      when(
        itemsIn(allowedRoles).length === 0,
        "allowedRoles is empty: nothing may call the Talos API",
      ),
    ResolverConfig: resolverWarnings,
    ContainerConfig: (document) =>
      when(
        textAt(document, "image")?.includes("@") !== true,
        "image has no digest: another image may run after a restart",
      ),
    BGPInstanceConfig: ({ neighbors }) =>
      when(itemsIn(neighbors).length === 0, "has no neighbors: it does nothing"),
  }),
);

function roleWarnings(document: ConfigDocument, isControlPlane: boolean): string[] {
  const { labels, skipNodeRegistration } = document;
  const hasRole = isMapping(labels) && Object.hasOwn(labels, CONTROL_PLANE_ROLE);
  return when(
    isControlPlane && !hasRole && skipNodeRegistration !== true,
    `labels lacks ${CONTROL_PLANE_ROLE}: Talos adds it only where labels are in machine.nodeLabels, so keep it in this document`,
  );
}

function proxyWarnings(document: ConfigDocument): string[] {
  const { enabled, mode, extraArgs } = document;
  if (enabled === false) {
    return [];
  }
  return [
    ...when(
      mode === "iptables" || mode === "ipvs",
      `mode ${JSON.stringify(mode)} is not recommended: leave it out, which is "nftables"`,
    ),
    ...when(
      itemsIn(extraArgs).length > 0,
      "extraArgs may have no effect, because kube-proxy reads a file: write config instead",
    ),
  ];
}

function resolverWarnings({ nameservers }: ConfigDocument): string[] {
  const servers = itemsIn(nameservers);
  const encrypted = servers.filter((server) =>
    ["DoT", "DoH"].includes(textAt(server, "protocol") ?? ""),
  );
  return when(
    servers.length > 0 && encrypted.length === servers.length,
    "nameservers all need the right time, and a machine that boots may need a name to get the time: add one without encryption, or time servers by their addresses",
  );
}

/** Lists of an outline are mappings. */
function itemsIn(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? value : isMapping(value) ? Object.values(value) : [];
}

function when(condition: boolean, warning: string): string[] {
  return condition ? [warning] : [];
}
