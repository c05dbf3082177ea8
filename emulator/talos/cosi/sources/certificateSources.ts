import { isIP } from "node:net";
import {
  type CertificateNames,
  kubernetesApiNames,
  maintenanceNames,
  talosApiNames,
} from "../../machine/nodeCertificates";
import type { NodeState } from "../../machine/nodeState";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const owners = { maintenance: "Maintenance", api: "API", k8s: "Kubernetes" };
const kind = { namespace: "secrets", type: "CertSANs.secrets.talos.dev" };

/** The names and addresses in the node's certificates. */
export function certificateSources(node: NodeState): readonly ResourceSource[] {
  return [
    sourceOf({ ...kind, owner: "secrets.CertSANsController" }, () => {
      const { hostname, hardware, config } = node;
      const names = { hostname, ...hardware };
      const facts = config?.facts;
      return [
        sanOf("maintenance", maintenanceNames(names), "maintenance-service.talos.dev"),
        ...(facts ? [sanOf("api", talosApiNames(names, facts), hostname.fqdn)] : []),
        ...(facts?.machineType === "controlplane"
          ? [sanOf("k8s", kubernetesApiNames(names, facts), "")]
          : []),
      ];
    }),
  ];
}

function sanOf(
  id: keyof typeof owners,
  { dnsNames, ipAddresses }: CertificateNames,
  fqdn: string,
): SourceValue {
  const sorted = [...ipAddresses].sort();
  return {
    id,
    owner: `secrets.${owners[id]}CertSANsController`,
    spec: { ips: sorted, dnsNames: [...dnsNames].sort(), fqdn },
    proto: encodeSpec("CertSan", {
      ips: sorted.filter((address) => isIP(address) === 4).map(ipOf),
      dnsNames: [...dnsNames].sort(),
      fqdn,
    }),
  };
}
