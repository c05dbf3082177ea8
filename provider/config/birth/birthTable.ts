import type { ConfigDocument } from "../machineConfig";
import { valueIn } from "../settings/settingIn";
import {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_POD_NETWORK,
  DEFAULT_SERVICE_CIDRS,
} from "./clusterDefaults";

/** The key of a machine's type. */
export const TYPE = "machine.type";

/** Stands for a setting without a value. */
export const NO_VALUE = "none";

/** A setting with which a cluster, machine or volume begins, and which it keeps. */
export interface BirthSetting {
  /** Its names: the key, then further ones. The last one that is set counts. */
  readonly paths: readonly [string, ...string[]];
  /** What Talos takes where the configuration has none. Default: nothing. */
  readonly default?: string;
  /** The key of a setting that Talos takes where the configuration has none, instead of `default`. */
  readonly follows?: string;
  /** Whether a return to the first value is no change. Default: true. */
  readonly isLasting?: false;
  /** Default: both roles. */
  readonly on?: "controlplane";
  /** Which member of the setting counts. Default: all of it. */
  readonly member?: string;
  /** Whether only the first of several values counts. Default: false. */
  readonly isFirst?: true;
  /** Whether the configuration keeps what a former value made, so that the change is none. Default: never. */
  readonly keeps?: (former: string, outline: ConfigDocument) => boolean;
  /** Whether the preview tells of an accepted change elsewhere. Default: false. */
  readonly isTold?: boolean;
  /** What happens after a change, and what to do instead. */
  readonly reason: string;
}

const ANOTHER_CLUSTER =
  "Make another cluster with it beside this one, move what runs here, then destroy this one";

/** What happens when the pod network of a cluster that runs changes, and what to do. */
export const POD_NETWORK_OUTAGE = `pods keep the network that they were made in until they are made again, and can't reach those of the other one; what the old one leaves in a machine's kernel stays until it restarts. ${ANOTHER_CLUSTER}, or plan an outage, accept the change, and restart one machine after another after it`;

const ENDPOINT = "cluster.controlPlane.endpoint";
const POD_RANGES = "cluster.network.podSubnets";

const ISSUER_FLAG = "cluster.apiServer.extraArgs.service-account-issuer";

const FORMER_ISSUER =
  "cluster.apiServer.extraArgs.service_account_issuer; from Talos v1.14 on KubeServiceAccountConfig.accepted.issuers";

/** A flag in both of its spellings. Talos sorts by name, so that the program takes the later. */
function flagPaths(program: string, flag: string): readonly [string, ...string[]] {
  const flags = `cluster.${program}.extraArgs`;
  return [`${flags}.${flag}`, `${flags}.${flag.replaceAll("-", "_")}`];
}

const OTHER_IDENTITY =
  "machines find each other by it: until the last one has it, there are two groups that don't, and KubeSpan cuts the traffic between them. Leave it as it was, or replace id and secret of all machines by the argument rotation.discoveryIdentity";

/**
 * What a cluster has from its birth. Talos accepts another value and its controllers follow, but what
 * exists in Kubernetes doesn't.
 *
 * Sources: talos v1.12.1 and v1.14.1, D/controllers/k8s/control_plane_static_pod.go,
 * control_plane_final.go, kubelet_config.go, secrets/root.go, cluster/discovery_service.go; kubernetes
 * v1.35.0, `nodeipam/ipam/range_allocator.go` ("This error will keep crashing controller-manager"),
 * `defaultservicecidr/default_servicecidr_controller.go`, `serviceaccount/claims.go`. D is
 * internal/app/machined/pkg.
 */
export const OF_CLUSTER: readonly BirthSetting[] = [
  {
    paths: [POD_RANGES],
    default: DEFAULT_POD_CIDRS.join(", "),
    reason: `nodes keep the ranges that they have, and the controller manager ends at each start if one is outside of the new range: no pod is made any more. The pod network and kube-proxy get the new range, and traffic breaks by halves. ${ANOTHER_CLUSTER}`,
  },
  {
    paths: ["cluster.network.serviceSubnets"],
    default: DEFAULT_SERVICE_CIDRS.join(", "),
    reason: `services keep their addresses, also "kubernetes" and the cluster's DNS, while new pods ask for names at an address of the new range, and the API servers' certificates no longer have the old one. ${ANOTHER_CLUSTER}`,
  },
  {
    paths: ["cluster.network.dnsDomain"],
    default: DEFAULT_DNS_DOMAIN,
    reason: `pods that run keep the old domain and find no service by it any more, and the names are in configurations and certificates. ${ANOTHER_CLUSTER}`,
  },
  {
    paths: [ENDPOINT],
    on: "controlplane",
    keeps: keepsIssuer,
    reason: `it is the issuer of service accounts' tokens, so API servers refuse the tokens of all pods until each has a new one, and kubeconfigs keep the old address. Add the old one to the issuers first (${FORMER_ISSUER}), or make another cluster`,
  },
  {
    // Nothing on a worker reads it, and older contracts don't write it there.
    paths: ["cluster.clusterName"],
    on: "controlplane",
    reason: `kubeconfigs keep the old name, and so does what controllers have made under it: load balancers, volumes, tags. ${ANOTHER_CLUSTER}`,
  },
  ...["cluster.id", "cluster.secret"].map((path): BirthSetting => ({
    paths: [path],
    isTold: true,
    reason: OTHER_IDENTITY,
  })),
  {
    paths: ["cluster.aescbcEncryptionSecret"],
    on: "controlplane",
    isLasting: false,
    keeps: (former) => former === NO_VALUE,
    reason:
      "Secrets in etcd are encrypted with it, and API servers can't read them with another one. Leave it as it was: new Secrets are encrypted with the secretbox key anyway",
  },
  {
    paths: ["cluster.etcd.extraArgs.wal-dir"],
    on: "controlplane",
    reason:
      "etcd finds no log beside its data and ends at each start, so the member is lost. Leave it as it was, or replace one machine after another",
  },
  {
    paths: ["machine.type"],
    reason: `a machine keeps its etcd member, or its lack of one, and its node: etcd loses members that nobody removes, or gets some that nobody counts. Replace the machine`,
  },
];

