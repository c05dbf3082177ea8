import { join } from "node:path";
import { issueClientCredentials } from "../../provider/pki/clientCredentials";
import { renderTalosconfig } from "../../provider/pki/renderTalosconfig";
import { machineBootstrapHandler } from "../../provider/resources/machineBootstrap";
import { SimulatedCluster } from "../emulator/talos/simulatedCluster";
import { silent } from "../provider/progress";
import { describeWithTalosctl } from "./support/talosctl";

jest.setTimeout(120_000);

describeWithTalosctl("a snapshot that the real talosctl took", (talosctl) => {
  const clusters: SimulatedCluster[] = [];
  afterAll(async () => {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  });

  async function controlPlane() {
    const cluster = await SimulatedCluster.create({ joinMs: 50 });
    clusters.push(cluster);
    const { address } = await cluster.add(cluster.config("controlplane"));
    const credentials = await issueClientCredentials(cluster.secrets.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const inputs = { node: address, endpoint: address, credentials, peers: [], timeoutSeconds: 30 };
    const names = { clusterName: "sim", endpoints: [address], nodes: [address], credentials };
    const file = talosctl.write(`${address}.talosconfig`, renderTalosconfig(names));
    const talos = async (...args: string[]) => {
      const { code, output } = await talosctl.start(args, { environment: { TALOSCONFIG: file } });
      expect({ args, code, output }).toMatchObject({ code: 0 });
      return output;
    };
    return { inputs, talos };
  }

  test("is what MachineBootstrap recovers another cluster from", async () => {
    const lost = await controlPlane();
    await machineBootstrapHandler.create(lost.inputs, silent);
    expect(await lost.talos("etcd", "snapshot", "db.snapshot")).toContain("etcd snapshot saved");

    const recoverFrom = { path: join(talosctl.folder, "db.snapshot") };
    const { inputs, talos } = await controlPlane();
    const news = { ...inputs, recoverFrom };
    expect((await machineBootstrapHandler.check(undefined, news)).failures).toEqual([]);
    await machineBootstrapHandler.create(news, silent);
    expect((await talos("etcd", "members")).trim().split("\n")).toHaveLength(2);
    expect(await talos("service", "etcd")).toMatch(/HEALTH +OK/);
  });
});
