import type { TalosClusterArgs } from "../../components";
import { TalosClient } from "../../provider/api/talosClient";
import { eventually } from "../emulator/support/eventually";
import { administrator } from "../engine/support/administrator";
import { FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { all, CONTROL_PLANES, UpgradedCluster, WORKERS } from "../engine/support/upgradedCluster";

/** A setting that no release changes. */
const somaxconn = { machine: { sysctls: { "net.core.somaxconn": "4096" } } };

// One cluster's life: each step goes on where the one before it ended. It begins in `test/life/interruptedUpgrades.test.ts`.
describe("releases of Talos and Kubernetes that go forth and back, by the real engine", () => {
  const step = lifeSteps();
  let cluster: UpgradedCluster;

  beforeAll(async () => {
    cluster = await UpgradedCluster.start({
      talosVersion: "v1.12.1",
      kubernetesVersion: "v1.34.0",
    });
  });

  afterAll(() => cluster.world.close());

  step(
    "are found by a refresh if they were installed by hand, and reverted by the next update",
    async () => {
      const { stack, record } = cluster.world;
      const client = TalosClient.connect({
        endpoint: cluster.machine("c-control-plane-1").address,
        node: cluster.machine("c-apps-1").address,
        credentials: await administrator(stack),
      });
      await client.upgrade({ image: "ghcr.io/siderolabs/installer:v1.13.0" });
      client.close();
      await eventually(() => {
        expect(cluster.machine("c-apps-1")).toMatchObject({
          talosVersion: "v1.13.0",
          stage: "running",
        });
      }, FOLLOW_MS);
      const { changeSummary } = await stack.preview({ ...record, refresh: true });
      // The machine, and the cluster's health, which is looked at again.
      expect(changeSummary.update).toBe(2);
      await cluster.up({ refresh: true });
      expect(cluster.versions()).toEqual(all("v1.12.1"));
    },
  );

  step("of Kubernetes are rejected in the preview if they skip a minor", async () => {
    cluster.want({ talosVersion: "v1.13.0", kubernetesVersion: "v1.36.0" });
    expect(await cluster.refusal()).toContain(
      'go one minor at a time, with an "up" for the newest release of v1.35, then v1.36.0',
    );
    cluster.want({ talosVersion: "v1.12.1", kubernetesVersion: "v1.34.0" });
  });

  step("that a killed run began are taken back by an update without a refresh", async () => {
    const before = cluster.configurations();
    const isChanged = (name: string, word: string) => () =>
      cluster.configurationOf(name).includes(word);
    const changes: readonly (readonly [Partial<TalosClusterArgs>, () => boolean])[] = [
      [{ kubernetesVersion: "v1.35.0" }, isChanged("c-control-plane-1", "kube-apiserver:v1.35.0")],
      [{ patches: [somaxconn] }, isChanged("c-control-plane-2", "somaxconn")],
    ];
    for (const [wanted, isMoment] of changes) {
      cluster.want(wanted);
      await killedWhile(cluster.up, isMoment, cluster.world);
      expect(cluster.configurations()).not.toEqual(before);
      cluster.want({ kubernetesVersion: "v1.34.0", patches: [] });
      await cluster.up();
      expect(cluster.configurations()).toEqual(before);
      const { changeSummary } = await cluster.world.stack.preview(cluster.world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    }
  });

  /** Machines whose Talos doesn't support their Kubernetes. Talos doesn't judge kube-proxy's. */
  const wrongPairs = () =>
    [...CONTROL_PLANES, ...WORKERS].filter((name) => {
      const { talosVersion, stage } = cluster.machine(name);
      const isNew = /(kubelet|apiserver|manager|scheduler):v1\.36\.0/;
      return (
        talosVersion === "v1.12.1" &&
        stage === "running" &&
        isNew.test(cluster.configurationOf(name))
      );
    });

  /** Newer components beside an API server that is back on the older minor. */
  const wrongSkew = () => {
    const text = cluster.configurations().join("\n");
    const newer = text.match(/(kubelet|manager|scheduler):v1\.36\.0/g) ?? [];
    return text.includes("kube-apiserver:v1.35.0") ? newer : [];
  };

  const kubernetesVersions = () => [
    ...new Set(
      cluster
        .configurations()
        .flatMap((text) => text.match(/(?<=kubelet:|kube-\w+(?:-\w+)?:)v[\d.]+/g) ?? []),
    ),
  ];

  step(
    "of both change Talos on the control plane first if Kubernetes needs it, also after a kill",
    async () => {
      cluster.want({ kubernetesVersion: "v1.35.0" });
      await cluster.up();
      cluster.want({ talosVersion: "v1.13.0", kubernetesVersion: "v1.36.0" });
      const end = cluster.watch(wrongPairs);
      const isMoment = () => cluster.machine("c-control-plane-2").stage === "rebooting";
      await killedWhile(cluster.up, isMoment, cluster.world);
      expect(cluster.versions()).toMatchObject({
        "c-control-plane-1": "v1.13.0",
        "c-control-plane-3": "v1.12.1",
      });
      expect(cluster.configurations().join("\n")).not.toContain(":v1.36.0");
      await cluster.upWhileAsked();
      expect(end()).toEqual([]);
      expect(cluster.versions()).toEqual(all("v1.13.0"));
      expect(kubernetesVersions()).toEqual(["v1.36.0"]);
      await cluster.expectNoChange();
    },
  );

  step("of both go back in the opposite order, in one update", async () => {
    cluster.want({ talosVersion: "v1.12.1", kubernetesVersion: "v1.35.0" });
    const end = cluster.watch(wrongPairs);
    const endOfSkew = cluster.watch(wrongSkew);
    await cluster.up();
    expect(end()).toEqual([]);
    expect(endOfSkew()).toEqual([]);
    expect(cluster.versions()).toEqual(all("v1.12.1"));
    expect(kubernetesVersions()).toEqual(["v1.35.0"]);
    await cluster.expectNoChange();
  });
});
