import { customNetworkName } from "../../generate/manifestNames";
import { type ConfigDocument, isMapping, type YamlValue } from "../../machineConfig";
import { authenticationInstead } from "./authenticationInstead";
import {
  deletionOf,
  type Instead,
  inverted,
  itemsIn,
  lostOf,
  membersIn,
  only,
  patchIfAny,
  patchOf,
  saidBy,
  type Translation,
} from "./instead";

/** What has no place in documents of components, which run with a read-only root. */
const NO_VOLUMES = {
  extraVolumes: "has no document: files of a component come from its own documents",
};

/** What fields of Kubernetes are in documents, by path, but for those that one member has. Source: as `replacedSettings`. */
export const kubernetesInstead: Readonly<Record<string, Translation>> = {
  "cluster.network": network,
  "cluster.apiServer": apiServer,
  "cluster.controllerManager": (value) => component("KubeControllerManagerConfig", value),
  "cluster.scheduler": (value) => component("KubeSchedulerConfig", value),
  "cluster.proxy": saidBy("KubeProxyConfig", enabled),
  "cluster.coreDNS": saidBy("KubeCoreDNSConfig", enabled),
  "machine.controlPlane.controllerManager": saidBy("KubeControllerManagerConfig", enabled),
  "machine.controlPlane.scheduler": saidBy("KubeSchedulerConfig", enabled),
};

/** Documents are enabled where fields are disabled. */
function enabled(value: YamlValue) {
  const { disabled, ...members } = membersIn(value);
  return { enabled: inverted(disabled), ...members };
}

function component(kind: string, value: YamlValue): Instead {
  const members = membersIn(value);
  return {
    documents: patchIfAny(kind, only(members, "image", "config", "extraArgs", "env", "resources")),
    lost: lostOf(members, NO_VOLUMES),
  };
}

function network(value: YamlValue): Instead {
  const { cni, ...ranges } = membersIn(value);
  return {
    documents: [
      ...patchIfAny("KubeNetworkConfig", ranges),
      ...(cni === undefined ? [] : podNetwork(cni)),
    ],
  };
}

function podNetwork(cni: YamlValue): ConfigDocument[] {
  const { name = "flannel", urls, flannel } = membersIn(cni);
  if (name === "flannel") {
    return patchIfAny("KubeFlannelCNIConfig", membersIn(flannel));
  }
  return [
    deletionOf("KubeFlannelCNIConfig"),
    ...itemsIn(urls).map((url, index) =>
      patchOf("KubeExternalManifestConfig", { name: customNetworkName(index), url }),
    ),
  ];
}

function apiServer(value: YamlValue): Instead {
  const { certSANs: certExtraSANs, extraArgs, ...members } = membersIn(value);
  const {
    configuration: ofClients,
    flags,
    lost,
  } = authenticationInstead(isMapping(extraArgs) ? extraArgs : {});
  const plugins = itemsIn(members.admissionControl).map((plugin) =>
    patchOf("KubeAdmissionControlConfig", membersIn(plugin)),
  );
  const authorizers = itemsIn(members.authorizationConfig).map((authorizer) =>
    patchOf("KubeAuthorizerConfig", only(membersIn(authorizer), "name", "type", "webhook")),
  );
  return {
    documents: [
      ...patchIfAny("KubeAPIServerConfig", {
        ...only(members, "image"),
        extraArgs: flags,
        ...only(members, "env", "resources"),
        certExtraSANs,
      }),
      ...patchIfAny("KubeAuthenticationConfig", { configuration: ofClients }),
      ...plugins,
      ...patchIfAny("KubeAuditPolicyConfig", { configuration: members.auditPolicy }),
      ...authorizers,
    ],
    lost: [...lost, ...lostOf(members, NO_VOLUMES)],
  };
}
