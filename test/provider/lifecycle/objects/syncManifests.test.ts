import { clock } from "../../../../provider/base/clock";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { decodeDocuments, encodeDocuments } from "../../../../provider/config/yaml/encode";
import { KubernetesApi } from "../../../../provider/kubernetes/kubernetesApi";
import { withMachine } from "../../../../provider/lifecycle/machine";
import { applyManifest } from "../../../../provider/lifecycle/objects/applyManifest";
import { ClusterObjects } from "../../../../provider/lifecycle/objects/clusterObjects";
import { noteManifests, syncManifests } from "../../../../provider/lifecycle/objects/syncManifests";
import { readManifests } from "../../../../provider/lifecycle/objects/talosManifests";
import { eventually, SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";

// The same steps were tried on Kubernetes v1.35.0 on Talos v1.12.1: objects, warnings and refusals were these.

const INVENTORY = "/api/v1/namespaces/kube-system/configmaps/talos-bootstrap-manifests-inventory";
const PROXY = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy";

let cluster: SimulatedCluster;
let life: Awaited<ReturnType<typeof clusterWithManifests>>;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  life = await clusterWithManifests(cluster);
});

afterAll(() => cluster.stop());

interface Found {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly spec?: unknown;
}

/** A control plane and a worker, their Kubernetes, and how its manifests change. */
async function clusterWithManifests(cluster: SimulatedCluster) {
  const [first, worker] = await cluster.addConfigured(1, 1);
  if (first === undefined || worker === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, 1);
  const machine = await machineAt(cluster, first.address);
  const api = await eventuallyApi(machine);
  const call = { timeoutMs: 5_000, address: first.address, port: 6443 };
  const find = async (path: string): Promise<Found | undefined> => {
    try {
      return JSON.parse(await api.get(path, call)) as Found;
    } catch {
      return undefined;
    }
  };
  const send = (
    method: "PATCH" | "POST" | "PUT",
    path: string,
    body: object,
    contentType?: string,
  ) => api.send({ method, path, body, ...(contentType && { contentType }) }, call);
  const configure = (...patches: readonly object[]) =>
    withMachine(machine, (client) => {
      const schema = talosSchema(cluster.talosVersion);
      const before = decodeDocuments(cluster.config("controlplane"), schema);
      const documents = applyPatches(before, patches, { schema });
      const data = encodeDocuments(documents, schema);
      return client.applyConfiguration({ data, mode: "NO_REBOOT" });
    });
  const sync = async (...named: string[]) => {
    const progress = recordedProgress();
    const deadline = clock.now() + 3_600_000;
    await syncManifests({ controlPlanes: [machine], named, deadline, progress });
    return progress;
  };
  const note = () => {
    const [progress, deadline] = [recordedProgress(), clock.now() + 3_600_000];
    return noteManifests({ controlPlanes: [machine], named: [], deadline, progress });
  };
  return { machine, worker, find, send, configure, sync, note };
}

async function eventuallyApi(machine: Awaited<ReturnType<typeof machineAt>>) {
  const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
  const api = new KubernetesApi(kubeconfig);
  await eventually(async () => {
    const call = { timeoutMs: 5_000, address: machine.node, port: 6443 };
    const { items } = JSON.parse(await api.get("/api/v1/nodes", call)) as { items: object[] };
    return items.length === 2;
  });
  return api;
}

