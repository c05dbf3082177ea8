import { changesOfFixed } from "../../../../emulator/talos/kubernetes/fixedFields";
import type { JsonObject } from "../../../../emulator/talos/kubernetes/kubernetesObject";
import { builtIn } from "../../../../emulator/talos/kubernetes/objectStore";
import { checkObject } from "../../../../emulator/talos/kubernetes/objectValidation";
import { builtInKinds } from "../../../../emulator/talos/kubernetes/resources";
import { FIXED_FIELD_CHANGES } from "../../../conformance/support/fixedFieldChanges";

const object = (content: JsonObject) => ({
  apiVersion: "v1",
  kind: "Any",
  metadata: { name: "one" },
  ...content,
});
const changes = (plural: string, before: JsonObject, after: JsonObject) =>
  changesOfFixed(builtIn(plural), object(before), object(after)).map(
    ({ field, message, reason }) => `${reason} ${field}: ${message}`,
  );

describe("fields that keep their value", () => {
  it.each<[string, JsonObject, JsonObject, RegExp]>([
    [
      "deployments",
      { spec: { selector: { a: "1" } } },
      { spec: {} },
      /^FieldValueInvalid spec.sel/,
    ],
    [
      "statefulsets",
      { spec: { serviceName: "a" } },
      { spec: { serviceName: "b" } },
      /^FieldValueForbidden spec: .*'replicas', 'ordinals', .* and 'minReadySeconds' are forbidden$/,
    ],
    [
      "jobs",
      { spec: { template: { a: 1 } } },
      { spec: { template: { a: 2 } } },
      / spec.template: /,
    ],
    ["secrets", {}, { type: "kubernetes.io/tls" }, / type: Invalid .*: field is immutable$/],
    ["secrets", { immutable: true, data: {} }, { immutable: true, data: { a: "" } }, / data: Forb/],
    ["configmaps", { immutable: true }, {}, /^FieldValueForbidden immutable: .* is set$/],
    [
      "services",
      { spec: { clusterIP: "10.0.0.1" } },
      { spec: { clusterIP: "10.0.0.2" } },
      / spec.clusterIPs\[0\]: Invalid value: \["10.0.0.2"\]: may not change once set$/,
    ],
    [
      "persistentvolumeclaims",
      { spec: { accessModes: ["ReadWriteOnce"] } },
      { spec: { accessModes: ["ReadWriteMany"] } },
      / spec: Forbidden: spec is immutable/,
    ],
    ["storageclasses", { provisioner: "a" }, { provisioner: "b" }, / provisioner: Forbidden/],
    [
      "storageclasses",
      {},
      { reclaimPolicy: "Retain" },
      / updates to reclaimPolicy are forbidden.$/,
    ],
    ["storageclasses", {}, { volumeBindingMode: "WaitForFirstConsumer" }, / field is immutable$/],
    ["csidrivers", { spec: { attachRequired: true } }, { spec: {} }, / spec.attachRequired: /],
    ["priorityclasses", { value: 1 }, { value: 2 }, / value: Forbidden: may not be changed/],
    ["ingressclasses", { spec: { controller: "a" } }, { spec: {} }, / spec.controller: /],
    [
      "customresourcedefinitions",
      { spec: { scope: "Namespaced" } },
      { spec: { scope: "Cluster" } },
      / spec.scope: /,
    ],
  ])("of %s: %o → %o", (plural, before, after, told) => {
    expect(changes(plural, before, after)).toEqual([expect.stringMatching(told)]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["statefulsets", { spec: { replicas: 1, template: { a: 1 } } }, { spec: { replicas: 2 } }],
    [
      "jobs",
      { spec: { suspend: true, template: { a: 1 } } },
      { spec: { suspend: true, template: { a: 2 } } },
    ],
    ["jobs", { spec: { parallelism: 1 } }, { spec: { parallelism: 2 } }],
    ["secrets", { data: { a: "" } }, { type: "Opaque", data: {} }],
    ["services", { spec: { clusterIP: "10.0.0.1" } }, { spec: { ports: [] } }],
    ["persistentvolumeclaims", { spec: { resources: { a: 1 } } }, { spec: { resources: {} } }],
    ["storageclasses", { reclaimPolicy: "Delete" }, { allowVolumeExpansion: true }],
  ])("and others change, of %s: %o → %o", (plural, before, after) => {
    expect(changes(plural, before, after)).toEqual([]);
  });

  // A lab's test has real API servers refuse the same changes.
  it.each(FIXED_FIELD_CHANGES)("and $what", ({ before, after }) => {
    const { kind } = before as JsonObject;
    const found = builtIn(builtInKinds.find((each) => each.kind === kind)?.plural ?? "");
    expect(() => checkObject(found, before as never, after as never)).toThrow("is invalid: ");
  });
});