/** The setting that chooses the pod network. */
export const POD_NETWORK = "cluster.network.cni";

/**
 * The pod network. Talos applies the objects of the new one, and deletes none of the old one; what
 * `KubernetesManifests` then deletes goes while pods use it. Pods get an address and routes when they are
 * made, and nothing changes these later. Source: talos v1.12.1 and v1.14.1,
 * D/controllers/k8s/manifest.go and manifest_apply.go.
 *
 * Releases before it was kept recorded nothing of it, so a record without it says nothing.
 */
export const OF_POD_NETWORK: readonly BirthSetting[] = [
  {
    paths: [POD_NETWORK],
    member: "name",
    default: DEFAULT_POD_NETWORK,
    on: "controlplane",
    reason: POD_NETWORK_OUTAGE,
  },
];

/**
 * The same by flags, which win over the settings that they follow. Those that have to say the same as
 * their setting are judged where they are written: `rules/repeatedSettings.ts`. Of two issuers the first
 * makes tokens, all are accepted. Sources: as above, and kubernetes v1.35.0,
 * `controlplane/apiserver/options/options.go` (`completeServiceAccountOptions`).
 */
export const OF_FLAGS: readonly BirthSetting[] = [
  {
    paths: flagPaths("controllerManager", "cluster-cidr"),
    follows: POD_RANGES,
    on: "controlplane",
    reason: `nodes keep the ranges that they have, and the controller manager ends at each start if one is outside of the new range: no pod is made any more. ${ANOTHER_CLUSTER}`,
  },
  {
    paths: [ISSUER_FLAG, "KubeServiceAccountConfig.issuer.issuerURL", ISSUER_FLAG],
    follows: ENDPOINT,
    isFirst: true,
    keeps: keepsIssuer,
    isLasting: false,
    on: "controlplane",
    reason: `API servers refuse the tokens of all pods until each has one of the new issuer, up to an hour. Name the former one as another issuer first (${FORMER_ISSUER})`,
  },
  {
    paths: flagPaths("apiServer", "etcd-prefix"),
    default: "/registry",
    on: "controlplane",
    reason: `API servers read another part of etcd, so the cluster looks empty: its controllers and kubelets end what runs, and make a new cluster in the old one. ${ANOTHER_CLUSTER}`,
  },
  {
    paths: flagPaths("apiServer", "api-audiences"),
    follows: ENDPOINT,
    isLasting: false,
    keeps: keepsAudience,
    on: "controlplane",
    reason:
      "API servers refuse the tokens of all pods until each has one for the new audience, up to an hour. Name the former one, or the issuer, as another audience",
  },
];

/** Whether tokens of a former issuer are still accepted. */
function keepsIssuer(former: string, outline: ConfigDocument): boolean {
  return issuersOf(outline).includes(former);
}

/**
 * Whether tokens for the former audiences are still accepted: one of these is enough. Without the flag, the
 * issuers are the audiences. Source: kubernetes v1.35.0, `pkg/kubeapiserver/options/authentication.go`.
 */
function keepsAudience(former: string, outline: ConfigDocument): boolean {
  const flag = ["api-audiences", "api_audiences"].map((name) =>
    valueIn(outline, "cluster.apiServer.extraArgs", name),
  );
  const given = flag
    .flat()
    .flatMap((value) => (typeof value === "string" ? value.split(",") : []))
    .map((audience) => audience.trim());
  const issuers = issuersOf(outline);
  const accepted = given.length === 0 ? issuers : given;
  const wasDefault = former === valueIn(outline, ENDPOINT);
  const wanted = [...former.split(/, ?/), ...(wasDefault ? issuers : [])];
  return accepted.some((audience) => wanted.includes(audience));
}

/**
 * The issuers whose tokens the API servers accept: flags win over a document, and that over the endpoint.
 * Talos takes one value per name up to v1.12, and the API server reads `_` as `-`.
 */
function issuersOf(outline: ConfigDocument): readonly string[] {
  const flagged = (flag: string) => valueIn(outline, "cluster.apiServer.extraArgs", flag) ?? [];
  const accepted = valueIn(outline, "KubeServiceAccountConfig.accepted.issuers") ?? [];
  const issuer = valueIn(outline, "KubeServiceAccountConfig.issuer.issuerURL") ?? [];
  const named = [flagged("service-account-issuer"), issuer].flat();
  const usual = named.length === 0 ? [valueIn(outline, ENDPOINT) ?? []] : [];
  return [named, flagged("service_account_issuer"), accepted, usual]
    .flat(2)
    .filter((each) => typeof each === "string");
}
