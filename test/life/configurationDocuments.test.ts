import { join } from "node:path";
import type { SecretsBundle } from "../../provider";
import { lifeSteps } from "../engine/support/lifeSteps";
import { storedResources } from "../engine/support/storedResources";
import { terminateMachine } from "../engine/support/terminateMachine";
import { Thief } from "../engine/support/thief";
import { all, CONTROL_PLANES, UpgradedCluster } from "../engine/support/upgradedCluster";
import { restoreRun } from "./support/restoreRun";
import { snapshotTo } from "./support/snapshotTo";

// One cluster's life: each step goes on where the one before it ended.
describe("three control plane machines whose configuration is in documents, by the real engine", () => {
  const step = lifeSteps();
  let cluster: UpgradedCluster;

  beforeAll(async () => {
    cluster = await UpgradedCluster.start({
      talosVersion: "v1.14.1",
      versionContract: "v1.14",
      kubernetesVersion: "v1.36.3",
    });
  });

  afterAll(() => cluster.world.close());

  step("get another Kubernetes while the endpoint answers", async () => {
    cluster.want({ kubernetesVersion: "v1.37.2" });
    await cluster.upWhileAsked();
    for (const text of cluster.configurations()) {
      expect(text).toContain("kind: KubeletConfig\nimage: ghcr.io/siderolabs/kubelet:v1.37.2\n");
      expect(text).not.toContain("v1.36.3");
    }
    await cluster.expectNoChange();
  });

  step("get another Talos, one machine at a time", async () => {
    cluster.want({ talosVersion: "v1.14.6" });
    const end = cluster.watch(() => [cluster.away()]);
    await cluster.up();
    const away = end();
    expect(Math.max(...away.map(({ length }) => length))).toBe(1);
    expect(cluster.versions()).toEqual(all("v1.14.6"));
    await cluster.expectNoChange();
  });

  step("go back to the former Talos", async () => {
    cluster.want({ talosVersion: "v1.14.1" });
    await cluster.up();
    expect(cluster.versions()).toEqual(all("v1.14.1"));
  });

  step("replace trustd's token, which they take one after another", async () => {
    const { world } = cluster;
    const stored = (await storedResources(world.stack)).find(({ urn }) =>
      urn.endsWith("::c-secrets"),
    );
    const { plaintext } = stored?.outputs?.secretsBundle as { readonly plaintext: string };
    const thief = await Thief.steal(world, JSON.parse(plaintext) as SecretsBundle);
    for (const stage of ["accept", "issue", "drop"] as const) {
      expect(await thief.waysIn()).toContain("trustd");
      cluster.want({ rotation: { trustdToken: { to: 2, stage } } });
      await cluster.up();
    }
    expect(await thief.waysIn()).not.toContain("trustd");
    thief.leave();
    await cluster.expectNoChange();
  });

  step("are restored from a snapshot when all of them are lost", async () => {
    const { world } = cluster;
    const snapshot = join(world.stateDir, "etcd.snapshot");
    await snapshotTo({ world }, snapshot);
    const ids = CONTROL_PLANES.map((name) => cluster.machine(name).instanceId);
    await Promise.all(ids.map((id) => terminateMachine(world, id)));
    const said = await restoreRun(world.stack, snapshot);
    expect(said).toContain(`recreated: ${CONTROL_PLANES.join(", ")}`);
    await cluster.expectNoChange();
  });
});
