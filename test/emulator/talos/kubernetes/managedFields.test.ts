import { ask, storeOf } from "./storeClient";

// Every expected answer is what a real kube-apiserver v1.35.0 gave to the same request.

const configMaps = "/api/v1/namespaces/default/configmaps";
const apply = "application/apply-patch+yaml";
const configMap = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});
const managers = (object: Readonly<Record<string, unknown>>) => {
  const { managedFields } = object.metadata as {
    readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
  };
  return (managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [
    manager,
    operation,
    fieldsV1,
  ]);
};

describe("server-side apply", () => {
  const store = storeOf();
  const applyAs = (manager: string, body: object, name = "s1", more = "") =>
    ask(store, "PATCH", `${configMaps}/${name}?fieldManager=${manager}${more}`, body, apply);
  let version: unknown;

  test("creates missing objects, and records the manager of each field", () => {
    const body = configMap("s1", { a: "1", b: "1" }, { labels: { l: "1" } });
    const { code, object } = applyAs("one", body);
    expect(code).toBe(201);
    expect(managers(object)).toEqual([
      [
        "one",
        "Apply",
        { "f:data": { "f:a": {}, "f:b": {} }, "f:metadata": { "f:labels": { "f:l": {} } } },
      ],
    ]);
  });

  test("reports a conflict with another manager's field", () => {
    expect(applyAs("two", configMap("s1", { a: "2", b: "2" }))).toEqual({
      code: 409,
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b',
        reason: "Conflict",
        details: {
          causes: [
            { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" },
            { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.b" },
          ],
        },
        code: 409,
      },
    });
    expect(applyAs("two", configMap("s1", { a: "2" })).object.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .data.a',
    );
  });

  test("takes the field over by force", () => {
    const { code, object } = applyAs("two", configMap("s1", { a: "2" }), "s1", "&force=true");
    expect(code).toBe(200);
    expect(object.data).toEqual({ a: "2", b: "1" });
    expect(managers(object)).toEqual([
      ["one", "Apply", { "f:data": { "f:b": {} }, "f:metadata": { "f:labels": { "f:l": {} } } }],
      ["two", "Apply", { "f:data": { "f:a": {} } }],
    ]);
  });

  test("removes fields that a manager no longer sets, and keeps other managers' fields", () => {
    const { object } = applyAs("one", configMap("s1", {}));
    expect(object.data).toEqual({ a: "2" });
    expect(object.metadata).not.toHaveProperty("labels");
    expect(managers(object)).toEqual([
      ["one", "Apply", { "f:data": {} }],
      ["two", "Apply", { "f:data": { "f:a": {} } }],
    ]);
    version = (object.metadata as { readonly resourceVersion: string }).resourceVersion;
  });

  test("writes nothing without a change", () => {
    const { object } = applyAs("one", configMap("s1", {}));
    expect(object.metadata).toMatchObject({ resourceVersion: version });
  });

  test("is rejected without a manager, and with managed fields", () => {
    const path = `${configMaps}/s1`;
    expect(ask(store, "PATCH", path, configMap("s1", {}), apply)).toMatchObject({
      code: 422,
      object: {
        message:
          'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        details: { group: "meta.k8s.io", kind: "PatchOptions" },
      },
    });
    expect(applyAs("one", configMap("s1", {}, { managedFields: [{}] }))).toMatchObject({
      code: 400,
      object: { message: "metadata.managedFields must be nil" },
    });
  });

  test("names the version of a manager that updated", () => {
    ask(store, "POST", configMaps, configMap("c1", { a: "1" }));
    expect(applyAs("two", configMap("c1", { a: "7" }), "c1").object.message).toBe(
      'Apply failed with 1 conflict: conflict with "lab" using v1: .data.a',
    );
  });

  test("stores nothing in a dry run", () => {
    const { code, object } = applyAs("one", configMap("s2", { a: "1" }), "s2", "&dryRun=All");
    expect([code, object.data]).toEqual([201, { a: "1" }]);
    expect(ask(store, "GET", `${configMaps}/s2`).code).toBe(404);
  });

  test("merges containers by name, and names the conflicting one", () => {
    const pods = { metadata: { labels: { app: "web" } } };
    const deployment = (replicas: number, image: string, more: object[] = []) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        replicas,
        selector: { matchLabels: { app: "web" } },
        template: { ...pods, spec: { containers: [{ name: "m", image }, ...more] } },
      },
    });
    const path = "/apis/apps/v1/namespaces/default/deployments";
    ask(store, "POST", path, deployment(3, "one:1"));
    const asTwo = `${path}/web?fieldManager=two`;
    const refused = ask(store, "PATCH", asTwo, deployment(5, "other:1"), apply);
    expect(refused.object.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "lab" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name="m"].image',
    );
    const side = { name: "side", image: "side:1" };
    const names = ({ object }: ReturnType<typeof ask>) =>
      (
        object.spec as {
          readonly template: { readonly spec: { readonly containers: { name: string }[] } };
        }
      ).template.spec.containers.map(({ name }) => name);
    expect(names(ask(store, "PATCH", asTwo, deployment(3, "one:1", [side]), apply))).toEqual([
      "m",
      "side",
    ]);
    expect(names(ask(store, "PATCH", asTwo, deployment(3, "one:1"), apply))).toEqual(["m"]);
  });
});

