import { stringify } from "yaml";

/** A change of a field that an object keeps from its creation. */
export interface FixedFieldChange {
  /** Such as `the selector of a Deployment`. */
  readonly what: string;
  readonly before: object;
  readonly after: object;
}

const image = "registry.k8s.io/pause:3.10";
const namespaced = (kind: string, apiVersion = "v1") => ({
  apiVersion,
  kind,
  metadata: { name: "fixed", namespace: "default" },
});
const clusterWide = (kind: string, apiVersion: string, name = "fixed") => ({
  apiVersion,
  kind,
  metadata: { name },
});
const pods = (app: string) => ({
  selector: { matchLabels: { app } },
  template: {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "main", image }] },
  },
});
const job = (command: string) => ({
  ...namespaced("Job", "batch/v1"),
  spec: {
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "main", image, command: [command] }] },
    },
  },
});
const claim = (accessMode: string) => ({
  ...namespaced("PersistentVolumeClaim"),
  spec: {
    accessModes: [accessMode],
    storageClassName: "none",
    resources: { requests: { storage: "1Gi" } },
  },
});
const storageClass = (settings: object) => ({
  ...clusterWide("StorageClass", "storage.k8s.io/v1"),
  provisioner: "a.example.com",
  ...settings,
});
const definition = (scope: string) => ({
  ...clusterWide("CustomResourceDefinition", "apiextensions.k8s.io/v1", "fixes.example.com"),
  spec: {
    group: "example.com",
    scope,
    names: { plural: "fixes", singular: "fix", kind: "Fix", listKind: "FixList" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
    ],
  },
});
const binding = (name: string) => ({
  ...namespaced("RoleBinding", "rbac.authorization.k8s.io/v1"),
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "somebody" }],
});
const sealed = (kind: string, value: string) => ({
  ...namespaced(kind),
  immutable: true,
  data: { a: value },
});
const service = (clusterIP: string) => ({
  ...namespaced("Service"),
  spec: { clusterIP, ports: [{ port: 80 }], selector: { app: "a" } },
});

/** A change of each field that API servers fix, of kinds that users and add-ons apply. */
export const FIXED_FIELD_CHANGES: readonly FixedFieldChange[] = [
  ...["Deployment", "DaemonSet"].map((kind) => ({
    what: `the selector of a ${kind}`,
    before: { ...namespaced(kind, "apps/v1"), spec: pods("a") },
    after: { ...namespaced(kind, "apps/v1"), spec: pods("b") },
  })),
  {
    what: "the service of a StatefulSet",
    before: { ...namespaced("StatefulSet", "apps/v1"), spec: { ...pods("a"), serviceName: "a" } },
    after: { ...namespaced("StatefulSet", "apps/v1"), spec: { ...pods("a"), serviceName: "b" } },
  },
  { what: "the template of a Job", before: job("/a"), after: job("/b") },
  {
    what: "the type of a Secret",
    before: { ...namespaced("Secret"), type: "Opaque" },
    after: { ...namespaced("Secret"), type: "example.com/other" },
  },
  {
    what: "the data of a sealed Secret",
    before: sealed("Secret", "YQ=="),
    after: sealed("Secret", "Yg=="),
  },
  {
    what: "the data of a sealed ConfigMap",
    before: sealed("ConfigMap", "a"),
    after: sealed("ConfigMap", "b"),
  },
  { what: "the address of a Service", before: service("10.96.99.1"), after: service("10.96.99.2") },
  {
    what: "the access of a claim",
    before: claim("ReadWriteOnce"),
    after: claim("ReadWriteMany"),
  },
  {
    what: "the provisioner of a StorageClass",
    before: storageClass({}),
    after: storageClass({ provisioner: "b.example.com" }),
  },
  {
    what: "the reclaim policy of a StorageClass",
    before: storageClass({}),
    after: storageClass({ reclaimPolicy: "Retain" }),
  },
  {
    what: "the binding of a StorageClass",
    before: storageClass({}),
    after: storageClass({ volumeBindingMode: "WaitForFirstConsumer" }),
  },
  {
    what: "the value of a PriorityClass",
    before: { ...clusterWide("PriorityClass", "scheduling.k8s.io/v1"), value: 1 },
    after: { ...clusterWide("PriorityClass", "scheduling.k8s.io/v1"), value: 2 },
  },
  {
    what: "the controller of an IngressClass",
    before: {
      ...clusterWide("IngressClass", "networking.k8s.io/v1"),
      spec: { controller: "example.com/a" },
    },
    after: {
      ...clusterWide("IngressClass", "networking.k8s.io/v1"),
      spec: { controller: "example.com/b" },
    },
  },
  {
    what: "the scope of a definition",
    before: definition("Namespaced"),
    after: definition("Cluster"),
  },
  { what: "the role of a RoleBinding", before: binding("view"), after: binding("edit") },
];

/** Manifests with one object. */
export const manifestWith = (object: object) => [{ name: "fixed", contents: stringify(object) }];
