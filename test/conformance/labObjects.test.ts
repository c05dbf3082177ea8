import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { eventually } from "../emulator/support/eventually";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";

/** An object as YAML, which JSON is. */
const text = (object: object) => JSON.stringify(object);
const namespace = text({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
const configMap = (name: string, data: object, where = "shop") =>
  text({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: where }, data });
const secret = (stringData: object) =>
  text({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "keys", namespace: "shop" },
    stringData,
  });
const definition = text({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets", singular: "widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  colour: { type: "string", default: "red" },
                },
              },
            },
          },
        },
      },
    ],
  },
});
const widget = (size: number) =>
  text({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "one", namespace: "shop" },
    spec: { size },
  });
/** Its pods run an image of the lab. */
const deployment = (command: readonly string[], app = "web") =>
  text({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          tolerations: [{ operator: "Exists" }],
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: "web",
              image: "docker.io/library/busybox:1",
              command,
              // To this the API server adds a default.
              env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
            },
          ],
        },
      },
    },
  });

const DEPLOYMENT = "/apis/apps/v1/namespaces/shop/deployments/web";
const WIDGET = "/apis/example.com/v1/namespaces/shop/widgets/one";
const SECRET = "/api/v1/namespaces/shop/secrets/keys";
const NAMESPACE = "/api/v1/namespaces/shop";
const DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";
const place = (name: string, where = "shop") => `/api/v1/namespaces/${where}/configmaps/${name}`;
const encoded = (value: string) => Buffer.from(value).toString("base64");
const INVENTORY = place("pulumi-talos-aws-objects-lab", "kube-system");
const TALOS_INVENTORY = place("talos-bootstrap-manifests-inventory", "kube-system");
const MARK = "config.k8s.io/owning-inventory";