describe("objects of any kind", () => {
  const store = storeOf("w1");
  const post = (body: unknown, path = configMaps) => ask(store, "POST", path, body);
  const one = configMap("c1", { a: "1" });
  const modified =
    "the object has been modified; please apply your changes to the latest version and try again";

  test("are created once", () => {
    expect(post(one)).toMatchObject({ code: 201, object: { data: { a: "1" } } });
    expect(post(one)).toMatchObject({
      code: 409,
      object: {
        message: 'configmaps "c1" already exists',
        reason: "AlreadyExists",
        details: { name: "c1", kind: "configmaps" },
      },
    });
  });

  test.each<[string, unknown, string, number, string]>([
    [
      "without a name",
      { apiVersion: "v1", kind: "ConfigMap", metadata: {} },
      configMaps,
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      "with a bad name",
      configMap("X_y", {}),
      configMaps,
      422,
      "ConfigMap \"X_y\" is invalid: metadata.name: Invalid value: \"X_y\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      "in another namespace than the path's",
      configMap("x", {}, { namespace: "kube-system" }),
      configMaps,
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "in a namespace that isn't there",
      configMap("x", {}),
      "/api/v1/namespaces/nope/configmaps",
      404,
      'namespaces "nope" not found',
    ],
    [
      "whose selector doesn't fit",
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "bad" },
        spec: {
          selector: { matchLabels: { app: "web" } },
          template: { metadata: { labels: { app: "x" } }, spec: {} },
        },
      },
      "/apis/apps/v1/namespaces/default/deployments",
      422,
      'Deployment.apps "bad" is invalid: [spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`, spec.template.spec.containers: Required value]',
    ],
  ])("%s are rejected", (_, body, path, code, message) => {
    expect(post(body, path)).toMatchObject({ code, object: { message } });
  });

  test("are replaced, unless their version has changed", () => {
    const put = (body: object, name = "c1") => ask(store, "PUT", `${configMaps}/${name}`, body);
    expect(put(configMap("c1", { a: "2" }))).toMatchObject({
      code: 200,
      object: { data: { a: "2" } },
    });
    expect(put(configMap("c1", {}, { resourceVersion: "1" }))).toMatchObject({
      code: 409,
      object: {
        message: `Operation cannot be fulfilled on configmaps "c1": ${modified}`,
        reason: "Conflict",
        details: { name: "c1", kind: "configmaps" },
      },
    });
    expect(put(configMap("c9", {}), "c9").object.message).toBe('configmaps "c9" not found');
    expect(put(configMap("c9", {})).object.message).toBe(
      "the name of the object (c9) does not match the name on the URL (c1)",
    );
  });

  test("are deleted if the preconditions match", () => {
    const uid = (ask(store, "GET", `${configMaps}/c1`).object.metadata as { uid: string }).uid;
    const options = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "abc" } };
    expect(ask(store, "DELETE", `${configMaps}/c1`, options).object.message).toBe(
      `Operation cannot be fulfilled on ConfigMap "c1": the UID in the precondition (abc) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expect(ask(store, "DELETE", `${configMaps}/c1`)).toEqual({
      code: 200,
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Success",
        details: { name: "c1", kind: "configmaps", uid },
      },
    });
    expect(ask(store, "DELETE", `${configMaps}/c1`).object.message).toBe(
      'configmaps "c1" not found',
    );
  });

  test("of a CustomResourceDefinition are served once it is established", async () => {
    const path = "/apis/talos.dev/v1alpha1/namespaces/default/serviceaccounts";
    expect(() => ask(store, "GET", path)).toThrow();
    const names = { kind: "ServiceAccount", plural: "serviceaccounts", singular: "serviceaccount" };
    post(
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "serviceaccounts.talos.dev" },
        spec: {
          group: "talos.dev",
          scope: "Namespaced",
          names,
          versions: [{ name: "v1alpha1", served: true, storage: true }],
        },
      },
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    );
    const account = {
      apiVersion: "talos.dev/v1alpha1",
      kind: "ServiceAccount",
      metadata: { name: "one" },
    };
    expect(() => post(account, path)).toThrow();
    const definition =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/serviceaccounts.talos.dev";
    expect(ask(store, "GET", definition).object).toMatchObject({ status: { conditions: null } });
    await vi.waitFor(() => {
      expect(post(account, path).code).toBe(201);
    });
    expect(ask(store, "GET", path).object).toMatchObject({ kind: "ServiceAccountList" });
  });
});

describe("a namespace", () => {
  test("ends after what is in it, and takes nothing new until then", async () => {
    const store = storeOf();
    store.pace = { ...store.pace, stopMs: 200 };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
    const inside = "/api/v1/namespaces/shop/configmaps";
    ask(store, "POST", "/api/v1/namespaces", namespace);
    ask(store, "POST", inside, configMap("one", { a: "1" }));
    expect(ask(store, "DELETE", "/api/v1/namespaces/shop")).toMatchObject({
      code: 200,
      object: { kind: "Namespace", status: { phase: "Terminating" } },
    });
    expect(ask(store, "GET", inside).object).toMatchObject({ items: [] });
    expect(ask(store, "POST", inside, configMap("one", { a: "1" }))).toMatchObject({
      code: 403,
      object: {
        reason: "Forbidden",
        message:
          'configmaps "one" is forbidden: unable to create new content in namespace shop because it is being terminated',
      },
    });
    await vi.waitFor(() => {
      expect(ask(store, "GET", "/api/v1/namespaces").object.items).not.toContainEqual(
        expect.objectContaining({ metadata: expect.objectContaining({ name: "shop" }) as object }),
      );
    });
    expect(ask(store, "POST", "/api/v1/namespaces", namespace).code).toBe(201);
  });
});

describe("a node", () => {
  const store = storeOf("w1");
  const path = "/api/v1/nodes/w1";
  const merge = "application/merge-patch+json";
  const strategic = "application/strategic-merge-patch+json";

  test("is cordoned and uncordoned by a patch, and keeps this when its kubelet reports", () => {
    const cordon = ask(store, "PATCH", path, { spec: { unschedulable: true } }, strategic);
    expect(cordon).toMatchObject({ code: 200, object: { spec: { unschedulable: true } } });
    store.setLost("w1");
    store.setReady("w1", false);
    expect(ask(store, "GET", path).object).toMatchObject({
      spec: {
        unschedulable: true,
        taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }],
      },
    });
    ask(store, "PATCH", path, { spec: { unschedulable: null } }, strategic);
    expect(ask(store, "GET", path).object.spec).not.toHaveProperty("unschedulable");
    expect(ask(store, "GET", path).object.spec).not.toHaveProperty("taints");
  });

  test("gains and loses labels and annotations", () => {
    const patch = { metadata: { annotations: { a: "1" }, labels: { "example.com/l": "" } } };
    ask(store, "PATCH", path, patch, merge);
    expect(store.node("w1")).toMatchObject({
      annotations: { a: "1" },
      labels: { "example.com/l": "" },
    });
    const step = { op: "remove", path: "/metadata/annotations/a" };
    ask(store, "PATCH", path, [step], "application/json-patch+json");
    expect(store.node("w1")).toMatchObject({ annotations: {} });
  });

  test.each<[string, object | string, string, number, string]>([
    ["of another type", {}, "application/json", 415, "415: Unsupported Media Type"],
    [
      "of an old version",
      { metadata: { resourceVersion: "1", annotations: { a: "2" } } },
      merge,
      409,
      'Operation cannot be fulfilled on nodes "w1": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "that is cut off",
      '{"metadata":',
      merge,
      400,
      "error decoding patch: unexpected end of JSON input",
    ],
  ])("rejects a patch %s", (_, body, type, code, message) => {
    expect(ask(store, "PATCH", path, body, type)).toMatchObject({ code, object: { message } });
  });
});
