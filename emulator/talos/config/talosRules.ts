import { type ConfigDocument, isMapping } from "../../../provider/config";
import { textAt, textsAt, valueAt } from "./yamlPath";

/** Source: v1.14.1, `ClusterConfig.Validate`. */
const FIRST_MINOR_WITH_ENDPOINT_IN_DOCUMENT = 14;
const NO_ENDPOINT_IN_SECTION =
  "cluster controlplane endpoint is required (.cluster.controlPlane.endpoint); when the endpoint is migrated to the KubeClusterConfig document, the whole .cluster.controlPlane section should be removed (.cluster.controlPlane.localAPIServerPort is migrated to the KubeAPIServerConfig document)";
const NO_ENDPOINT_OF_ACCOUNTS =
  ".cluster.serviceAccount requires the cluster endpoint to be set in the same document (.cluster.controlPlane.endpoint); when the cluster endpoint is migrated to the KubeClusterConfig document, .cluster.serviceAccount should be migrated to the KubeServiceAccountConfig document as well";

/**
 * The problems that Talos v1.12.1 and v1.14.1 report about a document in cloud mode, with their
 * messages and order. Only rules that decide whether a machine can have its role are here. They are
 * separate from the product's checks, so that each tests the other.
 *
 * @param minor of the Talos that judges
 */
export function talosProblems(document: ConfigDocument, minor: number): string[] {
  switch (document.kind) {
    case undefined:
      return v1alpha1Problems(document, minor);
    case "HostnameConfig":
      return hostnameProblems(document);
    default:
      return [];
  }
}

function hostnameProblems(document: ConfigDocument): string[] {
  const hasName = textAt(document, "hostname") !== undefined;
  const auto = textAt(document, "auto");
  const isAutomatic = auto !== undefined && auto !== "off";
  if (hasName && isAutomatic) {
    return ["'auto' and 'hostname' cannot be set at the same time"];
  }
  return hasName || isAutomatic ? [] : ["either 'auto' or 'hostname' must be set"];
}

function v1alpha1Problems(config: ConfigDocument, minor: number): string[] {
  if (!isMapping(config.machine)) {
    return ["machine instructions are required"];
  }
  const isControlPlane = ["controlplane", "init"].includes(textAt(config, "machine", "type") ?? "");
  return [
    ...clusterProblems(config, isControlPlane, minor),
    ...certificateProblems(config, isControlPlane),
  ];
}

function clusterProblems(config: ConfigDocument, isControlPlane: boolean, minor: number): string[] {
  if (!isMapping(config.cluster)) {
    return ["cluster instructions are required"];
  }
  const { controlPlane, serviceAccount } = config.cluster;
  const hasEndpoint = textAt(controlPlane, "endpoint") !== undefined;
  const isInDocument = minor >= FIRST_MINOR_WITH_ENDPOINT_IN_DOCUMENT;
  if (!hasEndpoint && !(isInDocument && controlPlane === undefined)) {
    return [isInDocument ? NO_ENDPOINT_IN_SECTION : "cluster controlplane endpoint is required"];
  }
  const problems: string[] = [];
  if (!hasEndpoint && serviceAccount !== undefined) {
    problems.push(NO_ENDPOINT_OF_ACCOUNTS);
  }
  const domain = textAt(config, "cluster", "network", "dnsDomain");
  if (
    domain !== undefined &&
    !/^[a-zA-Z0-9_][\w-]{0,62}(\.[a-zA-Z0-9_][\w-]{0,62})*[._]?$/.test(domain)
  ) {
    problems.push(`${JSON.stringify(domain)} is not a valid DNS name`);
  }
  if (valueAt(config, "cluster", "etcd") !== undefined && !isControlPlane) {
    problems.push("etcd config is only allowed on control plane machines");
  }
  if (textAt(config, "cluster", "ca", "key") !== undefined && !isControlPlane) {
    problems.push("cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)");
  }
  return problems;
}

function certificateProblems(config: ConfigDocument, isControlPlane: boolean): string[] {
  const problems: string[] = [];
  const issuingCa = valueAt(config, "machine", "ca");
  const acceptedCas = valueAt(config, "machine", "acceptedCAs");
  const hasAccepted = Array.isArray(acceptedCas) && acceptedCas.length > 0;
  const hasKey = textAt(issuingCa, "key") !== undefined;
  if (!isMapping(issuingCa) && !hasAccepted) {
    problems.push(
      "issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)",
    );
  }
  if (isControlPlane) {
    problems.push(...cniProblems(config));
    if (!isMapping(issuingCa)) {
      problems.push("issuing CA is required (.machine.ca)");
    } else if (!hasKey) {
      problems.push("issuing CA key is required for controlplane nodes (.machine.ca.key)");
    }
    return problems;
  }
  if (hasKey) {
    problems.push(
      "issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)",
    );
  }
  if (isMapping(issuingCa) && textAt(issuingCa, "crt") === undefined && !hasAccepted) {
    problems.push(
      "trusted CA certificates are required on non-controlplane nodes (.machine.ca.crt, .machine.acceptedCAs)",
    );
  }
  if (textAt(config, "cluster", "ca", "key") !== undefined) {
    problems.push(
      "issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)",
    );
  }
  return problems;
}

function cniProblems(config: ConfigDocument): string[] {
  const name = textAt(config, "cluster", "network", "cni", "name") ?? "flannel";
  if (!["flannel", "custom", "none"].includes(name)) {
    return ['cni name should be one of ["flannel", "custom", "none"]'];
  }
  const hasUrls = textsAt(config, "cluster", "network", "cni", "urls").length > 0;
  return name !== "custom" && hasUrls ? [`"urls" field should be empty for "${name}" CNI`] : [];
}
