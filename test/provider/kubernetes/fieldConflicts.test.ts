import {
  TALOS_TAKEOVER,
  withoutFields,
  withTakenFields,
} from "../../../provider/kubernetes/fieldConflicts";
import type { KubernetesObject } from "../../../provider/kubernetes/kubernetesObject";

const object: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "coredns" },
  data: { "net-conf.json": "x", net: "y" },
  spec: {
    replicas: 2,
    finalizers: ["a", "b"],
    containers: [
      {
        name: "coredns",
        image: "one",
        ports: [{ containerPort: 53, protocol: "UDP", name: "dns" }],
      },
      { name: "other", image: "two" },
    ],
  },
};

describe("withoutFields", () => {
  it.each<[string, unknown]>([
    [".spec.replicas", { ...(object.spec as object), replicas: undefined }],
    ['.spec.finalizers[="a"]', { ...(object.spec as object), finalizers: ["b"] }],
  ])("removes %s", (field, spec) => {
    expect(withoutFields(object, [field])?.spec).toEqual(spec);
  });

  it("finds items of lists by their keys", () => {
    const fields = [
      '.spec.containers[name="other"].image',
      '.spec.containers[name="coredns"].ports[containerPort=53,protocol="UDP"].name',
    ];
    expect(withoutFields(object, fields)?.spec).toMatchObject({
      containers: [
        { name: "coredns", image: "one", ports: [{ containerPort: 53, protocol: "UDP" }] },
        { name: "other" },
      ],
    });
  });

  it("treats a name with dots as one name", () => {
    expect(withoutFields(object, [".data.net-conf.json"])?.data).toEqual({ net: "y" });
    expect(withoutFields(object, [".data.net"])?.data).toEqual({ "net-conf.json": "x" });
  });

  it.each([".spec.nothing", '.spec.containers[name="nobody"].image', ".data.net-conf.json.more"])(
    "doesn't find %s",
    (field) => {
      expect(withoutFields(object, [field])).toBeUndefined();
    },
  );
});

describe("withTakenFields", () => {
  const updated = (manager: string, fields: object, more: object = {}) => ({
    manager,
    operation: "Update",
    apiVersion: "v1",
    fieldsV1: { "f:data": fields },
    ...more,
  });

  it("unites the fields that Talos and talosctl have set, and keeps other managers' fields", () => {
    const kubectl = updated("kubectl-edit", { "f:c": {} });
    const status = updated("talos", { "f:d": {} }, { subresource: "status" });
    const fields = [
      updated("talos", { "f:a": {} }),
      kubectl,
      updated("talosctl", { "f:b": {} }),
      status,
    ];
    expect(withTakenFields(fields, TALOS_TAKEOVER)).toEqual([
      kubectl,
      status,
      {
        manager: "talos",
        operation: "Apply",
        apiVersion: "v1",
        fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } },
      },
    ]);
  });

  it("does nothing for applied fields", () => {
    const applied = { manager: "talos", operation: "Apply", apiVersion: "v1", fieldsV1: {} };
    expect(withTakenFields([applied], TALOS_TAKEOVER)).toBeUndefined();
  });
});
