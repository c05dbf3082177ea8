import type { InputProblem } from "./configError";
import { generators } from "./generate/generators";
import type { YamlValue } from "./machineConfig";
import type { MachineConfigInput } from "./machineConfigInput";
import { checkChosenDefaults } from "./releases/contractDefaults";
import { NEWEST_RELEASES } from "./releases/newestReleases";
import { checkKubernetesVersion } from "./releases/supportTable";
import {
  checkContractForTalos,
  checkVersionContract,
  contractHas,
} from "./releases/versionContract";
import {
  networkProblem,
  rangeListProblem,
  rangeVersionProblem,
  serviceRangeProblem,
} from "./rules/clusterRanges";
import { checkEndpoint } from "./rules/endpoint";
import { isDnsName } from "./rules/names";
import { clusterNameProblem, installDiskProblem } from "./rules/valueRules";
import { isAddress, isCidr } from "./schema/formats";
import { networksOverlap } from "./schema/ipNetwork";
import { checkTalosVersion } from "./schema/talosSchemas";
import { valueAt } from "./settings/keyPaths";

/**
 * All problems of the input of a machine configuration, before anything is generated. Absent
 * properties are not checked, so unknown values can be left out; `generateMachineConfig` needs all
 * except the optional ones.
 */
export function checkMachineConfigInput(input: Partial<MachineConfigInput>): InputProblem[] {
  const problems: InputProblem[] = [];
  const check = <Property extends keyof MachineConfigInput>(
    property: Property,
    judge: (value: NonNullable<MachineConfigInput[Property]>) => string | undefined,
  ): void => {
    const value = input[property];
    const reason = value === undefined ? undefined : judge(value);
    if (reason !== undefined) {
      problems.push({ property, reason });
    }
  };
  check("clusterName", clusterNameProblem);
  check("endpoint", checkEndpoint);
  check("machineType", checkMachineType);
  check(
    "versionContract",
    (contract) =>
      checkVersionContract(contract) ?? checkContractForTalos(contract, input.talosVersion ?? ""),
  );
  // The check of the installer reports texts that are no version.
  check("talosVersion", (version) =>
    /^v?\d+\.\d+/.test(version) ? checkTalosVersion(version) : undefined,
  );
  check("kubernetesVersion", (version) =>
    checkKubernetesVersion(version, input.talosVersion ?? ""),
  );
  check("installDisk", installDiskProblem);
  check("installerImage", checkInstallerImage);
  check("dnsDomain", checkDnsDomain);
  for (const property of ["certSans", "apiServerCertSans"] as const) {
    input[property]?.forEach((name, index) => {
      if (!isAddress(name) && !isDnsName(name.replace(/^\*\./, ""))) {
        problems.push({
          property: `${property}[${index}]`,
          reason: `${JSON.stringify(name)} is neither a DNS name nor an IP address`,
        });
      }
    });
  }
  return [
    ...problems,
    ...checkChosenDefaults(input),
    ...checkNetworks(input),
    ...generators.flatMap(({ check: checkOptions }) => checkOptions?.(input) ?? []),
    ...checkSecretsBundle(input.secretsBundle),
  ];
}

function checkMachineType(type: string): string | undefined {
  return type === "controlplane" || type === "worker"
    ? undefined
    : `${JSON.stringify(type)} is not a type of machine: write "controlplane" or "worker"`;
}

function checkInstallerImage(image: string): string | undefined {
  return /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/.test(image) &&
    /[:@][^/]+$/.test(image)
    ? undefined
    : `${JSON.stringify(image)} is not an image with a version: write it like "factory.talos.dev/aws-installer/<schematic>:${NEWEST_RELEASES.talosVersion}"`;
}

function checkDnsDomain(domain: string): string | undefined {
  return isDnsName(domain)
    ? undefined
    : `${JSON.stringify(domain)} is not a DNS name, like "cluster.local"`;
}

function checkNetworks(input: Partial<MachineConfigInput>): InputProblem[] {
  const problems: InputProblem[] = [];
  const networks = (["podCidrs", "serviceCidrs"] as const).flatMap((property) => {
    const cidrs = input[property] ?? [];
    const reason = input[property] === undefined ? undefined : rangeListProblem(cidrs);
    if (reason !== undefined) {
      problems.push({ property, reason });
    }
    return cidrs.flatMap((cidr, index) => {
      const where = `${property}[${index}]`;
      const wrong = checkNetwork(cidr, property, input.kubernetesVersion);
      if (wrong !== undefined) {
        problems.push({ property: where, reason: wrong });
      }
      return wrong === undefined ? [{ where, cidr }] : [];
    });
  });
  const { podCidrs = [], serviceCidrs = [] } = input;
  const mixed = rangeVersionProblem(podCidrs, serviceCidrs);
  if (mixed !== undefined) {
    problems.push({ property: "serviceCidrs", reason: mixed });
  }
  const uneven =
    podCidrs.length > 0 && serviceCidrs.length > 0 && podCidrs.length !== serviceCidrs.length;
  if (uneven && contractHas(input.versionContract, "kubernetesDocuments")) {
    problems.push({
      property: "serviceCidrs",
      reason: `has ${serviceCidrs.length} and podCidrs ${podCidrs.length}: from contract v1.14 on, Talos takes one range of each, or two of each`,
    });
  }
  networks.forEach(({ where, cidr }, index) => {
    const other = networks.slice(0, index).find((earlier) => networksOverlap(earlier.cidr, cidr));
    if (other !== undefined) {
      problems.push({
        property: where,
        reason: `${JSON.stringify(cidr)} overlaps with ${other.where}, ${JSON.stringify(other.cidr)}: pods and services need networks of their own`,
      });
    }
  });
  return problems;
}

function checkNetwork(
  cidr: string,
  property: "podCidrs" | "serviceCidrs",
  kubernetesVersion: string | undefined,
): string | undefined {
  if (!isCidr(cidr)) {
    return `${JSON.stringify(cidr)} is not a network in CIDR notation, like "10.244.0.0/16"`;
  }
  const wrong = networkProblem(cidr);
  if (wrong !== undefined) {
    return wrong;
  }
  if (property === "podCidrs") {
    return undefined;
  }
  const [, minor] = /^v?1\.(\d+)\./.exec(kubernetesVersion ?? "") ?? [];
  return serviceRangeProblem(cidr, {
    kubernetesMinor: minor === undefined ? undefined : Number(minor),
  });
}

/** Required paths of a secrets bundle. */
const bundlePaths = [
  "cluster.id",
  "cluster.secret",
  "secrets.bootstraptoken",
  "trustdinfo.token",
  "certs.etcd.crt",
  "certs.etcd.key",
  "certs.k8s.crt",
  "certs.k8s.key",
  "certs.k8saggregator.crt",
  "certs.k8saggregator.key",
  "certs.k8sserviceaccount.key",
  "certs.os.crt",
  "certs.os.key",
];

function checkSecretsBundle(bundle: unknown): InputProblem[] {
  if (bundle === undefined) {
    return [];
  }
  const isMissing = (path: string): boolean => {
    const value = valueAt(bundle as YamlValue, path.split("."));
    return typeof value !== "string" || value === "";
  };
  const encryptionPaths = ["secrets.secretboxencryptionsecret", "secrets.aescbcencryptionsecret"];
  return [...bundlePaths, ...(encryptionPaths.every(isMissing) ? encryptionPaths.slice(0, 1) : [])]
    .filter(isMissing)
    .map((path) => ({
      property: `secretsBundle.${path}`,
      reason:
        "is missing: pass the whole secrets bundle of MachineSecrets or `talosctl gen secrets`",
    }));
}
