import { kubernetesObjectsHandler } from "../../../provider/resources/kubernetesObjects";
import { steppingIt } from "../steppingClock";
import {
  clusterOf,
  configMap,
  definition,
  INVENTORY,
  type Life,
  MARK,
  namespace,
  place,
  TALOS_INVENTORY,
  WIDGET,
  widget,
} from "./objectsCluster";

const statefulSet = (image: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      tolerations: [{operator: Exists}]
      containers: [{name: db, image: "${image}"}]
`;

describe("KubernetesObjects in a cluster", () => {
  let life: Life;
  beforeAll(async () => {
    life = await clusterOf("v1.12.1");
  });
  afterAll(() => life.cluster.stop());

  steppingIt("applies namespaces and definitions before what is in them", async () => {
    const { up, find } = life;
    expect(await up(widget, configMap("one", "a", "shop"), definition, namespace)).toBe("created");
    expect(await find(WIDGET)).toBeDefined();
    expect((await find(place("one", "shop")))?.data).toEqual({ value: "a" });
    const { [MARK]: owner } = (await find(WIDGET))?.metadata.annotations ?? {};
    expect(owner).toBe("pulumi-talos-aws-objects-it");
    expect(Object.keys((await find(INVENTORY))?.data ?? {})).toContain(
      "shop_one_example.com_Widget",
    );
    expect(await up(widget, configMap("one", "a", "shop"), definition, namespace)).toBe("same");
  });

  steppingIt("waits until a StatefulSet is rolled out, pod by pod", async () => {
    const { up, find } = life;
    const list = [widget, configMap("one", "a", "shop"), definition, namespace];
    const path = "/apis/apps/v1/namespaces/shop/statefulsets/db";
    for (const image of ["registry.example/db:1", "registry.example/db:2"]) {
      expect(await up(...list, statefulSet(image))).toBe("updated");
      const { status } = (await find(path)) ?? {};
      expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
      const pods = await Promise.all(
        ["db-0", "db-1"].map((name) => find(`/api/v1/namespaces/shop/pods/${name}`)),
      );
      expect(JSON.stringify(pods).split(`"image":"${image}"`).length).toBeGreaterThan(2);
    }
    expect(await up(...list)).toBe("updated");
    expect(await find(path)).toBeUndefined();
  });

  steppingIt("applies all again where a killed run was taken back", async () => {
    const { up, upWith, find, resource, isUnfinished } = life;
    const list = [widget, configMap("one", "a", "shop"), definition, namespace];
    expect(await isUnfinished()).toBe(false);
    const [changed, refused] = [configMap("one", "b", "shop"), configMap("two", "b", "nowhere")];
    await resource.lose(() =>
      expect(up(widget, changed, definition, namespace, refused)).rejects.toThrow(/nowhere/),
    );
    expect((await find(place("one", "shop")))?.data).toEqual({ value: "b" });
    expect(await isUnfinished()).toBe(true);

    expect(await up(...list)).toBe("same");
    expect(await upWith({ unfinished: true }, ...list)).toBe("updated");
    expect((await find(place("one", "shop")))?.data).toEqual({ value: "a" });
    expect(await isUnfinished()).toBe(false);
    expect(await up(...list)).toBe("same");
  });

  steppingIt("repairs after a refresh what others have changed or deleted", async () => {
    const { up, find, send, resource } = life;
    await up(namespace, configMap("one", "a", "shop"), configMap("two", "b"));
    const { uid } = (await find(place("one", "shop")))?.metadata ?? {};
    await resource.refresh();
    expect(await up(namespace, configMap("one", "a", "shop"), configMap("two", "b"))).toBe("same");
    await send("PATCH", `${place("one", "shop")}?fieldManager=kubectl-edit`, {
      data: { value: "theirs" },
    });
    await send("DELETE", place("two"));
    await resource.refresh();
    expect(resource.inputs.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(resource.inputs.objects).toMatchObject({
      "m-1": { "ConfigMap shop/one": "changed by kubectl-edit" },
      "m-2": { "ConfigMap default/two": "deleted by others" },
    });
    expect(await up(namespace, configMap("one", "a", "shop"), configMap("two", "b"))).toBe(
      "updated",
    );
    expect(await find(place("one", "shop"))).toMatchObject({
      metadata: { uid },
      data: { value: "a" },
    });
    expect((await find(place("two")))?.data).toEqual({ value: "b" });
  });

  steppingIt("takes an additional field of others for no change", async () => {
    const { up, send, resource } = life;
    await up(configMap("one", "a"));
    await send("PATCH", `${place("one")}?fieldManager=others`, { data: { other: "x" } });
    await resource.refresh();
    expect(await up(configMap("one", "a"))).toBe("same");
  });

  steppingIt("deletes what left the list, and keeps namespaces and definitions", async () => {
    const { up, find } = life;
    await up(namespace, definition, widget, configMap("one", "a", "shop"));
    await up(configMap("two", "b"));
    expect(await find(WIDGET)).toBeUndefined();
    expect(await find(place("one", "shop"))).toBeUndefined();
    const kept = await find("/api/v1/namespaces/shop");
    expect(kept).toBeDefined();
    expect(kept?.metadata.annotations?.[MARK]).toBeUndefined();
    expect(Object.keys((await find(INVENTORY))?.data ?? {})).toEqual(["default_two__ConfigMap"]);
  });

  steppingIt("refuses an object that others have made otherwise, and names the field", async () => {
    const { up, find, send } = life;
    const theirs = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "theirs" } };
    await send(
      "POST",
      "/api/v1/namespaces/default/configmaps?fieldManager=helm",
      { ...theirs, data: { value: "theirs" } },
      "application/json",
    );
    await expect(up(configMap("theirs", "ours"))).rejects.toThrow(
      /ConfigMap default\/theirs: others have created it, and set .data.value \(by "helm" using v1\)/,
    );
    expect((await find(place("theirs")))?.data).toEqual({ value: "theirs" });
    await up(configMap("two", "b"));
    // What was never its own is not deleted either.
    expect((await find(place("theirs")))?.data).toEqual({ value: "theirs" });
  });

  steppingIt("adopts what others have made alike, also where the API adds defaults", async () => {
    const { up, find, send } = life;
    const spec = {
      replicas: 0,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [
            {
              name: "web",
              image: "example.com/web:v1",
              env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
            },
          ],
        },
      },
    };
    const workload = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
    const workloads = "/apis/apps/v1/namespaces/default/deployments";
    await send("POST", `${workloads}?fieldManager=helm`, workload, "application/json");
    const { uid } = (await find(`${workloads}/web`))?.metadata ?? {};
    await up(configMap("two", "b"), JSON.stringify(workload));
    const { metadata } = (await find(`${workloads}/web`)) ?? {};
    expect(metadata?.uid).toBe(uid);
    expect(metadata?.annotations?.[MARK]).toBe("pulumi-talos-aws-objects-it");
    const other = { ...workload, spec: { ...spec, replicas: 1 } };
    await up(configMap("two", "b"));
    await send("POST", `${workloads}?fieldManager=helm`, workload, "application/json");
    await expect(up(configMap("two", "b"), JSON.stringify(other))).rejects.toThrow(
      /Deployment default\/web: others have created it, and set .*\.spec\.replicas \(by "helm"/,
    );
    await send("DELETE", `${workloads}/web`);
    await up(configMap("two", "b"));
  });

  steppingIt("owns the values of a Secret that a manifest gives as texts", async () => {
    const { up, find, send, resource } = life;
    const keys = (stringData: object) =>
      JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "keys" }, stringData });
    const path = "/api/v1/namespaces/default/secrets/keys";
    await up(configMap("two", "b"), keys({ one: "1", two: "2" }));
    await up(configMap("two", "b"), keys({ one: "1" }));
    expect((await find(path))?.data).toEqual({ one: "MQ==" });
    await send("PATCH", `${path}?fieldManager=kubectl-edit`, { data: { one: "Mg==" } });
    await resource.refresh();
    expect(resource.inputs.objects).toMatchObject({
      "m-1": { "Secret keys": "changed by kubectl-edit" },
    });
    await up(configMap("two", "b"), keys({ one: "1" }));
    expect((await find(path))?.data).toEqual({ one: "MQ==" });
    await up(configMap("two", "b"));
  });

  steppingIt("waits for a namespace that is being deleted, and creates it anew", async () => {
    const { cluster, up, find, send, resource } = life;
    const texts = [configMap("two", "b"), configMap("one", "a", "shop"), namespace];
    await up(...texts);
    const store = await cluster.kubernetes();
    const { pace } = store;
    store.pace = { ...pace, stopMs: 3_000 };
    const { uid } = (await find("/api/v1/namespaces/shop"))?.metadata ?? {};
    await send("DELETE", "/api/v1/namespaces/shop");
    await resource.refresh();
    expect(resource.inputs.objects).toMatchObject({
      "m-1": { "ConfigMap shop/one": "deleted by others" },
      "m-2": { "Namespace shop": "deleted by others" },
    });
    expect(await find("/api/v1/namespaces/shop")).toMatchObject({
      status: { phase: "Terminating" },
    });
    await up(...texts);
    store.pace = pace;
    const { uid: now } = (await find("/api/v1/namespaces/shop"))?.metadata ?? {};
    expect(now).not.toBe(uid);
    expect((await find(place("one", "shop")))?.data).toEqual({ value: "a" });
    await up(configMap("two", "b"));
  });

  steppingIt("refuses a kind that nothing defines, and applies the others", async () => {
    const { up, find } = life;
    const unknown = "apiVersion: nobody.example.com/v1\nkind: Gadget\nmetadata: {name: one}\n";
    await expect(up(unknown, configMap("three", "c"))).rejects.toThrow(
      'Gadget one: the API server has no kind "Gadget" in "nobody.example.com/v1"',
    );
    expect(await find(place("three"))).toBeDefined();
    await up(configMap("two", "b"));
    expect(await find(place("three"))).toBeUndefined();
  });

  steppingIt("waits for a namespace that others make", async () => {
    const { up, find, send } = life;
    const late = { apiVersion: "v1", kind: "Namespace", metadata: { name: "late" } };
    const path = "/api/v1/namespaces";
    const applied = up(configMap("one", "a", "late"), configMap("two", "b"));
    await vi.waitFor(async () => expect(await find(place("two"))).toBeDefined(), 5_000);
    expect(await find(place("one", "late"))).toBeUndefined();
    await send("POST", path, late, "application/json");
    await applied;
    expect((await find(place("one", "late")))?.data).toEqual({ value: "a" });
    await expect(up(configMap("one", "a", "never"), configMap("two", "b"))).rejects.toThrow(
      'ConfigMap never/one: there is no namespace "never": correct it',
    );
    await up(configMap("two", "b"));
  });

  steppingIt("doesn't wait for a controller where an object says so", async () => {
    const { up, find, send } = life;
    const held = (annotation: string) =>
      configMap("held", "a").replace("namespace:", `annotations: {${annotation}}, namespace:`);
    const finalizers = { metadata: { finalizers: ["example.com/cleanup"] } };
    await up(held('pulumi-talos-aws/drop-finalizers: "true"'));
    await send("PATCH", place("held"), finalizers);
    await up(configMap("two", "b"));
    expect(await find(place("held"))).toBeUndefined();
    // Finalizers that somebody needs are left to their controller.
    await up(held('example.com/any: "true"'), configMap("two", "b"));
    await send("PATCH", place("held"), finalizers);
    await up(configMap("two", "b"));
    expect((await find(place("held")))?.metadata).toHaveProperty("deletionTimestamp");
    await send("PATCH", place("held"), { metadata: { finalizers: null } });
    expect(await find(place("held"))).toBeUndefined();
  });

  steppingIt(
    "waits for what a controller of the list has to end, then deletes the others",
    async () => {
      const { upWith, find, send, resource } = life;
      const waits = (...texts: readonly string[]) =>
        upWith({ awaitDeletions: true, timeoutSeconds: 60 }, ...texts);
      const list = [namespace, definition, configMap("controller", "a", "shop")];
      const finalizers = { metadata: { finalizers: ["example.com/cleanup"] } };
      await waits(...list, widget);
      await send("PATCH", WIDGET, finalizers);
      // As where its controller can't end it, and nothing after it is deleted.
      await expect(waits(namespace, definition)).rejects.toThrow(
        /the end of Widget shop\/one[^]*Widget shop\/one is still there, and waits for example.com\/cleanup/,
      );
      expect(await find(place("controller", "shop"))).toBeDefined();
      // The next run goes on where the failed one was, while the controller does its work.
      const end = () => send("PATCH", WIDGET, { metadata: { finalizers: null } });
      expect(await Promise.all([waits(...list), end()])).toHaveLength(2);
      expect(await find(WIDGET)).toBeUndefined();
      expect(await find(place("controller", "shop"))).toBeDefined();
      await waits(...list, widget);
      await send("PATCH", WIDGET, finalizers);
      await Promise.all([resource.destroy(), end()]);
      expect(await find(WIDGET)).toBeUndefined();
      expect(await find(place("controller", "shop"))).toBeUndefined();
    },
  );

  steppingIt("deletes its objects with the resource, and its inventory", async () => {
    const { up, find, resource } = life;
    await up(configMap("two", "b"));
    await resource.destroy();
    expect(await find(place("two"))).toBeUndefined();
    expect(await find(INVENTORY)).toBeUndefined();
  });
});

describe.each(["v1.12.1", "v1.14.1"])("objects that move from Talos %s and back", (version) => {
  steppingIt("are not recreated", async () => {
    const life = await clusterOf(version);
    const { cluster, up, find, configure, syncTalos, resource } = life;
    try {
      await configure(configMap("one", "a"), configMap("two", "b"));
      await syncTalos();
      const uidOf = async () => (await find(place("one")))?.metadata.uid;
      const uid = await uidOf();
      expect(uid).toBeDefined();
      // Two owners at a time are refused.
      await expect(up(configMap("one", "a"))).rejects.toThrow(
        "the machines' configuration has it in a manifest too",
      );
      await configure(configMap("two", "b"));
      await up(configMap("one", "c"));
      expect(Object.keys((await find(TALOS_INVENTORY))?.data ?? {})).not.toContain(
        "default_one__ConfigMap",
      );
      await syncTalos();
      expect(await find(place("one"))).toMatchObject({ metadata: { uid }, data: { value: "c" } });
      // Part of the way back: the list stays.
      await up(configMap("one", "c"), configMap("three", "d"));
      await configure(configMap("one", "e"), configMap("two", "b"));
      await up(configMap("three", "d"));
      expect(await uidOf()).toBe(uid);
      await syncTalos();
      expect(await find(place("one"))).toMatchObject({ metadata: { uid }, data: { value: "e" } });
      // The whole way back: Talos' manifests come first, and the resource is deleted last.
      await configure(configMap("two", "b"));
      await up(configMap("one", "f"), configMap("three", "d"));
      await configure(configMap("one", "g"), configMap("two", "b"));
      await syncTalos();
      await resource.destroy();
      expect(await find(place("one"))).toMatchObject({ metadata: { uid }, data: { value: "g" } });
      expect(await find(place("three"))).toBeUndefined();
      const { [MARK]: owner } = (await find(place("one")))?.metadata.annotations ?? {};
      expect(owner).toBe(version === "v1.12.1" ? undefined : "talos-bootstrap-manifests-inventory");
    } finally {
      await cluster.stop();
    }
  });
});

describe("the list of KubernetesObjects", () => {
  const news = (manifests: readonly object[]) =>
    ({
      nodes: ["10.0.0.1"],
      credentials: { ca: "", crt: "", key: "" },
      timeoutSeconds: 60,
      inventory: "it",
      deleteContainers: false,
      awaitRollouts: true,
      salt: "",
      manifests,
      kubernetesVersion: "v1.35.0",
    }) as Parameters<typeof kubernetesObjectsHandler.check>[1];

  it("is refused with all problems at once, and without values", async () => {
    const { failures } = await kubernetesObjectsHandler.check(undefined, {
      ...news([
        { name: "a", contents: `${configMap("one", "secret-1")}---\nkind: Secret\n---\n[1]` },
        { name: "b", contents: configMap("one", "b") },
        { name: "b", contents: "" },
        { name: "c", contents: "data: {a: [secret-2" },
        {
          name: "d",
          contents:
            "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: x, uid: y}\n",
        },
      ]),
      inventory: "It",
    });
    const reasons = failures.map(({ property, reason }) => `${property}: ${reason}`);
    expect(reasons).toEqual([
      expect.stringContaining('inventory: "It" is no name'),
      'manifests[0]: the manifest "a": document 2: apiVersion is missing, or no text',
      'manifests[0]: the manifest "a": document 2: metadata.name is missing, or no text',
      'manifests[0]: the manifest "a": document 3: it is no object: give apiVersion, kind and metadata',
      'manifests[1]: ConfigMap default/one is in the manifests "a" and "b": leave one out',
      'manifests[2]: there are two manifests "b": give each a unique name',
      expect.stringMatching(/^manifests\[3\]: the manifest "c": document 1 is no YAML/),
      'manifests[4]: the manifest "d": PodSecurityPolicy x: metadata.uid is set by the API server: remove it',
      'manifests[4]: the manifest "d": PodSecurityPolicy x: Kubernetes v1.35.0 has no "policy/v1beta1" of it, which 1.25 removed: write it for a version that is served',
    ]);
    expect(JSON.stringify(reasons)).not.toMatch(/secret-\d/);
  });

  it("is recorded by names and keyed digests, which no value can be guessed by", async () => {
    const manifests = [{ name: "a", contents: configMap("one", "hunter2") }];
    const { inputs } = await kubernetesObjectsHandler.check(undefined, news(manifests));
    const { inputs: again } = await kubernetesObjectsHandler.check(inputs, news(manifests));
    const { inputs: elsewhere } = await kubernetesObjectsHandler.check(undefined, news(manifests));
    expect(inputs.objects).toEqual({
      a: { "ConfigMap default/one": expect.stringMatching(/^hmac:[0-9a-f]{12}$/) as string },
    });
    expect(again.objects).toEqual(inputs.objects);
    expect(elsewhere.objects).not.toEqual(inputs.objects);
  });

  it("names in a preview what is deleted, and what is kept", async () => {
    const before = news([{ name: "a", contents: `${namespace}---\n${configMap("one", "a")}` }]);
    const { inputs } = await kubernetesObjectsHandler.check(undefined, before);
    const { warnings } = await kubernetesObjectsHandler.check(inputs, news([]));
    expect(warnings).toEqual([
      "deletes ConfigMap default/one, which left the list",
      "keeps Namespace shop, which left the list, with all that is in them",
    ]);
  });

  it("reads YAML as kubectl does", async () => {
    const contents = (mode: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {mode: ${mode}}\n`;
    const digest = async (mode: string, salt = "s") => {
      const olds = { salt };
      const given = news([{ name: "a", contents: contents(mode) }]);
      return (await kubernetesObjectsHandler.check(olds, given)).inputs.objects;
    };
    expect(await digest("0644")).toEqual(await digest("420"));
    expect(await digest("yes")).toEqual(await digest("true"));
    expect(await digest("1:30")).toEqual(await digest('"1:30"'));
    expect(await digest("2026-11-27")).toEqual(await digest('"2026-11-27"'));
  });
});
