import { parse } from "yaml";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { clusterKubeconfigHandler as handler } from "../../../provider/resources/clusterKubeconfig";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { unknownValue } from "./samples";

const day = 86_400_000;

let cluster: SimulatedCluster;
let node: SimulatedNode;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  node = await cluster.add(cluster.config("controlplane"));
  await cluster.bootstrap(node, 1);
});
afterAll(async () => {
  await cluster.stop();
});

async function inputs(serverUrl?: string) {
  const machine = await machineAt(cluster, node.address);
  return {
    ...machine,
    checked: true,
    timeoutSeconds: 10,
    ...(serverUrl === undefined ? {} : { serverUrl }),
  };
}

function serverOf(kubeconfig: string): unknown {
  const config = parse(kubeconfig) as { clusters: { cluster: { server: string } }[] };
  return config.clusters[0]?.cluster.server;
}

describe("the handler of ClusterKubeconfig", () => {
  it("fetches the cluster's kubeconfig, with its endpoint", async () => {
    const news = await inputs();
    const { id, state } = await handler.create(news, silent);
    expect(state.serverUrl).toMatch(/^https:\/\/127\..*:6443$/);
    expect(id).toBe(state.serverUrl);
    expect(serverOf(state.kubeconfig)).toBe(state.serverUrl);
    expect(Date.parse(state.notAfter) - Date.now()).toBeGreaterThan(360 * day);
    expect(handler.diff(id, state, news)).toEqual({ changes: false });
    const other = { ...news, ...(await machineAt(cluster, "127.1.2.3")) };
    expect(handler.diff(id, state, other)).toEqual({ changes: false });
  });

  it("sets a given URL, and the endpoint's without one", async () => {
    const news = await inputs("https://k8s.demo.example.com:6443");
    const { id, state } = await handler.create(news, silent);
    expect(serverOf(state.kubeconfig)).toBe("https://k8s.demo.example.com:6443");
    expect(state.serverUrl).toBe("https://k8s.demo.example.com:6443");
    expect(handler.diff(id, state, news)).toEqual({ changes: false });

    const moved = await inputs("https://k8s.other.example.com:6443");
    expect(handler.diff(id, state, moved)).toEqual({ changes: true });
    const updated = await handler.update(id, state, moved, silent);
    expect(serverOf(updated.kubeconfig)).toBe("https://k8s.other.example.com:6443");

    expect(handler.diff(id, updated, await inputs())).toEqual({ changes: true });
    const own = await handler.update(id, updated, await inputs(), silent);
    expect(own.serverUrl).toMatch(/^https:\/\/127\./);
    expect(handler.diff(id, own, await inputs())).toEqual({ changes: false });
    expect(handler.diff(id, own, { ...news, serverUrl: unknownValue })).toEqual({ changes: true });
  });

  it.each([
    [60, false],
    [70, true],
    [101, true],
  ])("renews after %d days of a hundred: %s", async (age, renews) => {
    const news = await inputs();
    const { id, state } = await handler.create(news, silent);
    const { crt } = await issueCertificate(cluster.secrets.certs.k8s, {
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - age * day),
      notAfter: new Date(Date.now() + (100 - age) * day),
      keyType: "p256",
    });
    const aged = { ...state, clientCertificate: crt };
    expect(handler.diff(id, aged, news)).toEqual({ changes: renews });
    const renewed = await handler.update(id, aged, news, silent);
    expect(renewed.clientCertificate).not.toBe(crt);
    expect(handler.diff(id, renewed, news)).toEqual({ changes: false });
  });

  it("is as short-lived as the machines' configuration says, and renewed when that changes", async () => {
    const other = await SimulatedCluster.create();
    try {
      const lifetime = { cluster: { adminKubeconfig: { certLifetime: "168h0m0s" } } };
      const { address } = await other.add(other.config("controlplane", [lifetime]));
      const news = { ...(await machineAt(other, address)), checked: false, timeoutSeconds: 10 };
      const { id, state } = await handler.create(news, silent);
      expect(Date.parse(state.notAfter) - Date.now()).toBeGreaterThan(6.9 * day);
      expect(Date.parse(state.notAfter) - Date.now()).toBeLessThanOrEqual(7 * day);
      const shorter = { ...news, lifetimeHours: 168 };
      expect(handler.diff(id, state, shorter)).toEqual({ changes: true });
      const renewed = await handler.update(id, state, shorter, silent);
      expect(renewed.clientCertificate).not.toBe(state.clientCertificate);
      expect(handler.diff(id, renewed, shorter)).toEqual({ changes: false });
      expect(handler.diff(id, renewed, news)).toEqual({ changes: true });
    } finally {
      await other.stop();
    }
  });

  it("rejects an invalid URL and an invalid time at once", async () => {
    for (const serverUrl of ["http://k8s:6443", "k8s.example.com:6443", ""]) {
      const news = { ...(await inputs(serverUrl)), timeoutSeconds: 0 };
      const { failures } = await handler.check(undefined, news);
      expect(failures.map(({ property }) => property)).toEqual(["timeoutSeconds", "serverUrl"]);
      expect(failures[1]?.reason).toContain(`"${serverUrl}"`);
    }
    const unknown = { ...(await inputs()), serverUrl: unknownValue };
    expect((await handler.check(undefined, unknown)).failures).toEqual([]);
    expect((await handler.check(undefined, await inputs())).failures).toEqual([]);
  });

  it("waits until the Kubernetes API accepts its user, unless this is turned off", async () => {
    const other = await SimulatedCluster.create();
    try {
      const { address } = await other.add(other.config("controlplane"));
      const news = { ...(await machineAt(other, address)), checked: true, timeoutSeconds: 2 };
      await expect(handler.create(news, silent)).rejects.toThrow(
        /waiting for the Kubernetes API to accept the kubeconfig after \d+ s; last seen: .*ECONNREFUSED/,
      );
      const { state } = await handler.create({ ...news, checked: false }, silent);
      expect(state.kubeconfig).toContain("client-key-data");
    } finally {
      await other.stop();
    }
  });

  steppingIt("reports at once that a worker has none", async (stepping) => {
    const worker = await cluster.add(cluster.config("worker"));
    const news = { ...(await inputs()), ...(await machineAt(cluster, worker.address)) };
    await expect(handler.create(news, silent)).rejects.toThrow(/control plane/);
    expect(stepping.skippedMs).toBe(0);
  });
});
