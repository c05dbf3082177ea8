import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { takeSnapshot } from "../../cli/backup/takeSnapshot";
import { restoreCluster } from "../../cli/restore/restoreCluster";
import { readSnapshotFacts } from "../../cli/restore/snapshotFacts";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { describeKubernetesLife } from "./kubernetesLife/describeLife";
import { expireServingCertificate } from "./kubernetesLife/expireServingCertificate";
import { FullDisk } from "./kubernetesLife/fullDisk";
import { LifeCluster, type NodeList } from "./kubernetesLife/lifeCluster";
import { addressOf, type LifeWish } from "./kubernetesLife/lifeWish";
import { awaitWorkloads, makeWorkloads } from "./kubernetesLife/workloads";
import { LAB } from "./support/labRelease";

const wish: LifeWish = {
  controlPlanes: ["cp1", "cp2", "cp3"],
  workers: ["w1", "w2"],
  kubernetesVersion: LAB.kubernetes.former,
};

const configMaps = "/api/v1/namespaces/default/configmaps";

// One cluster's life. Each step brings the cluster to where it begins, so that it can be run alone.
describeKubernetesLife("what a cluster loses, and what it outlives", (lab) => {
  let cluster: LifeCluster;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-life-losses-"));
    cluster = await LifeCluster.start(lab, wish);
    await makeWorkloads(cluster);
  });

  afterAll(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = async (name: string) => {
    await cluster.send({ method: "POST", path: configMaps, body: { metadata: { name } } });
  };
  const nodeName = async (machine: string) => {
    const { items } = await cluster.ask<NodeList>("/api/v1/nodes");
    const found = items.find(({ status }) =>
      status.addresses.some(({ address }) => address === addressOf(machine)),
    );
    return found?.metadata.name ?? "";
  };
  const names = async () => {
    const { items } = await cluster.ask<{ items: { metadata: { name: string } }[] }>(configMaps);
    return items.map(({ metadata }) => metadata.name);
  };

  it("renews the administrator's kubeconfig in time, and after its end", async () => {
    const lifetime = { cluster: { adminKubeconfig: { certLifetime: "2m0s" } } };
    cluster.want({ patches: { controlplane: [lifetime] }, kubeconfigRenewalHours: 9_000 });
    await cluster.settle();
    const short = cluster.kubeconfig;
    const accepts = async (kubeconfig: string) => {
      const call = { timeoutMs: 10_000 };
      return new KubernetesApi(kubeconfig).get("/version", call).then(
        () => true,
        () => false,
      );
    };
    cluster.want({ kubeconfigRenewalHours: undefined });
    while (await accepts(short)) {
      await sleep(5_000);
    }
    const run = await cluster.up();
    expect(run).toMatchObject({ succeeded: true });
    expect(run.steps).toContain("update ClusterKubeconfig life-kubeconfig");
    expect(await accepts(cluster.kubeconfig)).toBe(true);
    // The new one is short-lived too, until one is made without the patch.
    cluster.want({ patches: {}, kubeconfigRenewalHours: 1 });
    await cluster.settle();
    cluster.want({ kubeconfigRenewalHours: undefined });
  });

  it("changes a machine whose kubelet's serving certificate has expired, or says what it can't see", async () => {
    // Talos trusts this file (v1.12.1, pkg/kubernetes/kubelet), and a kubelet serves it until it is started again.
    await expireServingCertificate("cp2", await nodeName("cp2"));
    const scheduler = { extraArgs: { v: "1" } };
    cluster.want({
      patches: { controlplane: [{ cluster: { scheduler } }] },
      applyTimeoutSeconds: 120,
    });
    const run = await cluster.up();
    cluster.want({ patches: {}, applyTimeoutSeconds: undefined });
    const back = await cluster.up();
    if (!back.succeeded) {
      await cluster.lab.stop("cp2");
      await cluster.lab.start("cp2");
    }
    await cluster.settle();
    expect(run.succeeded ? "" : run.said).toMatch(/^$|certificate/);
    expect(back).toMatchObject({ succeeded: true });
  });

  it("changes a machine whose disk is full once it has space again, and says what is wrong until then", async () => {
    const disk = await FullDisk.of(cluster, "cp2");
    try {
      disk.fill();
      const scheduler = { extraArgs: { v: "1" } };
      cluster.want({
        patches: { controlplane: [{ cluster: { scheduler } }] },
        applyTimeoutSeconds: 90,
      });
      const full = await cluster.up();
      disk.empty();
      cluster.want({ applyTimeoutSeconds: undefined });
      await cluster.settle();
      expect(full).toMatchObject({ succeeded: false });
      expect(full.said).toMatch(/its disk is full: 0 MiB of .* at \/var are free/);
    } finally {
      await disk.remove();
    }
    cluster.want({ patches: {} });
    await cluster.settle();
  });

  it("restores Kubernetes' objects of a snapshot on new machines, and knows whose snapshot it is", async () => {
    await write("before");
    const path = join(folder, "etcd.snapshot");
    const machines = wish.controlPlanes.map((name) => ({
      name,
      role: "controlplane" as const,
      zone: "",
      instanceId: "",
      publicAddress: addressOf(name),
      privateAddress: addressOf(name),
    }));
    const endpoints = wish.controlPlanes.map(addressOf);
    const { credentials, kubeconfig } = cluster;
    await takeSnapshot({ machines, endpoints, credentials, kubeconfig }, path, () => undefined);
    expect(await readSnapshotFacts({ path }, kubeconfig)).toMatchObject({ cluster: "this" });
    await write("after");
    for (const name of wish.controlPlanes) {
      await cluster.replaceMachine(name);
    }
    const said: string[] = [];
    const keep = (text: string) => void said.push(text);
    const done = await restoreCluster(
      cluster.stack.stack,
      { snapshot: { path }, discardRunningEtcd: false, acceptOtherCluster: false },
      { note: keep, say: keep, write: keep, color: false, confirm: () => Promise.resolve(true) },
      new AbortController().signal,
    ).catch((error: unknown) => {
      throw new Error(said.join("\n"), { cause: error });
    });
    expect(done).toBe(true);
    await cluster.settle();
    await awaitWorkloads(cluster);
    const found = await names();
    expect(found).toContain("before");
    expect(found).not.toContain("after");
    expect((await cluster.stack.preview()).steps).toEqual([]);
  });

  it("has one control plane of three at last, drained, with the data of all", async () => {
    await write("scaled");
    cluster.want({ controlPlanes: ["cp1"] });
    const run = await cluster.up();
    expect(run).toMatchObject({ succeeded: true });
    const { items } = await cluster.ask<NodeList>("/api/v1/nodes");
    expect(items).toHaveLength(3);
    const members = await cluster.onMachine("cp1", (client) => client.etcdMembers());
    expect(members).toHaveLength(1);
    expect(await names()).toContain("scaled");
    await cluster.awaitWell();
    await awaitWorkloads(cluster);
    expect((await cluster.stack.preview()).steps).toEqual([]);
    expect(run.steps.filter((each) => each.startsWith("delete EtcdMember"))).toEqual([
      "delete EtcdMember cp3",
      "delete EtcdMember cp2",
    ]);
  });
});
