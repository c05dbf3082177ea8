import { type InputProblem, inputProblems } from "../configError";
import { suggest } from "../suggestion";
import {
  type ChangeOfDocuments,
  type ContractDefault,
  contractDefaultNames,
} from "./contractFeatures";
import {
  type ChosenDefaults,
  checkVersionContract,
  contractHas,
  versionContract,
} from "./versionContract";

/** What a default of contracts means for a cluster that exists. */
export interface DefaultMeaning {
  /** What older contracts say. */
  readonly former: string;
  /** What newer ones say. */
  readonly newer: string;
  /** What happens in a cluster that takes the newer one: when it counts, and what may break. */
  readonly effect: string;
}

const BOOT = "machines reboot for it, one after another";

/**
 * What each default means. Sources: siderolabs/talos v1.14.1, D/controllers/k8s/{kubelet_spec,
 * control_plane_final,control_plane}.go, k8s/internal/k8stemplates/apiserver.go, network/hostname_config.go,
 * block/internal/volumes/volumeconfig, D/sandboxd; pkg/machinery/config. D is internal/app/machined/pkg.
 */
export const defaultMeanings: Readonly<Record<ContractDefault, DefaultMeaning>> = {
  podSecurityAdmission: {
    former: "namespaces have no Pod Security standard",
    newer: 'namespaces have the Pod Security standard "baseline", but for kube-system',
    effect: "API servers refuse new pods that need more, unless their namespace allows it",
  },
  stableHostname: {
    former: "a machine without a name is called by its address",
    newer: "a machine without a name is called by its identity",
    effect: "where the platform gives no name, a machine registers as another node",
  },
  defaultSeccompProfile: {
    former: "pods run without a seccomp profile",
    newer: "pods run with the seccomp profile of containerd",
    effect: "kubelets start again, and pods that start later may miss system calls",
  },
  kubernetesRegistryMirror: {
    former: "images of k8s.gcr.io come from registry.k8s.io",
    newer: "images of k8s.gcr.io come from there",
    effect: "that registry is gone, so pods that name it don't start any more",
  },
  diskQuota: {
    former: "the kubelet measures the disk usage of pods by walking through files",
    newer: "volumes count the disk usage of pods",
    effect: BOOT,
  },
  kubePrism: {
    former: "machines reach the Kubernetes API by its endpoint",
    newer: "machines reach the Kubernetes API by a load balancer of their own, KubePrism",
    effect: "kubelets and control planes start again",
  },
  hostDns: {
    former: "machines ask the network's DNS servers",
    newer: "machines ask a resolver of their own, which remembers",
    effect: "it counts at once",
  },
  hostDnsForPods: {
    former: "CoreDNS asks the network's DNS servers",
    newer: "CoreDNS asks the machine's own resolver",
    effect: "pods of CoreDNS follow when they start again",
  },
  controlPlaneOffLoadBalancers: {
    former: "load balancers that Kubernetes makes send to control planes too",
    newer: "load balancers that Kubernetes makes leave control planes out",
    effect: "their targets change at once: without workers, such a load balancer has none",
  },
  secureEncryptedEphemeral: {
    former: "device files and setuid programs count on an encrypted /var",
    newer: "device files and setuid programs don't count on an encrypted /var",
    effect: BOOT,
  },
  onlyGivenInterfaces: {
    former: "interfaces that networkInterfaces doesn't name get addresses by DHCP",
    newer: "interfaces that networkInterfaces doesn't name get no address",
    effect: "machines that are reached by such an interface are lost",
  },
  endpointInCertSans: {
    former: "the configuration names the endpoint's host for the Kubernetes API's certificate",
    newer: "Talos alone adds the endpoint's host to that certificate",
    effect: "the certificate stays the same",
  },
  secureEphemeral: {
    former: "device files and setuid programs count on /var",
    newer: "device files and setuid programs don't count on /var",
    effect: `${BOOT}. The option secureEphemeral says it by itself`,
  },
  filesystemTrim: {
    former: "disks aren't told which blocks are free",
    newer: "disks are told once a week which blocks are free",
    effect: "it counts at once",
  },
  workloadIsolation: {
    former: "workloads see Talos' own services",
    newer: "workloads run apart from Talos' own services",
    effect: `${BOOT}. Pods that look at the host may see less`,
  },
  openHealthChecks: {
    former: "API servers answer nobody without credentials, and have no probes",
    newer: "API servers tell everybody whether they are healthy, and the kubelet asks them",
    effect: "API servers start again, one after another",
  },
  encryptedSecretsOnly: {
    former: "API servers also read Secrets that are stored without encryption",
    newer: "API servers read only Secrets that are encrypted",
    effect:
      "if a Secret was stored before the cluster had its key, it can't be read: write all Secrets anew first",
  },
};

/** What changes on control planes with documents, beside what is the same by another name. */
export const changesOfControlPlanes: readonly string[] = [
  "API servers get --authentication-config instead of --anonymous-auth, which is denied there; they start again",
  "kube-proxy reads its settings from a file instead of flags; its pods start again",
];

/** What else comes with documents in any case, for clusters of older contracts. */
export const meaningsOfDocuments: Readonly<Record<ChangeOfDocuments, string>> = {
  noKubernetesDiscovery:
    "machines no longer find each other by the Kubernetes API, but by the discovery service alone",
  noManifestsDirectory:
    "the kubelet runs no static pods from /etc/kubernetes/manifests any more, which contracts up to v1.2 allow",
};

/** All problems of the defaults that a configuration has instead of its contract's own. */
export function checkChosenDefaults({
  versionContract: contract,
  contractDefaults: kept,
  newDefaults = [],
}: ChosenDefaults & { readonly versionContract?: string | undefined }): InputProblem[] {
  if (contract === undefined || checkVersionContract(contract) !== undefined) {
    return [];
  }
  return [
    ...inputProblems(
      ["contractDefaults"],
      kept === undefined ? undefined : keptProblem(kept, contract),
    ),
    ...newDefaults.flatMap((name, index) =>
      inputProblems(["newDefaults", index], takenProblem(name, kept, contract)),
    ),
  ];
}

function keptProblem(kept: string, contract: string): string | undefined {
  const problem = checkVersionContract(kept);
  if (problem !== undefined) {
    return problem;
  }
  if (!contractHas(contract, "kubernetesDocuments")) {
    return `it is for a cluster that went over to version contract "v1.14" or later, and this one has "${contract}": leave it out`;
  }
  return contractHas(kept, "kubernetesDocuments")
    ? `"${kept}" has the defaults of version contract "${contract}": leave it out`
    : undefined;
}

function takenProblem(
  name: string,
  kept: string | undefined,
  contract: string,
): string | undefined {
  const known = contractDefaultNames.find((each) => each === name);
  if (known === undefined) {
    const near = suggest(name, contractDefaultNames);
    return `${JSON.stringify(name)} is no default of contracts: ${near === undefined ? `there are ${contractDefaultNames.join(", ")}` : `did you mean "${near}"?`}`;
  }
  if (kept === undefined) {
    return `a cluster with the defaults of its own contract has "${name}" already: leave it out`;
  }
  return checkVersionContract(kept) === undefined &&
    versionContract(kept)[known] === versionContract(contract)[known]
    ? `"${name}" is the same in "${kept}" and "${contract}": leave it out`
    : undefined;
}
