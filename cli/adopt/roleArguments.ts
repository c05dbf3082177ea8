import { isDeepStrictEqual } from "node:util";
import {
  type ConfigDocument,
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_SERVICE_CIDRS,
  fieldsOfDocuments,
  type MachineType,
  type Platform,
  releaseOfInstaller,
  schematicInstaller,
  valueAt,
  type YamlValue,
} from "../../provider/config";

/** The arguments of a `MachineConfiguration`, without its contract, its secrets and its patches. */
export interface RoleArguments {
  readonly clusterName: string;
  readonly endpoint: string;
  readonly machineType: MachineType;
  readonly platform: Platform;
  readonly talosVersion: string;
  readonly schematicId?: string;
  readonly kubernetesVersion: string;
  readonly installDisk: string;
  readonly dnsDomain?: string;
  readonly podCidrs?: readonly string[];
  readonly serviceCidrs?: readonly string[];
}

/** The disk that siderolabs/talos v0.11.0 writes when nobody names one. */
const DEFAULT_DISK = "/dev/sda";

/**
 * The arguments that a configuration was generated with, as it says itself. The installer says which Talos:
 * siderolabs/talos writes the release that it was built with, whatever the machines run.
 *
 * @param problems takes what it doesn't say
 */
export function readRoleArguments(
  documents: readonly ConfigDocument[],
  address: string,
  problems: string[],
): RoleArguments | undefined {
  const fields = fieldsOfDocuments(documents);
  const text = (...path: readonly string[]) => {
    const value = valueAt(fields, path);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const image = text("machine", "install", "image");
  const talosVersion = releaseOfInstaller(image);
  const kubernetesVersion = /:v?(\d+\.\d+\.\d+[^@:]*)/.exec(
    text("machine", "kubelet", "image") ?? "",
  )?.[1];
  const machineType = text("machine", "type");
  const found = {
    "cluster.clusterName": text("cluster", "clusterName"),
    "cluster.controlPlane.endpoint": text("cluster", "controlPlane", "endpoint"),
    "the release in the tag of machine.install.image": talosVersion,
    "the release in the tag of machine.kubelet.image": kubernetesVersion,
  };
  const missing = Object.entries(found).filter(([, value]) => value === undefined);
  problems.push(
    ...missing.map(([what]) => `the configuration of "${address}" doesn't have ${what}`),
  );
  if (machineType !== "controlplane" && machineType !== "worker") {
    problems.push(
      `the configuration of "${address}" has the machine.type "${machineType ?? ""}", and "controlplane" and "worker" are supported: apply it with one of these first`,
    );
    return undefined;
  }
  const [clusterName = "", endpoint = "", release = "", kubernetes = ""] = Object.values(found);
  const { platform, schematicId } = schematicInstaller(image ?? "");
  const domain = text("cluster", "network", "dnsDomain");
  return {
    clusterName,
    endpoint,
    machineType,
    platform,
    talosVersion: release,
    ...(schematicId !== undefined && { schematicId }),
    kubernetesVersion: kubernetes,
    installDisk: text("machine", "install", "disk") ?? DEFAULT_DISK,
    ...(domain !== undefined && domain !== DEFAULT_DNS_DOMAIN && { dnsDomain: domain }),
    ...ranges("podCidrs", valueAt(fields, ["cluster", "network", "podSubnets"]), DEFAULT_POD_CIDRS),
    ...ranges(
      "serviceCidrs",
      valueAt(fields, ["cluster", "network", "serviceSubnets"]),
      DEFAULT_SERVICE_CIDRS,
    ),
  };
}

function ranges(
  name: "podCidrs" | "serviceCidrs",
  value: YamlValue | undefined,
  usual: readonly string[],
): { readonly podCidrs?: readonly string[]; readonly serviceCidrs?: readonly string[] } {
  const given = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  const isUsual = given.length === 0 || isDeepStrictEqual(given, usual);
  return isUsual ? {} : { [name]: given };
}