interface Found {
  readonly metadata: {
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("KubernetesObjects on real Kubernetes", (lab) => {
  let cluster: LabCluster;
  let access: KubernetesAccess;
  const machine = new ServedResource("ConfigurationApply");
  const talosManifests = new ServedResource("KubernetesManifests");
  const objects = new ServedResource("KubernetesObjects");
  const warned: string[] = [];
  const { signal } = new AbortController();

  const up = (texts: readonly string[], more: object = {}) =>
    objects.up({
      nodes: [controlPlane],
      credentials: cluster.credentials,
      timeoutSeconds: 300,
      inventory: "lab",
      deleteContainers: false,
      awaitRollouts: true,
      manifests: texts.map((contents, index) => ({ name: `m-${index}`, contents })),
      ...more,
    });
  const send = (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    contentType = "application/merge-patch+json",
  ) => access.send({ method, path, ...(body && { body, contentType }) }, signal);
  const find = async (path: string) => {
    try {
      return JSON.parse(await send("GET", path)) as Found;
    } catch (error) {
      expect(String(error)).toMatch(/404|not found/i);
      return undefined;
    }
  };
  const uidOf = async (path: string) => (await find(path))?.metadata.uid;
  const isGone = (path: string) =>
    eventually(async () => {
      expect(await find(path)).toBeUndefined();
    });
  /** Gives Talos these inline manifests, by a changed configuration. */
  const configure = (...texts: readonly string[]) => {
    const inlineManifests = texts.map((contents, index) => ({ name: `i-${index}`, contents }));
    return machine.up(
      cluster.inputs("controlplane", controlPlane, [{ cluster: { inlineManifests } }]),
    );
  };
  /** What an `up` does after that. */
  const syncTalos = (...texts: readonly string[]) =>
    talosManifests.up({
      nodes: [controlPlane],
      credentials: cluster.credentials,
      timeoutSeconds: 300,
      redactedConfiguration: {
        cluster: {
          inlineManifests: Object.fromEntries(
            texts.map((contents, index) => [`i-${index}`, { contents }] as const),
          ),
        },
      },
    });
  /** No others have changed what was applied, and the next run has nothing to do. */
  const isSettled = async (texts: readonly string[], more: object = {}) => {
    await objects.refresh();
    expect(await up(texts, more)).toBe("same");
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockImplementation((said) => warned.push(String(said)) > 0);
    cluster = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2"]);
    await machine.up(cluster.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: cluster.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
    expect(await syncTalos()).toBe("created");
    access = await KubernetesAccess.open([reach], signal);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  /** Each in front of what it needs. */
  const first = [
    widget(1),
    configMap("one", { a: "1", b: "2" }),
    secret({ key: "k1", other: "k2" }),
    deployment(["sleep", "9999"]),
    definition,
    namespace,
  ];
  const second = [
    widget(2),
    configMap("one", { a: "3" }),
    secret({ key: "k3" }),
    configMap("two", { a: "b" }),
    deployment(["sleep", "8888"]),
    definition,
    namespace,
  ];

  it("are created in any order of the list, and waited for", async () => {
    expect(await up(first)).toBe("created");
    expect((await find(WIDGET))?.spec).toEqual({ size: 1, colour: "red" });
    expect((await find(place("one")))?.data).toEqual({ a: "1", b: "2" });
    expect((await find(DEPLOYMENT))?.status).toMatchObject({ availableReplicas: 1 });
    expect(Object.keys((await find(INVENTORY))?.data ?? {}).sort()).toEqual([
      "_shop__Namespace",
      "_widgets.example.com_apiextensions.k8s.io_CustomResourceDefinition",
      "shop_keys__Secret",
      "shop_one__ConfigMap",
      "shop_one_example.com_Widget",
      "shop_web_apps_Deployment",
    ]);
    await isSettled(first);
  });

  it("are updated without their removed fields, and rolled out", async () => {
    const uids = await Promise.all([WIDGET, place("one"), DEPLOYMENT].map(uidOf));
    expect(await up(second)).toBe("updated");
    expect((await find(WIDGET))?.spec).toEqual({ size: 2, colour: "red" });
    expect((await find(place("one")))?.data).toEqual({ a: "3" });
    expect((await find(SECRET))?.data).toEqual({ key: encoded("k3") });
    expect((await find(DEPLOYMENT))?.status).toMatchObject({
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: 1,
    });
    expect(await Promise.all([WIDGET, place("one"), DEPLOYMENT].map(uidOf))).toEqual(uids);
    await isSettled(second);
  });

  it("show in a refresh what others have changed, and are repaired", async () => {
    await send("PATCH", `${place("one")}?fieldManager=kubectl-edit`, { data: { a: "theirs" } });
    await send("PATCH", `${WIDGET}?fieldManager=kubectl-patch`, { spec: { size: 7 } });
    // What `kubectl scale` does.
    await send("PATCH", `${DEPLOYMENT}/scale?fieldManager=kubectl`, { spec: { replicas: 2 } });
    await send("PATCH", `${SECRET}?fieldManager=kubectl-patch`, { data: { key: "dGhlaXJz" } });
    await send("DELETE", place("two"));
    await objects.refresh();
    const { objects: listed } = objects.inputs as { objects: Record<string, object> };
    expect(Object.assign({}, ...Object.values(listed))).toMatchObject({
      "ConfigMap shop/one": "changed by kubectl-edit",
      "Widget shop/one": "changed by kubectl-patch",
      "Deployment shop/web": "changed by kubectl",
      "Secret shop/keys": "changed by kubectl-patch",
      "ConfigMap shop/two": "deleted by others",
    });
    warned.length = 0;
    expect(await up(second)).toBe("updated");
    expect(warned.join("\n")).toMatch(
      /ConfigMap shop\/one: sets again what others have set: \.data\.a \(by "kubectl-edit" using v1\)/,
    );
    expect((await find(WIDGET))?.spec).toEqual({ size: 2, colour: "red" });
    expect((await find(place("one")))?.data).toEqual({ a: "3" });
    expect((await find(DEPLOYMENT))?.spec).toMatchObject({ replicas: 1 });
    expect((await find(SECRET))?.data).toEqual({ key: encoded("k3") });
    expect(await find(place("two"))).toBeDefined();
    await isSettled(second);
  });

  it("keep fields of others that the list doesn't set", async () => {
    await send("PATCH", `${place("one")}?fieldManager=others`, { data: { other: "x" } });
    await send("PATCH", `${DEPLOYMENT}?fieldManager=others`, {
      metadata: { annotations: { "example.com/a": "b" } },
    });
    await isSettled(second);
    expect((await find(place("one")))?.data).toEqual({ a: "3", other: "x" });
  });

  it("are refused with the API's reason, by name, and the next update continues", async () => {
    const uid = await uidOf(DEPLOYMENT);
    const refused = up([
      widget(2),
      configMap("one", { a: "4" }),
      secret({ key: "k3" }),
      namespace,
      definition,
      deployment(["sleep", "8888"], "other"),
      configMap("two", { a: "b" }, "nowhere"),
    ]);
    await expect(refused).rejects.toThrow(
      /Deployment shop\/web: .*immutable; delete it with kubectl, and the next run recreates it/s,
    );
    const problem = String(await refused.catch((error: unknown) => error));
    expect(problem).toContain('ConfigMap nowhere/two: there is no namespace "nowhere"');
    expect((await find(place("one")))?.data).toMatchObject({ a: "4" });
    expect(await up(second)).toBe("updated");
    expect(await uidOf(DEPLOYMENT)).toBe(uid);
  });

  it("are refused where others have made them otherwise, and adopted where alike", async () => {
    const post = (name: string) =>
      send(
        "POST",
        "/api/v1/namespaces/shop/configmaps?fieldManager=helm",
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value: "theirs" } },
        "application/json",
      );
    await post("theirs");
    await post("alike");
    const workload = {
      ...(JSON.parse(deployment(["sleep", "7777"])) as object),
      metadata: { name: "adopted" },
    };
    await send(
      "POST",
      "/apis/apps/v1/namespaces/shop/deployments?fieldManager=helm",
      workload,
      "application/json",
    );
    const adopted = text({ ...workload, metadata: { name: "adopted", namespace: "shop" } });
    await expect(up([...second, configMap("theirs", { value: "ours" })])).rejects.toThrow(
      /ConfigMap shop\/theirs: others have created it, and set \.data\.value \(by "helm" using v1\)/,
    );
    const uid = await uidOf(place("alike"));
    const adopting = [...second, configMap("alike", { value: "theirs" }), adopted];
    expect(await up(adopting)).toBe("updated");
    expect(await uidOf(place("alike"))).toBe(uid);
    await isSettled(adopting);
    expect(await up(second)).toBe("updated");
    expect(await find(place("alike"))).toBeUndefined();
    expect((await find(place("theirs")))?.data).toEqual({ value: "theirs" });
  });

  it("are deleted when they leave the list, without namespaces and definitions", async () => {
    warned.length = 0;
    expect(await up([configMap("two", { a: "b" })])).toBe("updated");
    for (const path of [WIDGET, place("one"), DEPLOYMENT]) {
      await isGone(path);
    }
    expect(warned.join("\n")).toMatch(/Namespace shop is no longer in the list, but is kept/);
    for (const path of [NAMESPACE, DEFINITION]) {
      const kept = await find(path);
      expect(kept).toBeDefined();
      expect(kept?.metadata.annotations?.[MARK]).toBeUndefined();
    }
    expect(Object.keys((await find(INVENTORY))?.data ?? {})).toEqual(["shop_two__ConfigMap"]);
  });

  it(`move from Talos ${LAB.talos} and back, without being recreated`, async () => {
    const mine = (value: string) => configMap("mine", { value }, "default");
    const other = configMap("other", { value: "o" }, "default");
    const third = configMap("third", { value: "t" }, "default");
    const path = place("mine", "default");
    await configure(mine("a"), other);
    await syncTalos(mine("a"), other);
    const uid = await uidOf(path);
    expect(uid).toBeDefined();
    await expect(up([mine("a")])).rejects.toThrow(
      "the machines' configuration has it in a manifest too",
    );
    const isNow = async (value: string) => {
      expect(await find(path)).toMatchObject({ metadata: { uid }, data: { value } });
    };
    // As in a TalosCluster: the configuration, then these objects, then Talos' manifests.
    await configure(other);
    await up([mine("c")]);
    await isNow("c");
    expect(Object.keys((await find(TALOS_INVENTORY))?.data ?? {})).not.toContain(
      "default_mine__ConfigMap",
    );
    await syncTalos(other);
    await isNow("c");
    await isSettled([mine("c")]);
    // Part of the way back: the list stays.
    await up([mine("c"), third]);
    await configure(mine("e"), other);
    await up([third]);
    await syncTalos(mine("e"), other);
    await isNow("e");
    // The whole way back: the resource is deleted last.
    await configure(other);
    await up([mine("f"), third]);
    await isNow("f");
    await configure(mine("g"), other);
    await syncTalos(mine("g"), other);
    await objects.destroy();
    await isNow("g");
    await isGone(place("third", "default"));
    const { [MARK]: owner } = (await find(path))?.metadata.annotations ?? {};
    expect(owner).toBe(LAB.talos === "v1.12.1" ? undefined : "talos-bootstrap-manifests-inventory");
    expect(await find(INVENTORY)).toBeUndefined();
  });

  it("are deleted with the resource, with their containers where that is asked", async () => {
    const all = { deleteContainers: true };
    expect(await up(first, all)).toBe("created");
    await objects.destroy();
    // At once: Kubernetes may still be deleting the namespace and the definition.
    expect(await up(first, all)).toBe("created");
    await isSettled(first, all);
    await objects.destroy();
    for (const path of [NAMESPACE, DEFINITION, INVENTORY]) {
      await isGone(path);
    }
  });
});
