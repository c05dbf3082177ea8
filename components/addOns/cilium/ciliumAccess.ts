import type { KubernetesObject } from "../../../provider/kubernetes";
import { type AccessRule, accountWith, may, mayRead } from "../common/accessRights";
import { SYSTEM_NAMESPACE } from "../common/addOnScope";

/** The agents' service account. */
export const AGENT = "cilium";

/** The operator's service account. */
export const OPERATOR = "cilium-operator";

/** The namespace where the operator copies certificates to that agents read. */
export const SECRETS_NAMESPACE = "cilium-secrets";

const CILIUM = "cilium.io";
const GATEWAY = "gateway.networking.k8s.io";
const DEFINITIONS = ["apiextensions.k8s.io", ["customresourcedefinitions"]] as const;

/** What the operator does with objects of others' that are its own too. */
const OWN = ["create", "update", "get", "list", "watch", "delete", "patch"];

/** Kinds of Cilium that its operator defines and its agents read. */
const SHARED = [
  "ciliumclusterwideenvoyconfigs",
  "ciliumclusterwidenetworkpolicies",
  "ciliumegressgatewaypolicies",
  "ciliumendpoints",
  "ciliumendpointslices",
  "ciliumenvoyconfigs",
  "ciliumidentities",
  "ciliumlocalredirectpolicies",
  "ciliumnetworkpolicies",
  "ciliumnodes",
  "ciliumnodeconfigs",
  "ciliumcidrgroups",
  "ciliuml2announcementpolicies",
  "ciliumpodippools",
];

/** What the definitions of Cilium's API are called that the operator creates and updates. */
const DEFINED = [
  "ciliumloadbalancerippools",
  "ciliumbgpclusterconfigs",
  "ciliumbgppeerconfigs",
  "ciliumbgpadvertisements",
  "ciliumbgpnodeconfigs",
  "ciliumbgpnodeconfigoverrides",
  ...SHARED,
  "ciliumgatewayclassconfigs",
  "ciliumdatapathplugins",
].map((plural) => `${plural}.${CILIUM}`);

/** Those whose status it updates. */
const WITH_STATUS = DEFINED.filter((name) => name.startsWith("ciliumbgp"));

/**
 * The service accounts of agents and operator, and their rights. Only with the Gateway API does the operator
 * read Secrets, and does anybody read `cilium-secrets`. Policies that need certificates have none.
 *
 * Source: the roles of the chart of Cilium v1.20.2 (`templates/cilium-agent`, `templates/cilium-operator`),
 * without its rights for features that are off here: TLS interception, SPIRE, ztunnel, peering of clusters.
 */
export function ciliumAccess(
  labels: Readonly<Record<string, string>>,
  gatewayApi: boolean,
): KubernetesObject[] {
  const account = { namespace: SYSTEM_NAMESPACE, labels };
  return [
    ...accountWith({
      ...account,
      name: AGENT,
      everywhere: agentRules(),
      // Its settings, and those of single nodes.
      inNamespace: [mayRead("", "configmaps")],
    }),
    ...accountWith({
      ...account,
      name: OPERATOR,
      everywhere: [...operatorRules(), ...(gatewayApi ? gatewayRules() : [])],
    }),
    ...(gatewayApi ? secretsAccess(labels) : []),
  ];
}

function agentRules(): AccessRule[] {
  const read = ["list", "watch"];
  return [
    mayRead("networking.k8s.io", "networkpolicies"),
    mayRead("discovery.k8s.io", "endpointslices"),
    mayRead("", "namespaces", "services", "pods", "nodes"),
    mayRead(DEFINITIONS[0], ...DEFINITIONS[1]),
    may(read, CILIUM, [
      "ciliumloadbalancerippools",
      "ciliumbgpnodeconfigs",
      "ciliumbgpadvertisements",
      "ciliumbgppeerconfigs",
      ...SHARED,
      "ciliumdatapathplugins",
    ]),
    may(["create"], CILIUM, ["ciliumidentities", "ciliumendpoints", "ciliumnodes"]),
    may(["update"], CILIUM, ["ciliumidentities"]),
    may(["delete", "get"], CILIUM, ["ciliumendpoints"]),
    may(["get", "update"], CILIUM, ["ciliumnodes", "ciliumnodes/status"]),
    may(["patch"], CILIUM, [
      "ciliumendpoints",
      "ciliumendpoints/status",
      "ciliuml2announcementpolicies/status",
      "ciliumbgpnodeconfigs/status",
    ]),
  ];
}

