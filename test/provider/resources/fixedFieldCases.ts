/** An object whose field can't change. */
export interface FixedFieldCase {
  readonly manifest: (when: "before" | "after") => string;
  /** Where it is. */
  readonly path: string;
  /** What is said of a change, and the way out. */
  readonly told: RegExp;
}

const RECREATED = "delete it with kubectl, and the next run recreates it";
const OF_DEFAULT = "/namespaces/default";

/** One of each kind that people meet. The texts are those of Kubernetes v1.35; the test of the simulation has all. */
export const FIXED_FIELDS: readonly FixedFieldCase[] = [
  {
    manifest: (when) => `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: fixed, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${when}}
`,
    path: `/apis/rbac.authorization.k8s.io/v1${OF_DEFAULT}/rolebindings/fixed`,
    told: new RegExp(`RoleBinding default/fixed: .*cannot change roleRef; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: batch/v1
kind: Job
metadata: {name: fixed, namespace: default}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/${when}:1"}]}}}
`,
    path: `/apis/batch/v1${OF_DEFAULT}/jobs/fixed`,
    told: new RegExp(`Job default/fixed: .*spec.template: .*field is immutable; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: fixed, namespace: default}
spec:
  replicas: 0
  serviceName: fixed
  selector: {matchLabels: {app: fixed}}
  template: {metadata: {labels: {app: fixed}}, spec: {containers: [{name: main, image: "example.com/a:1"}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: ${when}}}]
`,
    path: `/apis/apps/v1${OF_DEFAULT}/statefulsets/fixed`,
    told: /StatefulSet default\/fixed: .*updates to statefulset spec .*are forbidden; delete it with "kubectl delete --cascade=orphan"/,
  },
  {
    manifest: (when) => `apiVersion: v1
kind: Service
metadata: {name: fixed, namespace: default}
spec: {clusterIP: 10.96.0.${when === "before" ? 77 : 78}, ports: [{port: 80}]}
`,
    path: `/api/v1${OF_DEFAULT}/services/fixed`,
    told: new RegExp(`Service default/fixed: .*may not change once set; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fixed}
provisioner: ebs.csi.aws.com
parameters: {type: ${when}}
`,
    path: "/apis/storage.k8s.io/v1/storageclasses/fixed",
    told: new RegExp(`StorageClass fixed: .*updates to parameters are forbidden.; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: v1
kind: ConfigMap
metadata: {name: fixed, namespace: default}
immutable: true
data: {value: ${when}}
`,
    path: `/api/v1${OF_DEFAULT}/configmaps/fixed`,
    told: new RegExp(`ConfigMap default/fixed: .*immutable.*is set; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: v1
kind: Secret
metadata: {name: fixed, namespace: default}
type: example.com/${when}
stringData: {value: hunter-${when}}
`,
    path: `/api/v1${OF_DEFAULT}/secrets/fixed`,
    told: new RegExp(`Secret default/fixed: .*type: .*field is immutable; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: fixed}
value: ${when === "before" ? 1 : 2}
`,
    path: "/apis/scheduling.k8s.io/v1/priorityclasses/fixed",
    told: new RegExp(`PriorityClass fixed: .*may not be changed in an update.; ${RECREATED}`),
  },
  {
    manifest: (when) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: fixed, namespace: default}
spec: {storageClassName: ${when}, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`,
    path: `/api/v1${OF_DEFAULT}/persistentvolumeclaims/fixed`,
    told: /PersistentVolumeClaim default\/fixed: .*spec is immutable.*; take the change back, or use another name: deleting it would delete its data/,
  },
  {
    manifest: (when) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fixeds.example.org}
spec:
  group: example.org
  scope: ${when === "before" ? "Namespaced" : "Cluster"}
  names: {kind: Fixed, plural: fixeds, singular: fixed}
  versions: [{name: v1, served: true, storage: true}]
`,
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/fixeds.example.org",
    told: /CustomResourceDefinition fixeds.example.org: .*field is immutable; take the change back: deleting it would delete all objects of its kind/,
  },
];