const inline = (name: string, contents: string) => ({
  cluster: { inlineManifests: [{ name, contents }] },
});
const configMap = (name: string, data: string, namespace = "default") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: ${data}\n`;
const path = (name: string) => `/api/v1/namespaces/default/configmaps/${name}`;

// One cluster's life: each test leaves no manifest of its own behind.
describe("syncManifests", () => {
  steppingIt("leaves on objects what talosctl of the same Talos leaves on them", async () => {
    const { find, sync, machine } = life;
    const mark = async () =>
      (await find(PROXY))?.metadata?.annotations?.["config.k8s.io/owning-inventory"];
    await sync();
    // The machines run v1.12.1, whose talosctl compares whole objects.
    expect(await mark()).toBeUndefined();
    // As after a sync by Talos v1.13, or by an older release of this package.
    const [progress, deadline] = [recordedProgress(), clock.now() + 3_600_000];
    const query = { controlPlanes: [machine], named: [], deadline, progress };
    const { objects, talosVersion } = await readManifests(query);
    expect(talosVersion).toBe("v1.12.1");
    const proxy = objects.find(
      ({ object }) => object.metadata.name === "kube-proxy" && object.kind === "DaemonSet",
    );
    if (proxy === undefined) {
      throw new Error("there is no kube-proxy");
    }
    await applyManifest(new ClusterObjects(query), proxy, true);
    expect(await mark()).toBe("talos-bootstrap-manifests-inventory");
    const { lines } = await sync();
    expect(await mark()).toBeUndefined();
    expect(lines.filter((line) => line.includes("changed"))).toEqual([]);
  });

  steppingIt("applies another kube-proxy to every node, once", async () => {
    const { find, configure, sync } = life;
    const image = "registry.k8s.io/kube-proxy:v1.35.1";
    await configure({ cluster: { proxy: { image } } });
    const { lines, warnings } = await sync();
    expect(warnings).toEqual([]);
    expect(lines).toContain("DaemonSet kube-system/kube-proxy: changed");
    const proxy = await find(PROXY);
    expect(JSON.stringify(proxy?.spec)).toContain(image);
    expect(proxy?.status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2 });
    expect(Object.keys((await find(INVENTORY))?.data ?? {})).toEqual(
      expect.arrayContaining([
        "kube-system_kube-proxy_apps_DaemonSet",
        "_system__coredns_rbac.authorization.k8s.io_ClusterRole",
      ]),
    );
    const again = await sync();
    expect(again.lines.filter((line) => /: (changed|created)$/.test(line))).toEqual([]);
  });

  steppingIt("creates, changes and removes objects", async () => {
    const { find, configure, sync } = life;
    const space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: extra}\n";
    const two = configMap("two", "{a: '1'}", "extra");
    await configure(
      inline("settings", [configMap("one", "{a: '1', b: '2'}"), space, two].join("---\n")),
    );
    await sync("settings");
    expect((await find(path("one")))?.data).toEqual({ a: "1", b: "2" });
    await configure(inline("settings", [configMap("one", "{a: '3'}"), space].join("---\n")));
    const changed = await sync("settings");
    expect((await find(path("one")))?.data).toEqual({ a: "3" });
    expect(changed.lines).toContain(
      "deletes ConfigMap extra/two, which is no longer in any manifest",
    );
    expect(await find("/api/v1/namespaces/extra/configmaps/two")).toBeUndefined();
    await configure();
    const { warnings } = await sync();
    expect(await find(path("one"))).toBeUndefined();
    expect(warnings).toEqual([
      "Namespace extra is no longer in any manifest, but is kept: its contents would be deleted too; if it is empty, delete it with kubectl",
    ]);
    expect(JSON.stringify((await find(INVENTORY))?.data)).not.toContain("extra");
  });

  steppingIt(
    "waits for a workload that Talos has created ahead, also after a run that was killed",
    async () => {
      const { machine, send, find, configure, sync } = life;
      const labels = { app: "late" };
      const late = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "late", namespace: "kube-system" },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              nodeSelector: { no: "such-node" },
              containers: [{ name: "late", image: "registry.k8s.io/pause:3.10" }],
            },
          },
        },
      };
      await configure(inline("late", JSON.stringify(late)));
      const collection = "/apis/apps/v1/namespaces/kube-system/deployments";
      // As Talos creates it: by its field manager, before anybody else comes to it.
      await send(
        "PATCH",
        `${collection}/late?fieldManager=talos`,
        late,
        "application/apply-patch+yaml",
      );
      // Talos v1.13 records it at once too, and drops what it doesn't know.
      const { metadata, data } = (await find(INVENTORY)) ?? {};
      await send("PUT", INVENTORY, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...metadata, annotations: {} },
        data: { ...data, "kube-system_late_apps_Deployment": "" },
      });
      const knownWorkloads: readonly string[] = [];
      const wait = () => {
        const [progress, deadline] = [recordedProgress(), clock.now() + 60_000];
        const controlPlanes = [machine];
        return syncManifests({ controlPlanes, named: [], deadline, progress, knownWorkloads });
      };
      const unavailable = "Deployment kube-system/late: 0 of 1 pods are available";
      const mark = async () =>
        (await find(INVENTORY))?.metadata?.annotations?.["pulumi-talos-aws/awaited"];
      // Each ends in the wait, as a killed one does: it leaves what it has recorded before.
      await expect(wait()).rejects.toThrow(unavailable);
      expect(await mark()).toBe("kube-system_late_apps_Deployment");
      await expect(wait()).rejects.toThrow(unavailable);
      await configure();
      await sync();
      expect(await find(`${collection}/late`)).toBeUndefined();
      expect(await mark()).toBeUndefined();
    },
  );

  steppingIt("keeps other managers' fields, with a warning", async () => {
    const { find, send, configure, sync } = life;
    await configure(inline("settings", configMap("one", "{net-conf.json: x, a: '1'}")));
    await eventually(async () => (await find(path("one"))) !== undefined);
    await send(
      "PATCH",
      `${path("one")}?fieldManager=kubectl-edit`,
      { data: { "net-conf.json": "mine", u: "user" } },
      "application/merge-patch+json",
    );
    // Talos v1.14 leaves the namespace out where the manifest does.
    const placeless = configMap("one", "{net-conf.json: y, a: '2'}").replace(
      ", namespace: default",
      "",
    );
    await configure(inline("settings", placeless));
    const { warnings } = await sync("settings");
    expect((await find(path("one")))?.data).toEqual({ "net-conf.json": "mine", a: "2", u: "user" });
    expect(warnings).toEqual([
      'ConfigMap default/one: fields that others have set are kept: .data.net-conf.json (set by "kubectl-edit" using v1). Talos renders other values: `talosctl upgrade-k8s` would overwrite it',
    ]);
    await configure();
    await sync();
  });

  steppingIt("names every object that the API rejects, and then removes nothing", async () => {
    const { find, configure, sync } = life;
    await configure(inline("settings", configMap("one", "{a: '1'}")));
    await sync("settings");
    const foo = "apiVersion: foo.io/v1\nkind: Foo\nmetadata: {name: f}\n";
    const bad = [configMap("lost", "{}", "nope"), foo].join("---\n");
    await configure(inline("settings", bad));
    await expect(sync("settings")).rejects.toThrow(
      'Talos\' manifests can\'t be applied to the cluster. ConfigMap nope/lost of the manifest "99-settings": there is no namespace "nope"; Foo f of the manifest "99-settings": the API server has no kind "Foo" in "foo.io/v1": change the manifest, or install its definition first',
    );
    expect(await find(path("one"))).toBeDefined();
    await configure();
    await sync();
    expect(await find(path("one"))).toBeUndefined();
  });

  steppingIt(
    "records objects from manifests, and removes them once no manifest has them",
    async () => {
      const { find, configure, note, sync } = life;
      await configure(inline("settings", configMap("one", "{a: '1'}")));
      await eventually(async () => (await find(path("one"))) !== undefined);
      await note();
      expect((await find(INVENTORY))?.data).toHaveProperty("default_one__ConfigMap");
      await configure();
      await sync();
      expect(await find(path("one"))).toBeUndefined();
    },
  );

  // The last, as the machine stays away.
  describe("with a lost machine, whose node blocks a rollout", () => {
    beforeAll(async () => {
      const { worker, find, configure } = life;
      await cluster.faults.inject({ kind: "powerLoss", machine: worker.address });
      await eventually(async () => {
        const { items } = (await find("/api/v1/nodes")) as unknown as { items: object[] };
        return JSON.stringify(items).includes('"type":"Ready","status":"Unknown"');
      });
      await configure({ cluster: { proxy: { image: "registry.k8s.io/kube-proxy:v1.35.2" } } });
    });

    steppingIt("names the node at the deadline", async () => {
      const [progress, deadline] = [recordedProgress(), clock.now() + 60_000];
      const controlPlanes = [life.machine];
      const syncing = syncManifests({ controlPlanes, named: [], deadline, progress });
      await expect(syncing).rejects.toThrow(
        /kube-proxy: \d of \d pods are new; not ready: (\S+)\. Where the machine is gone: kubectl delete node \1$/,
      );
      expect(progress.warnings).toEqual([]);
    });

    steppingIt("warns after three minutes, and goes on", async (stepping) => {
      const { warnings } = await life.sync();
      expect(warnings).toEqual([
        expect.stringMatching(
          /^DaemonSet kube-system\/kube-proxy: \d of 2 pods are new\. Only nodes that aren't ready block the rollout: (\S+)\. .* kubectl delete node \1$/,
        ),
      ]);
      expect(stepping.skippedMs).toBeGreaterThan(180_000);
      expect(stepping.skippedMs).toBeLessThan(300_000);
    });
  });
});

// A machine renders these since Talos v1.14.
describe("the manifests of Talos v1.14", () => {
  let newer: SimulatedCluster;

  beforeAll(async () => {
    newer = await SimulatedCluster.create();
    newer.talosVersion = "v1.14.1";
  });

  afterAll(() => newer.stop());

  const proxyFile = (mode: string) => [
    { cluster: { proxy: { $patch: "delete" } } },
    {
      apiVersion: "v1alpha1",
      kind: "KubeProxyConfig",
      image: "registry.k8s.io/kube-proxy:v1.35.0",
      config: { mode },
    },
  ];

  steppingIt("leave none of kube-proxy's former ConfigMaps behind", async () => {
    const { find, configure, sync } = await clusterWithManifests(newer);
    const files = async () =>
      Object.keys((await find(INVENTORY))?.data ?? {}).filter((key) =>
        key.startsWith("kube-system_kube-proxy-config-"),
      );
    const flags = async () => JSON.stringify((await find(PROXY))?.spec);
    await sync();
    expect(await files()).toEqual([]);
    expect(await flags()).toContain("--proxy-mode=nftables");
    const flannel = await find("/api/v1/namespaces/kube-system/configmaps/kube-flannel-cfg");
    expect(flannel?.data?.["net-conf.json"]).toContain('"EnableNFTables": true');
    const names: string[] = [];
    for (const mode of ["nftables", "ipvs"]) {
      await configure(...proxyFile(mode));
      expect((await sync()).warnings).toEqual([]);
      const [key = "", ...others] = await files();
      expect(others).toEqual([]);
      const [, name = ""] =
        /^kube-system_(kube-proxy-config-[0-9a-f]{16})__ConfigMap$/.exec(key) ?? [];
      names.push(name);
      expect(await flags()).toContain(`"configMap":{"name":"${name}"}`);
      expect(await flags()).not.toContain("--proxy-mode");
      const found = await find(`/api/v1/namespaces/kube-system/configmaps/${name}`);
      expect(found?.data?.["config.conf"]).toContain(`mode: ${mode}`);
    }
    const [first, second] = names;
    expect(first).not.toBe(second);
    expect(await find(`/api/v1/namespaces/kube-system/configmaps/${first ?? ""}`)).toBeUndefined();
    await configure();
    await sync();
    expect(await files()).toEqual([]);
    expect(await flags()).toContain("--proxy-mode=nftables");
  });
});