function operatorRules(): AccessRule[] {
  const policies = ["ciliumnetworkpolicies", "ciliumclusterwidenetworkpolicies"];
  return [
    // It deletes pods of the cluster's DNS that started before the network.
    may(["get", "list", "watch", "delete"], "", ["pods"]),
    may(["patch"], "", ["configmaps"], ["cilium-config"]),
    may(["list", "watch"], "", ["nodes"]),
    may(["patch"], "", ["nodes", "nodes/status"]),
    mayRead("", "namespaces", "services"),
    may(["update", "patch"], "", ["services/status"]),
    mayRead("discovery.k8s.io", "endpointslices"),
    may(
      ["create", "update", "deletecollection", "patch", "get", "list", "watch"],
      CILIUM,
      policies,
    ),
    may(
      ["patch", "update"],
      CILIUM,
      policies.map((name) => `${name}/status`),
    ),
    may(["delete", "list", "watch"], CILIUM, ["ciliumendpoints", "ciliumidentities"]),
    may(["update"], CILIUM, ["ciliumidentities", "ciliumnodes/status"]),
    may(["create", "update", "get", "list", "watch", "delete"], CILIUM, ["ciliumnodes"]),
    may(OWN, CILIUM, [
      "ciliumendpointslices",
      "ciliumenvoyconfigs",
      "ciliumbgpclusterconfigs",
      "ciliumbgpnodeconfigoverrides",
      "ciliumbgppeerconfigs",
      "ciliumbgpadvertisements",
      "ciliumbgpnodeconfigs",
      "ciliumcidrgroups",
    ]),
    may(["deletecollection"], CILIUM, ["ciliumendpointslices"]),
    may(["update"], CILIUM, ["ciliumbgpclusterconfigs/status", "ciliumbgppeerconfigs/status"]),
    mayRead(CILIUM, "ciliumloadbalancerippools", "ciliumpodippools", "ciliumdatapathplugins"),
    may(["create"], CILIUM, ["ciliumpodippools"]),
    may(["patch"], CILIUM, ["ciliumloadbalancerippools/status"]),
    may(["create", "get", "list", "watch"], ...DEFINITIONS),
    may(["update"], ...DEFINITIONS, DEFINED),
    may(["update"], DEFINITIONS[0], ["customresourcedefinitions/status"], WITH_STATUS),
    may(["create", "get", "update"], "coordination.k8s.io", ["leases"]),
  ];
}

function gatewayRules(): AccessRule[] {
  const routes = ["tcproutes", "udproutes", "tlsroutes", "httproutes", "grpcroutes"];
  const judged = ["gatewayclasses", "gateways", "backendtlspolicies", "listenersets", ...routes];
  return [
    mayRead("", "secrets", "configmaps"),
    may(OWN, "", ["services"]),
    may(OWN, "discovery.k8s.io", ["endpointslices"]),
    mayRead(GATEWAY, ...judged, "referencegrants"),
    may(["patch"], GATEWAY, ["gatewayclasses"]),
    may(
      ["update", "patch"],
      GATEWAY,
      judged.map((name) => `${name}/status`),
    ),
    mayRead(CILIUM, "ciliumgatewayclassconfigs"),
    may(["update", "patch"], CILIUM, ["ciliumgatewayclassconfigs/status"]),
  ];
}

/** The namespace of certificates: the operator writes there, and agents read. */
function secretsAccess(labels: Readonly<Record<string, string>>): KubernetesObject[] {
  const namespace = SECRETS_NAMESPACE;
  const apiGroup = "rbac.authorization.k8s.io";
  const apiVersion = `${apiGroup}/v1`;
  const grant = (account: string, verbs: readonly string[]): KubernetesObject[] => {
    const metadata = { name: `${account}-gateway-secrets`, namespace, labels };
    return [
      { apiVersion, kind: "Role", metadata, rules: [may(verbs, "", ["secrets"])] },
      {
        apiVersion,
        kind: "RoleBinding",
        metadata,
        roleRef: { apiGroup, kind: "Role", name: metadata.name },
        subjects: [{ kind: "ServiceAccount", name: account, namespace: SYSTEM_NAMESPACE }],
      },
    ];
  };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } },
    ...grant(AGENT, ["get", "list", "watch"]),
    ...grant(OPERATOR, ["create", "delete", "update", "patch"]),
  ];
}
