import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeKubernetesLife } from "./kubernetesLife/describeLife";
import { LifeCluster, type PodList } from "./kubernetesLife/lifeCluster";
import { addressOf, type LifeWish } from "./kubernetesLife/lifeWish";
import { type ReleaseStep, ReleaseWatcher } from "./kubernetesLife/releaseWatcher";
import { systemPicture } from "./kubernetesLife/systemPicture";
import { awaitWorkloads, makeWorkloads } from "./kubernetesLife/workloads";
import { LAB } from "./support/labRelease";
import { runCommand } from "./support/runCommand";

const { former: OLD, next: NEW } = LAB.kubernetes;

const wish: LifeWish = {
  controlPlanes: ["cp1", "cp2", "cp3"],
  workers: ["w1", "w2"],
  kubernetesVersion: OLD,
};

/** The order of Kubernetes' version skew policy, and of `talosctl upgrade-k8s`. */
const ORDER = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet"];

// One cluster's life: each test goes on where the one before it ended, or with a cluster of its own.
describeKubernetesLife("an upgrade of Kubernetes on three control planes", (lab) => {
  let cluster: LifeCluster;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-life-upgrade-"));
    cluster = await LifeCluster.start(lab, wish);
    await makeWorkloads(cluster);
  });

  afterAll(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const expectInOrder = (steps: readonly ReleaseStep[], release: string) => {
    const { controlPlanes, workers } = wish;
    const ofControlPlane = steps.filter(({ component }) => ORDER.includes(component));
    const order = ofControlPlane.map(({ component }) => ORDER.indexOf(component));
    expect(order).toEqual([...order].sort());
    const count = (component: string) =>
      steps.filter((step) => step.component === component).length;
    const all = controlPlanes.length + workers.length;
    expect([...ORDER, "kube-proxy"].map(count)).toEqual([3, 3, 3, all, all]);
    expect(new Set(steps.map((step) => step.release))).toEqual(new Set([release]));
  };

  it("goes machine by machine, API servers first and kubelets last, and never takes two API servers", async () => {
    cluster.want({ kubernetesVersion: NEW });
    const watcher = await ReleaseWatcher.start(cluster);
    const run = await cluster.up();
    const steps = await watcher.stop();
    console.info(steps.map(({ component, node }) => `${component} ${node}`).join("\n"));
    expect(run).toMatchObject({ succeeded: true });
    await cluster.awaitWell();
    await awaitWorkloads(cluster);
    expectInOrder(steps, NEW);
    expect(run.heard.mostAway).toBeLessThan(2);
    expect((await cluster.stack.preview()).steps).toEqual([]);
  });

  it("leaves what talosctl upgrade-k8s leaves: images, flags and manifests", async () => {
    const before = await systemPicture(cluster);
    const { talosconfig } = await cluster.stack.outputs<{ talosconfig: string }>();
    const file = join(folder, "talosconfig");
    writeFileSync(file, talosconfig, { mode: 0o600 });
    const version = NEW.replace("v", "");
    const upgrade = (...more: string[]) =>
      runCommand(
        cluster.settings.talosctl,
        [
          "--talosconfig",
          file,
          "-e",
          addressOf("cp1"),
          "-n",
          addressOf("cp1"),
          "upgrade-k8s",
          "--from",
          version,
          "--to",
          version,
          ...more,
        ],
        { cwd: folder, environment: {}, timeoutMs: 900_000 },
      );
    const tried = await upgrade("--dry-run");
    console.info(tried.output);
    expect(tried.code).toBe(0);
    const done = await upgrade();
    expect(done).toMatchObject({ code: 0 });
    await cluster.awaitWell();
    expect(await systemPicture(cluster)).toEqual(before);
    expect((await cluster.stack.preview()).steps).toEqual([]);
  });

  it("rolls CoreDNS out pod by pod, while names are found", async () => {
    const image = await pinnedCoreDns(cluster);
    cluster.want({ patches: { controlplane: [{ cluster: { coreDNS: { image } } }] } });
    const file = join(folder, "kubeconfig");
    writeFileSync(file, cluster.kubeconfig, { mode: 0o600 });
    const lookUp = () =>
      runCommand(
        cluster.settings.kubectl,
        [
          "--kubeconfig",
          file,
          "exec",
          "deploy/life",
          "--",
          "nslookup",
          "kubernetes.default.svc.cluster.local",
        ],
        { cwd: folder, environment: {} },
      );
    expect(await lookUp()).toMatchObject({ code: 0 });
    const missed: string[] = [];
    const ended = new AbortController();
    const looking = (async () => {
      while (!ended.signal.aborted) {
        const { code, output } = await lookUp();
        missed.push(...(code === 0 ? [] : [output]));
      }
    })();
    const run = await cluster.up();
    ended.abort();
    await looking;
    expect(run).toMatchObject({ succeeded: true });
    const { spec, status } = await cluster.ask<{
      spec: { template: { spec: { containers: { image: string }[] } } };
      status: object;
    }>("/apis/apps/v1/namespaces/kube-system/deployments/coredns");
    expect(spec.template.spec.containers[0]?.image).toBe(image);
    expect(status).toMatchObject({ updatedReplicas: 2, availableReplicas: 2, replicas: 2 });
    expect(missed).toEqual([]);
    cluster.want({ patches: {} });
    await cluster.settle();
  });

  it("goes back to the release before with its kubelets first, or says that it can't", async () => {
    cluster.want({ kubernetesVersion: OLD });
    const watcher = await ReleaseWatcher.start(cluster);
    const run = await cluster.up();
    const steps = await watcher.stop();
    console.info(steps.map(({ component, node }) => `${component} ${node}`).join("\n"));
    if (!run.succeeded) {
      expect(steps).toEqual([]);
      expect(run.said).toContain(OLD);
      return;
    }
    await cluster.awaitWell();
    const order = steps
      .map(({ component }) => ORDER.indexOf(component))
      .filter((each) => each >= 0);
    const firstServer = order.indexOf(0);
    expect(order.slice(firstServer)).not.toContain(ORDER.indexOf("kubelet"));
  });

  it("is killed twice, and an ordinary up completes it", async () => {
    if (cluster.wish.kubernetesVersion !== OLD || (await serving(cluster)) !== OLD) {
      await cluster.close();
      cluster = await LifeCluster.start(lab, wish);
      await makeWorkloads(cluster);
    }
    cluster.want({ kubernetesVersion: NEW });
    const watcher = await ReleaseWatcher.start(cluster);
    const seen = (component: string, count: number) => () =>
      watcher.steps.filter((step) => step.component === component).length >= count;
    await cluster.stack.killedUp(seen("kube-apiserver", 2));
    await cluster.stack.killedUp(seen("kubelet", 1));
    const run = await cluster.up();
    const steps = await watcher.stop();
    expect(run).toMatchObject({ succeeded: true });
    await cluster.awaitWell();
    await awaitWorkloads(cluster);
    expectInOrder(steps, NEW);
    expect(run.heard.mostAway).toBeLessThan(2);
    expect((await cluster.stack.preview()).steps).toEqual([]);
  });
});

/** The image of CoreDNS under another name: by its digest too, which is a change of its Deployment. */
async function pinnedCoreDns(cluster: LifeCluster): Promise<string> {
  const { items } = await cluster.ask<PodList>(
    "/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app%3Dkube-dns",
  );
  const [container] = items[0]?.status.containerStatuses ?? [];
  const digest = container?.imageID.split("@").at(-1) ?? "";
  expect(digest).toMatch(/^sha256:/);
  return `${container?.image ?? ""}@${digest}`;
}

async function serving(cluster: LifeCluster): Promise<string> {
  return (await cluster.ask<{ gitVersion: string }>("/version")).gitVersion;
}
