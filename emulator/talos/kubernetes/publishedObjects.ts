import type { KubernetesObject } from "./kubernetesObject";
import { clusterRoleBinding } from "./roleManifests";

const FLUX = /^https:\/\/github\.com\/fluxcd\/flux2\/releases\/download\/v[\d.]+\/install\.yaml$/;

/**
 * What a published manifest contains of importance for others, without any pods: for Flux, the namespace, the
 * definitions of what this package's objects need, and its rights. Nothing for all other URLs. Source:
 * `manifests/install`, `manifests/rbac` of fluxcd/flux2 v2.9.5.
 */
export function publishedObjects(url: string): readonly KubernetesObject[] {
  const namespace = "flux-system";
  const controller = { kind: "ServiceAccount", name: "kustomize-controller", namespace };
  return FLUX.test(url)
    ? [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        definition("source.toolkit.fluxcd.io", "GitRepository", "gitrepositories"),
        definition("kustomize.toolkit.fluxcd.io", "Kustomization", "kustomizations"),
        clusterRoleBinding("cluster-reconciler", "cluster-admin", [controller]),
      ]
    : [];
}

function definition(group: string, kind: string, plural: string): KubernetesObject {
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: "Namespaced",
      versions: [{ name: "v1", schema, served: true, storage: true }],
    },
  };
}
