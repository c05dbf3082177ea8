import { KubeletCertificate } from "../../../../emulator/talos/kubernetes/kubelet";
import { TalosClient } from "../../../../provider/api/talosClient";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { decodeDocuments, encodeDocuments } from "../../../../provider/config/yaml/encode";
import { generateAuthority } from "../../../../provider/pki/rotation/generateAuthority";
import type { CertificateAndKey } from "../../../../provider/pki/secretsBundle";
import { machineAt } from "../../../provider/lifecycle/deliveries";
import { eventually, SimulatedCluster, type SimulatedNode } from "../simulatedCluster";

/** The API server accepts the bootstrap token. */
const yes = () => true;

describe("KubeletCertificate", () => {
  it("is kept while its machine accepts its issuer, then issued again", () => {
    const certificate = new KubeletCertificate();
    const both = { issuing: "new", accepted: ["new", "old"] };
    const old = { issuing: "old", accepted: ["old"] };
    const only = { issuing: "new", accepted: ["new"] };
    expect(certificate.isTaken(old, old, yes)).toBe(true);
    expect(certificate.isTaken(both, both, yes)).toBe(true);
    // Issued by the old one still.
    expect(certificate.isTaken(both, only, yes)).toBe(false);
    expect(certificate.isTaken(only, both, yes)).toBe(true);
    expect(certificate.isTaken(only, only, yes)).toBe(true);
  });

  it("is issued only for an accepted bootstrap token", () => {
    const one = { issuing: "a", accepted: ["a"] };
    const certificate = new KubeletCertificate();
    expect(certificate.isTaken(one, one, () => false)).toBe(false);
    expect(certificate.isTaken(one, one, yes)).toBe(true);
    expect(certificate.isTaken(one, one, () => false)).toBe(true);
  });

  it("is useless if the kubelet doesn't trust the API server", () => {
    const [one, other] = ["a", "b"].map((name) => ({ issuing: name, accepted: [name] }));
    const nobody = { issuing: undefined, accepted: [] };
    expect(new KubeletCertificate().isTaken(one ?? nobody, other ?? nobody, yes)).toBe(false);
    expect(new KubeletCertificate().isTaken(one ?? nobody, nobody, yes)).toBe(false);
  });
});

describe("a worker whose kubelet certificate has another CA", () => {
  let cluster: SimulatedCluster;
  let first: SimulatedNode;
  let worker: SimulatedNode;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    [first, worker] = (await cluster.addConfigured(1, 1)) as [SimulatedNode, SimulatedNode];
    await cluster.bootstrap(first, 1);
    await eventually(allReady);
  });
  afterEach(() => cluster.stop());

  const store = () => cluster.world.kubernetesOf(cluster.endpoint);
  const nodes = () => store()?.nodes ?? [];
  const lost = () => nodes().flatMap(({ name, lostAt }) => (lostAt === undefined ? [] : [name]));
  // Without an API server there are no nodes. A change restarts a kubelet only where it runs.
  const allReady = () => nodes().length === 2 && lost().length === 0;
  const nameOf = (isControlPlane: boolean) =>
    nodes().find((node) => node.isControlPlane === isControlPlane)?.name ?? "";

  async function apply(node: SimulatedNode, ca: CertificateAndKey, accepted: readonly string[]) {
    const role = node === first ? "controlplane" : "worker";
    const key = role === "controlplane" ? ca.key : "";
    const text = encodeDocuments(
      applyPatches(decodeDocuments(cluster.config(role)), [
        { cluster: { ca: { crt: ca.crt, key }, acceptedCAs: accepted.map((crt) => ({ crt })) } },
      ]),
    );
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.applyConfiguration({ data: text, mode: "NO_REBOOT" });
    client.close();
  }

  it("is unreachable once the API server drops that CA, until the worker drops it too", async () => {
    const { k8s: old } = cluster.secrets.certs;
    const next = await generateAuthority("kubernetesCa");
    for (const node of [first, worker]) {
      await apply(node, old, [next.crt]);
    }
    for (const node of [first, worker]) {
      await apply(node, next, [old.crt]);
    }
    await eventually(allReady);
    const name = nameOf(false);
    await apply(first, next, []);
    await eventually(() => lost().join() === name);
    await apply(worker, next, []);
    await eventually(allReady);
  });

  it("stays reachable if it drops that CA before the API server", async () => {
    const { k8s: old } = cluster.secrets.certs;
    const next = await generateAuthority("kubernetesCa");
    for (const node of [first, worker]) {
      await apply(node, old, [next.crt]);
    }
    for (const node of [first, worker]) {
      await apply(node, next, [old.crt]);
    }
    await apply(worker, next, []);
    await eventually(allReady);
    const [name, restarting] = [nameOf(false), nameOf(true)];
    const seen = new Set<string>();
    const stop = store()?.subscribe(({ node }) => node.lostAt && seen.add(node.name));
    await apply(first, next, []);
    // Its kubelet restarts, so that it is lost for a moment itself.
    await eventually(() => seen.has(restarting) && allReady());
    stop?.();
    expect([...seen]).not.toContain(name);
  });
});
