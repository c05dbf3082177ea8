import { DEFAULT_KUBE_PRISM_PORT } from "../../generate/machineFeatures";
import { CONTROL_PLANE_ROLE } from "../../generate/nodeMetadata";
import type { YamlValue } from "../../machineConfig";
import {
  deletionOf,
  type Instead,
  itemsIn,
  lostOf,
  membersIn,
  only,
  patchIfAny,
  patchOf,
  saidBy,
  type Translation,
} from "./instead";

/** How a flag of the installation is set where the image decides. */
const OF_IMAGE = "is part of the machine image: set it there";

/**
 * What fields of the machine itself are in documents, by path, but for those that one member has
 * (`settingPlaces`). Source: as `replacedSettings`.
 */
export const machineInstead: Readonly<Record<string, Translation>> = {
  "machine.network.hostname": saidBy("HostnameConfig", (hostname) => ({ auto: "off", hostname })),
  "machine.features.stableHostname": (value) => ({
    documents: value === false ? [patchOf("HostnameConfig", { auto: "off" })] : [],
  }),
  "machine.network.kubespan": saidBy("KubeSpanConfig", membersIn),
  "machine.network.nameservers": saidBy("ResolverConfig", (value) => ({
    nameservers: itemsIn(value).map((address) => ({ address })),
  })),
  "machine.network.searchDomains": saidBy("ResolverConfig", (domains) => ({
    searchDomains: { domains },
  })),
  "machine.network.disableSearchDomain": saidBy("ResolverConfig", (disableDefault) => ({
    searchDomains: { disableDefault },
  })),
  "machine.features.hostDNS": saidBy("ResolverConfig", (hostDNS) => ({ hostDNS })),
  "machine.features.imageCache": saidBy("ImageCacheConfig", (value) => ({
    local: { enabled: membersIn(value).localEnabled ?? false },
  })),
  "machine.features.kubePrism": (value) => {
    const { enabled, port = DEFAULT_KUBE_PRISM_PORT } = membersIn(value);
    const kind = "KubePrismConfig";
    return { documents: [enabled === true ? patchOf(kind, { port }) : deletionOf(kind)] };
  },
  "machine.features.kubernetesTalosAPIAccess": (value) => {
    const { enabled, ...access } = membersIn(value);
    const kind = "KubeTalosAPIAccessConfig";
    return { documents: [enabled === true ? patchOf(kind, access) : deletionOf(kind)] };
  },
  "machine.install": installation,
  "machine.kubelet": kubelet,
  "cluster.allowSchedulingOnControlPlanes": scheduling,
  "cluster.allowSchedulingOnMasters": scheduling,
  "cluster.discovery": discovery,
};

function installation(value: YamlValue): Instead {
  const install = membersIn(value);
  const { image, disk, wipe } = install;
  const match = typeof disk === "string" ? `disk.dev_path == ${JSON.stringify(disk)}` : undefined;
  const provisioning = {
    ...(match === undefined ? {} : { diskSelector: { match } }),
    ...(wipe === undefined ? {} : { wipe }),
  };
  return {
    documents: patchIfAny("UnattendedInstallConfig", {
      installer: image === undefined ? undefined : { image },
      provisioning: Object.keys(provisioning).length === 0 ? undefined : provisioning,
    }),
    lost: lostOf(install, {
      diskSelector: "is an expression there, provisioning.diskSelector.match: write it in CEL",
      extraKernelArgs: OF_IMAGE,
      extensions: OF_IMAGE,
      bootloader: "is always installed: leave it out",
      legacyBIOSSupport: "has no document: leave it out",
      grubUseUKICmdline: "is always so: leave it out",
    }),
  };
}

function kubelet(value: YamlValue): Instead {
  const {
    extraConfig: config,
    credentialProviderConfig: configuration,
    ...members
  } = membersIn(value);
  return {
    documents: [
      ...patchIfAny("KubeletConfig", {
        ...only(members, "image", "clusterDNS", "extraArgs"),
        config,
        ...only(members, "defaultRuntimeSeccompProfileEnabled"),
      }),
      ...patchIfAny(
        "KubeNodeConfig",
        only(members, "skipNodeRegistration", "registerWithFQDN", "nodeIP"),
      ),
      ...patchIfAny("KubeCredentialProviderConfig", { configuration }),
    ],
    lost: lostOf(members, {
      extraMounts: "has no document: mount a volume with UserVolumeConfig instead",
      ...(members.disableManifestsDirectory === false && {
        disableManifestsDirectory:
          "can't be false: define static pods with KubeStaticPodConfig instead",
      }),
    }),
  };
}

/** Without the taint of control plane machines, workloads run on them. */
function scheduling(value: YamlValue): Instead {
  const taints = { [CONTROL_PLANE_ROLE]: value === true ? { $patch: "delete" } : "NoSchedule" };
  return { documents: [patchOf("KubeNodeConfig", { taints })] };
}

function discovery(value: YamlValue): Instead {
  const { enabled, registries } = membersIn(value);
  const { service, kubernetes } = membersIn(registries);
  const { disabled, endpoint } = membersIn(service);
  const isOn = enabled !== false && disabled !== true;
  const kind = "DiscoveryServiceConfig";
  return {
    documents: isOn
      ? patchIfAny(kind, { endpoint }).map(() => patchOf(kind, { name: "default", endpoint }))
      : [deletionOf(kind, "default")],
    lost:
      membersIn(kubernetes).disabled === false
        ? ["registries.kubernetes has no document: machines find each other by the service alone"]
        : [],
  };
}
