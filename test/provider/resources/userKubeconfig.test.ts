import { X509Certificate } from "node:crypto";
import { parse } from "yaml";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { userKubeconfigHandler as handler } from "../../../provider/resources/userKubeconfig";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { silent } from "../progress";
import { unknownValue } from "./samples";

const hourMs = 3_600_000;
let certificateAuthority: CertificateAndKey;

beforeAll(async () => {
  certificateAuthority = await kubernetesCa();
});

function kubernetesCa(): Promise<CertificateAndKey> {
  return createCertificateAuthority({
    organization: "kubernetes",
    keyType: "p256",
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(Date.now() + 100 * hourMs),
  });
}

const inputs = () => ({
  clusterName: "demo",
  serverUrl: "https://k8s.demo.example.com:6443",
  certificateAuthority,
  user: "ci",
  groups: ["deployers", "readers"] as readonly string[],
  allowAdministrators: false,
  lifetimeHours: 3,
});

function certificateOf({ crt }: CertificateAndKey): X509Certificate {
  return new X509Certificate(Buffer.from(crt, "base64"));
}

describe("check of UserKubeconfig", () => {
  it("accepts valid and unknown values", async () => {
    expect((await handler.check(undefined, inputs())).failures).toEqual([]);
    const unknown = { ...inputs(), user: unknownValue, groups: unknownValue };
    const later = { serverUrl: unknownValue, lifetimeHours: unknownValue, renewalWindowHours: 9 };
    expect((await handler.check(undefined, { ...unknown, ...later })).failures).toEqual([]);
  });

  it("names all problems at once, and no secret", async () => {
    const { failures } = await handler.check(undefined, {
      ...inputs(),
      serverUrl: "k8s.demo.example.com",
      user: "system:node:one",
      groups: ["fine", "system:masters", " ", "x".repeat(65), "system:nodes"],
      lifetimeHours: 90_000,
      renewalWindowHours: 90_000,
    });
    expect(failures.map(({ property }) => property)).toEqual([
      "serverUrl",
      "user",
      "groups[1]",
      "groups[2]",
      "groups[3]",
      "groups[4]",
      "lifetimeHours",
      "renewalWindowHours",
    ]);
    expect(failures[2]?.reason).toContain("or set allowAdministrators");
    expect(JSON.stringify(failures)).not.toContain(certificateAuthority.key);
  });

  it("allows administrators explicitly, and no other reserved name", async () => {
    const administrators = { ...inputs(), allowAdministrators: true };
    const of = async (groups: readonly string[]) =>
      (await handler.check(undefined, { ...administrators, groups })).failures;
    expect(await of(["system:masters"])).toEqual([]);
    expect(await of(["system:nodes"])).toHaveLength(1);
  });

  it.each([0, -1, Number.NaN])("rejects a lifetime of %d hours", async (lifetimeHours) => {
    const { failures } = await handler.check(undefined, { ...inputs(), lifetimeHours });
    expect(failures.map(({ property }) => property)).toEqual(["lifetimeHours"]);
  });
});

describe("the certificate of UserKubeconfig", () => {
  it("names the user and the groups, is only for clients, and is in the kubeconfig", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    expect(id).toBe("ci");
    const certificate = certificateOf(state.client);
    expect(certificate.subject).toBe("O=readers + O=deployers\nCN=ci");
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(certificate.verify(certificateOf(certificateAuthority).publicKey)).toBe(true);
    const lifetimeMs = Date.parse(state.notAfter) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(3 * hourMs - 60_000);
    expect(lifetimeMs).toBeLessThanOrEqual(3 * hourMs);
    expect(parse(state.kubeconfig)).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "demo",
          cluster: {
            server: "https://k8s.demo.example.com:6443",
            "certificate-authority-data": certificateAuthority.crt,
          },
        },
      ],
      users: [
        {
          name: "ci@demo",
          user: {
            "client-certificate-data": state.client.crt,
            "client-key-data": state.client.key,
          },
        },
      ],
      contexts: [{ name: "ci@demo", context: { cluster: "demo", user: "ci@demo" } }],
      "current-context": "ci@demo",
    });
    expect(state.kubeconfig).not.toContain(certificateAuthority.key);
  });

  it("is kept when only the cluster's name or URL change", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    expect(handler.diff(id, state, inputs())).toEqual({ changes: false });
    for (const change of [{ clusterName: "other" }, { serverUrl: "https://10.0.0.1:6443" }]) {
      const news = { ...inputs(), ...change };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
      const updated = await handler.update(id, state, news, silent);
      expect(updated.client).toEqual(state.client);
      expect(updated.kubeconfig).not.toBe(state.kubeconfig);
      expect(handler.diff(id, updated, news)).toEqual({ changes: false });
    }
  });

  it("is issued again when user, groups, lifetime or CA change", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    const changes = [
      { user: "cd" },
      { groups: ["readers"] },
      { lifetimeHours: 2 },
      { certificateAuthority: await kubernetesCa() },
    ];
    for (const change of changes) {
      const news = { ...inputs(), ...change };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
      const updated = await handler.update(id, state, news, silent);
      expect(updated.client.crt).not.toBe(state.client.crt);
      expect(handler.diff(id, updated, news)).toEqual({ changes: false });
    }
  });

  it("is renewed in the last third of its lifetime, or in the given window", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    vi.useFakeTimers({ now: Date.now() + 1.9 * hourMs, toFake: ["Date"] });
    try {
      expect(handler.diff(id, state, inputs())).toEqual({ changes: false });
      expect(handler.diff(id, state, { ...inputs(), renewalWindowHours: 2 })).toEqual({
        changes: true,
      });
      vi.setSystemTime(Date.now() + 0.2 * hourMs);
      expect(handler.diff(id, state, inputs())).toEqual({ changes: true });
      const { client, notAfter } = await handler.update(id, state, inputs(), silent);
      expect(client.crt).not.toBe(state.client.crt);
      expect(Date.parse(notAfter)).toBeGreaterThan(Date.parse(state.notAfter) + 2 * hourMs);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(["clusterName", "serverUrl", "certificateAuthority", "user", "groups", "lifetimeHours"])(
    "may change in a preview that doesn't know %s",
    async (property) => {
      const { id, state } = await handler.create(inputs(), silent);
      const news = { ...inputs(), [property]: unknownValue };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
    },
  );
});

describe("the kubeconfig of UserKubeconfig", () => {
  let cluster: SimulatedCluster;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    await cluster.bootstrap(await cluster.add(cluster.config("controlplane")), 1);
  });
  afterAll(async () => {
    await cluster.stop();
  });

  const ask = async (change: { groups: readonly string[]; allowAdministrators: boolean }) => {
    const serverUrl = /endpoint: (https:\S+)/.exec(cluster.config("controlplane"))?.[1] ?? "";
    const { k8s } = cluster.secrets.certs;
    const news = { ...inputs(), ...change, certificateAuthority: k8s, serverUrl };
    const { state } = await handler.create(news, silent);
    return new KubernetesApi(state.kubeconfig).get("/api/v1/nodes", { timeoutMs: 5_000 });
  };

  it("authenticates its user, who has the permissions of its groups", async () => {
    await expect(ask({ groups: ["readers"], allowAdministrators: false })).rejects.toThrow(
      /403.*User "ci" cannot list resource "nodes"/,
    );
    const nodes = await ask({ groups: ["system:masters"], allowAdministrators: true });
    expect(JSON.parse(nodes)).toMatchObject({ kind: "NodeList" });
  });
});
