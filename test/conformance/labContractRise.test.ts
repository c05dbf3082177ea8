import { isDeepStrictEqual } from "node:util";
import { TalosClient } from "../../provider/api/talosClient";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patches/patch";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import { readStatus } from "../../provider/lifecycle/delivery/deliverConfiguration";
import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { outlineMachineConfiguration } from "../../provider/render/renderMachineConfiguration";
import { eventually } from "../emulator/support/eventually";
import { describeWithKubernetesLab, type KubernetesLabSettings } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const FIRST = "10.7.0.2";
const machines = [
  { name: "cp1:2", address: FIRST, role: "controlplane" },
  { name: "w1:3", address: "10.7.0.3", role: "worker" },
] as const;

/** What documents have in the place of this flag. Source: talos v1.14.1, k8s/control_plane_final.go. */
const AUTHENTICATION = {
  before: "--anonymous-auth=false",
  after: "--authentication-config=",
} as const;

interface Pod {
  readonly spec: { readonly containers: readonly { readonly command?: readonly string[] }[] };
}

/** A contract that the lab's Talos runs, and rises to documents: only Talos v1.14 has them. */
const describeRise = LAB.talos.startsWith("v1.14.")
  ? describeWithKubernetesLab
  : (title: string) => {
      describe.skip(title, () => {
        it.todo("needs a lab with Talos v1.14");
      });
    };

// One cluster's life: each test goes on where the one before it ended.
describeRise("a version contract that rises, on real Kubernetes", (lab) => {
  const applies = machines.map(() => new ServedResource("ConfigurationApply"));
  const manifests = new ServedResource("KubernetesManifests");
  const { signal } = new AbortController();
  let cluster: LabCluster;
  let settings: KubernetesLabSettings;
  let kubernetesVersion: string;
  let isBootstrapped = false;
  /** What runs with the former contract. */
  let former: Awaited<ReturnType<typeof running>>;

  function configurationOf(role: "controlplane" | "worker", isRisen: boolean): string {
    const contract = isRisen
      ? { versionContract: "v1.14", contractDefaults: "v1.12" }
      : { versionContract: "v1.12" };
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${FIRST}:6443`,
      machineType: role,
      secretsBundle: cluster.secretsBundle,
      talosVersion: LAB.talos,
      ...contract,
      kubernetesVersion,
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    // The lab says the same in either form, and Talos takes fields no more where it has documents.
    const ofLab = isRisen ? settings.documents[role] : [settings.patches[role]];
    return encodeDocuments(applyPatches(documents, [...ofLab]));
  }

  async function apply(isRisen: boolean): Promise<void> {
    const { credentials } = cluster;
    for (const [index, { address, role }] of machines.entries()) {
      await applies[index]?.up({
        machineId: `i-${index}`,
        node: address,
        endpoint: address,
        privateAddress: address,
        credentials,
        timeoutSeconds: 600,
        patches: [],
        mode: "noReboot",
        machineConfiguration: configurationOf(role, isRisen),
        redactedConfiguration: "",
        settledSeconds: 5,
      });
      if (!isRisen && role === "controlplane" && !isBootstrapped) {
        isBootstrapped = true;
        const reached = { node: FIRST, endpoint: FIRST, credentials, timeoutSeconds: 600 };
        await new ServedResource("MachineBootstrap").up({ ...reached, peers: [] });
      }
    }
  }

  /** Applies what Talos renders, with which kube-proxy gets its file. */
  const synchronise = (isRisen: boolean) =>
    manifests.up({
      nodes: [FIRST],
      credentials: cluster.credentials,
      timeoutSeconds: 600,
      redactedConfiguration: outlineMachineConfiguration(
        decodeDocuments(configurationOf("controlplane", isRisen)),
      ),
    });

  async function read<Found>(path: string): Promise<Found> {
    const { credentials } = cluster;
    const target = { node: FIRST, endpoint: FIRST, credentials };
    const access = await KubernetesAccess.open([target], signal);
    return JSON.parse(
      await access.send({ method: "GET", path }, AbortSignal.timeout(10_000)),
    ) as Found;
  }

  const commandOf = async (component: string) => {
    const selector = encodeURIComponent(`k8s-app=${component}`);
    const path = `/api/v1/namespaces/kube-system/pods?labelSelector=${selector}`;
    const { items } = await read<{ items: readonly Pod[] }>(path);
    return (items[0]?.spec.containers[0]?.command ?? []).toSorted();
  };

  /** The flags of what runs, the settings of each kubelet, and each machine's boot. */
  async function running() {
    const kubelets: unknown[] = [];
    const boots: string[] = [];
    for (const { address } of machines) {
      const { credentials } = cluster;
      const client = TalosClient.connect({ endpoint: address, node: address, credentials });
      try {
        const type = "KubeletSpecs.kubernetes.talos.dev";
        const [spec] = await client.listResources({ namespace: "k8s", type });
        kubelets.push(spec?.spec);
        boots.push((await readStatus(client, {})).boot);
      } finally {
        client.close();
      }
    }
    const flags = {
      apiServer: await commandOf("kube-apiserver"),
      controllerManager: await commandOf("kube-controller-manager"),
      scheduler: await commandOf("kube-scheduler"),
    };
    return { flags, kubelets, boots };
  }

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    cluster = await makeLabCluster(lab, FIRST);
    settings = await lab.settings();
    kubernetesVersion = (Object.keys(settings.images).sort().at(-1) ?? "").replace(/^v/, "");
    await lab.up(machines.map(({ name }) => name));
    await apply(false);
    await synchronise(false);
    await eventually(
      async () => expect(await commandOf("kube-apiserver")).not.toEqual([]),
      300_000,
    );
    former = await running();
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("leaves the flags of Kubernetes and the kubelets as they are, without a boot", async () => {
    await apply(true);
    await eventually(async () => {
      const { apiServer } = (await running()).flags;
      expect(apiServer.some((flag) => flag.startsWith(AUTHENTICATION.after))).toBe(true);
    }, 300_000);
    const { flags, kubelets, boots } = await running();
    expect(boots).toEqual(former.boots);
    expect(kubelets.every((spec, index) => isDeepStrictEqual(spec, former.kubelets[index]))).toBe(
      true,
    );
    const { apiServer, ...others } = flags;
    const { apiServer: before, ...same } = former.flags;
    expect(others).toEqual(same);
    expect(apiServer.filter((flag) => !before.includes(flag))).toEqual([
      expect.stringContaining(AUTHENTICATION.after),
    ]);
    expect(before.filter((flag) => !apiServer.includes(flag))).toEqual([AUTHENTICATION.before]);
  });

  it("has kube-proxy read its settings from a file, with all pods ready", async () => {
    await synchronise(true);
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy";
    const { status } = await read<{ status: { readonly numberAvailable?: number } }>(path);
    expect(status.numberAvailable).toBe(machines.length);
  });

  it("goes back to the flags of before, without a boot", async () => {
    await apply(false);
    await synchronise(false);
    await eventually(async () => {
      const { flags, kubelets, boots } = await running();
      expect({ flags, kubelets, boots }).toEqual(former);
    }, 300_000);
  });
});
