import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../config/yamlPath";
import { objectAt, type Json, type KubernetesObject } from "./kubernetesObject";
import type { ResourceKind } from "./resources";

/** A problem of an object, in the form of the API server. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly reason: string;
}

/** A field that keeps its value from the object's creation. */
interface FixedField {
  readonly path: string;
  /** What the server says of another value. Default: `field is immutable`. */
  readonly told?: (value: unknown) => string;
  /** What the server fills in. Default: nothing. */
  readonly byDefault?: Json;
  /** The field of the message. Default: the path. */
  readonly field?: string;
  /** Whether it is fixed in this object. Default: in each one. */
  readonly isFixed?: (before: KubernetesObject, after: KubernetesObject) => boolean;
}

const forbidden = (text: string) => () => `Forbidden: ${text}`;
const fixed = (...paths: readonly string[]): FixedField[] => paths.map((path) => ({ path }));
const ofSealed = (...paths: readonly string[]): FixedField[] =>
  paths.map((path) => ({
    path,
    told: forbidden("field is immutable when `immutable` is set"),
    isFixed: (before) => before.immutable === true,
  }));
const ofClass = (path: string, byDefault?: Json): FixedField => ({
  path,
  told: forbidden(`updates to ${path} are forbidden.`),
  ...(byDefault !== undefined && { byDefault }),
});

/**
 * The fixed fields of each kind, as users of this project meet them. Source: Kubernetes v1.35,
 * `pkg/apis`, the file `validation/validation.go` of each group. Later releases say `field is immutable` of roleRef, of a StorageClass and of a
 * StatefulSet too.
 */
const FIXED: Readonly<Record<string, readonly FixedField[]>> = {
  "apps/deployments": fixed("spec.selector"),
  "apps/daemonsets": fixed("spec.selector"),
  "apps/replicasets": fixed("spec.selector"),
  "batch/jobs": [
    ...fixed("spec.selector", "spec.completionMode", "spec.podFailurePolicy", "spec.managedBy"),
    {
      path: "spec.template",
      isFixed: (before) => valueAt(before, "spec", "suspend") !== true,
    },
  ],
  "/secrets": [{ path: "type", byDefault: "Opaque" }, ...ofSealed("immutable", "data")],
  "/configmaps": ofSealed("immutable", "data", "binaryData"),
  "/services": [
    {
      path: "spec.clusterIP",
      field: "spec.clusterIPs[0]",
      told: (value) => `Invalid value: ${JSON.stringify([value])}: may not change once set`,
      // The server assigns one, and keeps it for an object that names none.
      isFixed: (...both) => both.every((each) => valueAt(each, "spec", "clusterIP") !== undefined),
    },
  ],
  "/persistentvolumeclaims": [
    ...["accessModes", "selector", "storageClassName", "volumeName", "dataSource"].map((name) => ({
      path: `spec.${name}`,
      field: "spec",
      told: forbidden(
        "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
      ),
    })),
    ...fixed("spec.volumeMode"),
  ],
  "storage.k8s.io/storageclasses": [
    ofClass("parameters"),
    ofClass("provisioner"),
    ofClass("reclaimPolicy", "Delete"),
    { path: "volumeBindingMode", byDefault: "Immediate" },
  ],
  "storage.k8s.io/csidrivers": fixed("spec.attachRequired", "spec.volumeLifecycleModes"),
  "scheduling.k8s.io/priorityclasses": [
    { path: "value", told: forbidden("may not be changed in an update.") },
    ...fixed("preemptionPolicy"),
  ],
  "networking.k8s.io/ingressclasses": fixed("spec.controller"),
  "apiextensions.k8s.io/customresourcedefinitions": fixed(
    "spec.group",
    "spec.scope",
    "spec.names.plural",
    "spec.names.kind",
  ),
};

/** What of a StatefulSet's spec may change (Kubernetes v1.35, `apps/validation`). */
const STATEFUL_SET = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** The changes of an object that the API server refuses. */
export function changesOfFixed(
  kind: ResourceKind,
  before: KubernetesObject,
  after: KubernetesObject,
): readonly FieldProblem[] {
  if (kind.group === "apps" && kind.plural === "statefulsets") {
    return changesOfStatefulSet(before, after);
  }
  const fields = FIXED[`${kind.group}/${kind.plural}`] ?? [];
  return fields.flatMap(({ path, told = immutable, byDefault, field = path, isFixed }) => {
    const [old, now] = [before, after].map(
      (each) => valueAt(each, ...path.split(".")) ?? byDefault,
    );
    const isSame = isDeepStrictEqual(old, now) || isFixed?.(before, after) === false;
    return isSame ? [] : [problem(field, told(now))];
  });
}

function changesOfStatefulSet(
  before: KubernetesObject,
  after: KubernetesObject,
): readonly FieldProblem[] {
  const rest = (object: KubernetesObject) =>
    Object.fromEntries(
      Object.entries(objectAt(object, "spec")).filter(([name]) => !STATEFUL_SET.includes(name)),
    );
  const names = STATEFUL_SET.map((name) => `'${name}'`);
  const listed = `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
  const text = `Forbidden: updates to statefulset spec for fields other than ${listed} are forbidden`;
  return isDeepStrictEqual(rest(before), rest(after)) ? [] : [problem("spec", text)];
}

function immutable(value: unknown): string {
  return `Invalid value: ${JSON.stringify(value ?? null)}: field is immutable`;
}

function problem(field: string, message: string): FieldProblem {
  const reason = message.startsWith("Forbidden") ? "FieldValueForbidden" : "FieldValueInvalid";
  return { field, message, reason };
}
