import { parseAllDocuments } from "yaml";
import { isMapping, talosMinor } from "../../../provider/config";
import type { MachineFacts } from "../config/machineFacts";
import { addOnManifests } from "./addOnManifests";
import {
  isKubernetesObject,
  type Json,
  type KubernetesObject,
  type RenderedManifest,
} from "./kubernetesObject";
import { clusterRole, clusterRoleBinding, rbac, rule } from "./roleManifests";

const defaults = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

/**
 * The manifests that Talos renders from a control plane's configuration, in its order. Manifests
 * with a URL have no objects, because no traffic leaves the simulation. Sources: talos v1.12.1 and
 * v1.14.1, `k8s/manifest.go`, `k8stemplates`; the objects of a real node.
 *
 * @param talosVersion the release that renders them
 */
export function bootstrapManifests(
  facts: MachineFacts,
  talosVersion: string,
): readonly RenderedManifest[] {
  const { manifests } = facts;
  const group = (name: string) => ({ apiGroup: rbac, kind: "Group", name });
  return [
    { id: "00-kubelet-bootstrapping-token", objects: [bootstrapToken(manifests.bootstrapToken)] },
    {
      id: "01-csr-approver-role-binding",
      objects: [
        clusterRoleBinding(
          "system-bootstrap-approve-node-client-csr",
          "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
          [group("system:bootstrappers:nodes")],
        ),
      ],
    },
    {
      id: "01-csr-node-bootstrap",
      objects: [
        clusterRoleBinding("system-bootstrap-node-bootstrapper", "system:node-bootstrapper", [
          group("system:bootstrappers:nodes"),
          group("system:nodes"),
        ]),
      ],
    },
    {
      id: "01-csr-renewal-role-binding",
      objects: [
        clusterRoleBinding(
          "system-bootstrap-node-renewal",
          "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
          [group("system:nodes")],
        ),
      ],
    },
    ...addOnManifests(facts, talosMinor(talosVersion) ?? 0),
    { id: "11-kube-config-in-cluster", objects: [inClusterKubeconfig(manifests.server)] },
    {
      id: "11-talos-node-rbac-template",
      objects: [
        clusterRoleBinding(
          "system:talos-nodes",
          "system:talos-nodes",
          [group("system:nodes")],
          defaults,
        ),
        clusterRole("system:talos-nodes", { labels: defaults.labels }, [
          rule("discovery.k8s.io", ["endpointslices"], ["get", "list", "watch"]),
        ]),
      ],
    },
    ...(manifests.allowsTalosApi
      ? [{ id: "13-talos-service-account-crd", objects: [talosServiceAccountDefinition()] }]
      : []),
    ...manifests.urls.map((id) => ({ id, objects: [] })),
    ...manifests.inline.map(({ name, contents }) => ({
      id: `99-${name}`,
      objects: objectsIn(contents),
    })),
  ].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The objects of the manifests in Talos' order: first namespaces and CustomResourceDefinitions. */
export function orderedObjects(manifests: readonly RenderedManifest[]): KubernetesObject[] {
  const first = ["Namespace", "CustomResourceDefinition"];
  const rank = ({ kind }: KubernetesObject) =>
    first.includes(kind) ? first.indexOf(kind) : first.length;
  return manifests.flatMap(({ objects }) => objects).sort((one, other) => rank(one) - rank(other));
}

function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as Json;
    const items = isMapping(object) && Array.isArray(object.items) ? object.items : [object];
    return items.filter(isKubernetesObject);
  });
}

function bootstrapToken(token: string): KubernetesObject {
  const [id = "", secret = ""] = token.split(".");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `bootstrap-token-${id}`, namespace: "kube-system" },
    stringData: {
      "auth-extra-groups": "system:bootstrappers:nodes",
      "token-id": id,
      "token-secret": secret,
      "usage-bootstrap-authentication": "true",
    },
    type: "bootstrap.kubernetes.io/token",
  };
}

/** The kind of the resources by which pods ask Talos for credentials (talos v1.12.1, `k8stemplates/crds.go`). */
function talosServiceAccountDefinition(): KubernetesObject {
  const text = { type: "string" };
  const properties = {
    spec: { type: "object", properties: { roles: { type: "array", items: text } } },
    status: { type: "object", properties: { failureReason: text } },
  };
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "serviceaccounts.talos.dev" },
    spec: {
      conversion: { strategy: "None" },
      group: "talos.dev",
      names: {
        kind: "ServiceAccount",
        listKind: "ServiceAccountList",
        plural: "serviceaccounts",
        singular: "serviceaccount",
        shortNames: ["tsa"],
      },
      scope: "Namespaced",
      versions: [{ name: "v1alpha1", schema, served: true, storage: true }],
    },
  };
}

function inClusterKubeconfig(server: string): KubernetesObject {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const kubeconfig = `apiVersion: v1
clusters:
- cluster:
    certificate-authority: ${folder}/ca.crt
    server: ${server}
  name: local
contexts:
- context:
    cluster: local
    user: service-account
  name: local
current-context: local
kind: Config
users:
- name: service-account
  user:
    tokenFile: ${folder}/token
`;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "kubeconfig-in-cluster", namespace: "kube-system" },
    data: { kubeconfig },
  };
}
