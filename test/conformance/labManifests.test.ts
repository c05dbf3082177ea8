import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { deleteNode } from "../../provider/lifecycle/kubernetes/kubernetesNode";
import { eventually } from "../emulator/support/eventually";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";
const worker = "10.7.0.5";
const kubeProxy = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy";
const configMaps = "/api/v1/namespaces/default/configmaps";

/** A manifest with one ConfigMap. */
const settings = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ${data}\n`;

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("Talos' manifests on real Kubernetes", (lab) => {
  let cluster: LabCluster;
  let access: KubernetesAccess;
  const machine = new ServedResource("ConfigurationApply");
  const manifests = new ServedResource("KubernetesManifests");
  const warned: string[] = [];
  const { signal } = new AbortController();

  /** Has the machine render a ConfigMap, or none, with more flags of kube-proxy, and brings it to the cluster. */
  const bring = async (data: string | undefined, flags: object = {}) => {
    const contents = data === undefined ? undefined : settings(data);
    const inlineManifests = contents === undefined ? [] : [{ name: "settings", contents }];
    const patch = { cluster: { proxy: { extraArgs: { v: "1", ...flags } }, inlineManifests } };
    await machine.up(cluster.inputs("controlplane", controlPlane, [patch]));
    const inline = contents === undefined ? {} : { inlineManifests: { settings: { contents } } };
    return manifests.up({
      nodes: [controlPlane],
      credentials: cluster.credentials,
      timeoutSeconds: 600,
      redactedConfiguration: { cluster: { proxy: { extraArgs: flags }, ...inline } },
    });
  };
  /** Waits until the DaemonSet of kube-proxy has this status. */
  const proxyIs = (wanted: object) =>
    eventually(async () => {
      const { status } = await access.read<{ status: object }>(kubeProxy, signal);
      expect(status).toMatchObject(wanted);
    }, 240_000);
  const dataOf = async () => {
    const { items } = await access.read<{
      readonly items: readonly { readonly metadata: { readonly name: string }; data?: object }[];
    }>(configMaps, signal);
    return items.find(({ metadata }) => metadata.name === "settings")?.data;
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
    cluster = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2"]);
    await machine.up(cluster.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: cluster.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
    expect(await bring("{a: '1', b: '2'}")).toBe("created");
    access = await KubernetesAccess.open([reach], signal);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("are created by Talos, and changed without their removed fields", async () => {
    expect(await dataOf()).toEqual({ a: "1", b: "2" });
    expect(await bring("{a: '3'}", { v: "2" })).toBe("updated");
    expect(await dataOf()).toEqual({ a: "3" });
    const proxy = await access.read<{ spec: object; status: object }>(kubeProxy, signal);
    expect(JSON.stringify(proxy.spec)).toContain("--v=2");
    expect(proxy.status).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 1 });
  });

  it("keep other managers' fields", async () => {
    await access.send(
      {
        method: "PATCH",
        path: `${configMaps}/settings?fieldManager=kubectl-edit`,
        body: { data: { a: "mine" } },
        contentType: "application/merge-patch+json",
      },
      signal,
    );
    expect(await bring("{a: '4', c: '5'}", { v: "2" })).toBe("updated");
    expect(await dataOf()).toEqual({ a: "mine", c: "5" });
  });

  it("fail if the API rejects one, and the next update continues", async () => {
    await expect(bring("{a: 5}", { v: "2" })).rejects.toThrow(
      /ConfigMap default\/settings of the manifest "99-settings": the Kubernetes API answers 500: failed to create typed patch object/,
    );
    expect(await bring("{a: '4', c: '6'}", { v: "2" })).toBe("updated");
    expect(await dataOf()).toEqual({ a: "mine", c: "6" });
  });

  it("are removed with their manifests", async () => {
    expect(await bring(undefined, { v: "2" })).toBe("updated");
    expect(await dataOf()).toBeUndefined();
  });

  it("change although the node of a lost machine blocks a DaemonSet", async () => {
    const joined = new ServedResource("ConfigurationApply");
    await lab.up(["w1:5"]);
    expect(await joined.up(cluster.inputs("worker", worker))).toBe("created");
    await proxyIs({ desiredNumberScheduled: 2, numberAvailable: 2 });
    await lab.stop("w1");
    await proxyIs({ desiredNumberScheduled: 2, numberAvailable: 1 });
    expect(await bring(undefined, { v: "3" })).toBe("updated");
    const [, name = ""] =
      /0 of 2 pods are new\. Only nodes that aren't ready block the rollout: (\S+)\./.exec(
        warned.join("\n"),
      ) ?? [];
    expect(name).not.toBe("");
    await proxyIs({ desiredNumberScheduled: 2, numberUnavailable: 1 });
    await deleteNode(access, { name }, signal);
    await proxyIs({ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 });
  });
});
