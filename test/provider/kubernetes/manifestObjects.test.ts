import { inApplyOrder, objectPath, placed } from "../../../provider/kubernetes/apiResources";
import {
  inventoryKey,
  parseInventoryKey,
  referenceOf,
} from "../../../provider/kubernetes/inventory";
import type { KubernetesObject } from "../../../provider/kubernetes/kubernetesObject";
import { missingOfRollout } from "../../../provider/kubernetes/rollout";
import { reasonToKeep } from "../../../provider/lifecycle/objects/pruneManifests";

const objectOf = (apiVersion: string, kind: string, metadata: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: "one", ...metadata },
});

describe("a key of the inventory", () => {
  // Keys that a real server stored, see the ConfigMap of Talos 1.13.
  it.each([
    [
      objectOf("apps/v1", "DaemonSet", { name: "kube-proxy", namespace: "kube-system" }),
      "kube-system_kube-proxy_apps_DaemonSet",
    ],
    [
      objectOf("v1", "ConfigMap", { name: "coredns", namespace: "kube-system" }),
      "kube-system_coredns__ConfigMap",
    ],
    [
      objectOf("rbac.authorization.k8s.io/v1", "ClusterRole", { name: "system:coredns" }),
      "_system__coredns_rbac.authorization.k8s.io_ClusterRole",
    ],
  ])("of %o is written and read back", (object, key) => {
    expect(inventoryKey(referenceOf(object))).toBe(key);
    expect(parseInventoryKey(key)).toEqual(referenceOf(object));
  });

  it("that is invalid gives no reference", () => {
    expect(parseInventoryKey("nonsense")).toBeUndefined();
  });
});

describe("objects", () => {
  const daemonSets = { groupVersion: "apps/v1", plural: "daemonsets", isNamespaced: true };
  const roles = {
    groupVersion: "rbac.authorization.k8s.io/v1",
    plural: "clusterroles",
    isNamespaced: false,
  };

  it("are in their namespace, in default, or in none", () => {
    expect(objectPath(daemonSets, { namespace: "kube-system", name: "a" })).toBe(
      "/apis/apps/v1/namespaces/kube-system/daemonsets/a",
    );
    expect(objectPath(roles, { name: "system:a" })).toBe(
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa",
    );
    const one = objectOf("apps/v1", "DaemonSet", {});
    expect(placed(one, daemonSets).metadata.namespace).toBe("default");
    const role = objectOf("v1", "ClusterRole", { namespace: "given" });
    expect(placed(role, roles).metadata).not.toHaveProperty("namespace");
  });

  it("are applied after their namespaces and definitions", () => {
    const kinds = ["ConfigMap", "Widget", "CustomResourceDefinition", "Namespace"];
    const items = kinds.map((kind) => ({
      object: objectOf(
        kind === "CustomResourceDefinition" ? "apiextensions.k8s.io/v1" : "v1",
        kind,
        {},
      ),
    }));
    expect(inApplyOrder(items).map(({ object }) => object.kind)).toEqual([
      "Namespace",
      "CustomResourceDefinition",
      "ConfigMap",
      "Widget",
    ]);
  });
});

describe("a rollout", () => {
  const workload = (kind: string, status: object, spec: object = {}): KubernetesObject => ({
    ...objectOf("apps/v1", kind, { namespace: "n", generation: 2 }),
    spec,
    status: { observedGeneration: 2, ...status },
  });

  it.each([
    [
      "DaemonSet n/one: its controller hasn't seen it yet",
      workload("DaemonSet", { observedGeneration: 1 }),
    ],
    [
      "DaemonSet n/one: 1 of 2 pods are new",
      workload("DaemonSet", {
        desiredNumberScheduled: 2,
        updatedNumberScheduled: 1,
        numberAvailable: 2,
      }),
    ],
    [
      "DaemonSet n/one: 1 of 2 pods are available",
      workload("DaemonSet", {
        desiredNumberScheduled: 2,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      }),
    ],
    [
      "Deployment n/one: 1 old pods are left",
      workload(
        "Deployment",
        { replicas: 3, updatedReplicas: 2, availableReplicas: 3 },
        { replicas: 2 },
      ),
    ],
    [
      undefined,
      workload(
        "Deployment",
        { replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
        { replicas: 2 },
      ),
    ],
    [undefined, workload("DaemonSet", {})],
  ])("%s", (missing, object) => {
    expect(missingOfRollout(object)).toBe(missing);
  });
});

describe("an object without a manifest is kept", () => {
  const managedFields = [{ manager: "talos", operation: "Apply" }];
  const annotations = { "config.k8s.io/owning-inventory": "other" };

  it.each([
    [
      "where others would lose what is in it",
      objectOf("v1", "Namespace", { managedFields }),
      "its contents would be deleted",
    ],
    [
      "where it is of another inventory",
      objectOf("v1", "ConfigMap", { managedFields, annotations }),
      'it belongs to "other" now',
    ],
    [
      "where others have set all of it",
      objectOf("v1", "ConfigMap", { managedFields: [{ manager: "helm" }] }),
      '"helm" changed it since',
    ],
  ])("%s", (_, object, reason) => {
    expect(reasonToKeep(object)).toContain(reason);
  });

  it("but not if it belongs to Talos", () => {
    expect(reasonToKeep(objectOf("v1", "ConfigMap", { managedFields }))).toBeUndefined();
  });
});
