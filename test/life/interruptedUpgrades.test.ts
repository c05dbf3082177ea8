import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { expectDocumented } from "../documented";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps } from "../engine/support/plannedSteps";
import { all, CONTROL_PLANES, UpgradedCluster, WORKERS } from "../engine/support/upgradedCluster";

// One cluster's life: each step goes on where the one before it ended. `test/life/upgrades.test.ts` has the rest.
describe("other releases of Talos and Kubernetes, by the real engine", () => {
  const step = lifeSteps();
  let cluster: UpgradedCluster;

  beforeAll(async () => {
    cluster = await UpgradedCluster.start({
      talosVersion: "v1.13.9",
      versionContract: "v1.13",
      kubernetesVersion: "v1.35.0",
    });
  });

  afterAll(() => cluster.world.close());

  step("of Talos change no machine in AWS", async () => {
    cluster.want({ talosVersion: "v1.14.1" });
    const steps = await plannedSteps(cluster.world.stack, cluster.world.record);
    expect(steps.filter((each) => each.includes("ConfigurationApply"))).toHaveLength(5);
    expect(steps.filter((each) => /Instance|^(create|replace|delete) /.test(each))).toEqual([]);
  });

  step("stop at a machine whose installer fails; all machines keep running", async () => {
    const fault = await cluster.world.emulator.faults.inject({
      kind: "brokenUpgrade",
      machine: cluster.machine("c-control-plane-2").instanceId,
    });
    const failure: unknown = await cluster.up().catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /the installer of Talos v1\.14\.1 ended with exit code 7: it failed while it wrote the new system/,
    );
    expect(cluster.versions()).toEqual({ ...all("v1.13.9"), "c-control-plane-1": "v1.14.1" });
    expect(cluster.away()).toEqual([]);
    await fault.lift();
  });

  step("go back while a member of etcd has the former one, and forth again", async () => {
    cluster.want({ talosVersion: "v1.13.9" });
    await cluster.up();
    expect(cluster.versions()).toEqual(all("v1.13.9"));
    cluster.want({ talosVersion: "v1.14.1" });
  });

  step(
    "continue after a killed engine, control plane first and one machine at a time",
    async () => {
      const isMoment = () => cluster.machine("c-control-plane-2").stage === "rebooting";
      await killedWhile(cluster.up, isMoment, cluster.world);
      expect(cluster.machine("c-control-plane-3").talosVersion).toBe("v1.13.9");
      const end = cluster.watch(() => [cluster.away()]);
      await cluster.up();
      const order = end();
      expect(cluster.versions()).toEqual(all("v1.14.1"));
      const isAway = (names: readonly string[]) => (away: readonly string[]) =>
        away.some((name) => names.includes(name));
      expect(Math.max(...order.map(({ length }) => length))).toBe(1);
      expect(order.some(isAway(WORKERS))).toBe(true);
      expect(order.findIndex(isAway(WORKERS))).toBeGreaterThan(
        order.findLastIndex(isAway(CONTROL_PLANES)),
      );
      await cluster.expectNoChange();
    },
  );

  step("of Talos are refused in the preview if etcd has no way back", async () => {
    cluster.want({ talosVersion: "v1.13.9" });
    const reason =
      "the data of etcd are of etcd 3.7 since all members have run that, and etcd 3.6, which would follow with Talos v1.13.9, does not start with them. There is no way back: declare a Talos with etcd 3.7, or a newer one";
    expect(await cluster.refusal()).toContain(reason);
    expectDocumented("upgrades.md", reason);
    cluster.want({ talosVersion: "v1.14.1" });
  });

  step("of Kubernetes change nothing if an image doesn't exist, and can be reverted", async () => {
    const before = cluster.configurations();
    cluster.want({ kubernetesVersion: "v1.36.99" });
    const failure: unknown = await cluster.up().catch((error: unknown) => error);
    expect(String(failure)).toContain("kube-apiserver:v1.36.99: not found");
    expect(cluster.configurations()).toEqual(before);
    cluster.want({ kubernetesVersion: "v1.35.0" });
    await cluster.up();
    expect(cluster.configurations()).toEqual(before);
  });

  step("of Kubernetes reach every API server before any kubelet", async () => {
    cluster.want({ kubernetesVersion: "v1.36.0" });
    const end = cluster.watch(() => {
      const texts = cluster.configurations();
      const api = texts.filter((text) => text.includes("kube-apiserver:v1.36.0")).length;
      const kubelets = texts.filter((text) => text.includes("kubelet:v1.36.0")).length;
      const isEarly = kubelets > 0 && api < CONTROL_PLANES.length;
      return isEarly ? [`${kubelets} kubelets beside ${api} API servers`] : [];
    });
    await cluster.upWhileAsked();
    expect(end()).toEqual([]);
    expect(cluster.configurations().every((text) => text.includes("kubelet:v1.36.0"))).toBe(true);
    const changed = "DaemonSet kube-system/kube-proxy: changed";
    expect(cluster.world.transcript()).toContain(changed);
    expectDocumented("upgrades.md", changed);
    const proxy = await daemonSet("kube-proxy");
    expect(JSON.stringify(proxy.spec)).toContain("kube-proxy:v1.36.0");
    expect(proxy.status).toMatchObject({ updatedNumberScheduled: 5, numberAvailable: 5 });
    await cluster.expectNoChange();
  });

  async function daemonSet(name: string) {
    const { kubeconfig } = await cluster.world.stack.outputs();
    const api = new KubernetesApi(String(kubeconfig?.value));
    const { address } = cluster.machine("c-control-plane-1");
    const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/${name}`;
    const answer = await api.get(path, { address, port: 6443, timeoutMs: 5_000 });
    return JSON.parse(answer) as { readonly spec: object; readonly status: object };
  }
});
