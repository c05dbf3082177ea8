import { join } from "node:path";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { renderTalosconfig } from "../../provider/pki/renderTalosconfig";
import { machineBootstrapHandler } from "../../provider/resources/machineBootstrap";
import { SimulatedCluster } from "../emulator/talos/simulatedCluster";
import { silent } from "../provider/progress";
import { describeWithTalosctl } from "./support/talosctl";

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
    const as = (holder: ClientCredentials, file: string) => {
      const given = { endpoints: [address], nodes: [address], credentials: holder };
      const talosconfig = renderTalosconfig({ clusterName: "sim", ...given });
      const environment = { TALOSCONFIG: talosctl.write(`${address}.${file}`, talosconfig) };
      return (...args: string[]) => talosctl.start(args, { environment });
    };
    const talos = async (...args: string[]) => {
      const { code, output } = await as(credentials, "admin")(...args);
      expect({ args, code, output }).toMatchObject({ code: 0 });
      return output;
    };
    return { cluster, inputs, talos, as };
  }

  test("recovers another cluster through MachineBootstrap", async () => {
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

  test("is the only call that the role os:etcd:backup may make", async () => {
    const { cluster, inputs, as } = await controlPlane();
    await machineBootstrapHandler.create(inputs, silent);
    const options = { roles: ["os:etcd:backup"], lifetimeHours: 6 } as const;
    const now = new Date(Date.now() - 60_000);
    const issued = await issueClientCredentials(cluster.secrets.certs.os, { ...options, now });
    const backup = as(issued, "backup");
    const { code, output } = await backup("etcd", "snapshot", "of-role.snapshot");
    expect({ code, output }).toMatchObject({ code: 0 });
    const path = join(talosctl.folder, "of-role.snapshot");
    const news = { ...inputs, recoverFrom: { path } };
    expect((await machineBootstrapHandler.check(undefined, news)).failures).toEqual([]);
    for (const args of [["reset"], ["reboot"], ["kubeconfig", "-"], ["read", "/etc/hosts"]]) {
      const refused = await backup(...args, ...(args[0] === "reset" ? ["--wait=false"] : []));
      expect({ args, ...refused }).toMatchObject({
        output: expect.stringContaining("not authorized") as string,
      });
      expect(refused.code).not.toBe(0);
    }
  });
});
