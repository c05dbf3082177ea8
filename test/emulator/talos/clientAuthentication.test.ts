import { protocol } from "../../../provider/api/protocol";
import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import { issueCertificate, type CertificateRequest } from "../../../provider/pki/issueCertificate";
import type { CertificateAndKey, SecretsBundle } from "../../../provider/pki/secretsBundle";
import { failureOf, RpcClient } from "./rpcClient";
import { SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const hourMs = 3_600_000;

describe("a configured node", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  let strangers: SecretsBundle;
  beforeAll(async () => {
    strangers = await generateSecretsBundle({ versionContract: "v1.6" });
    cluster = await SimulatedCluster.create();
    node = await cluster.add(
      cluster.config("controlplane", [
        { machine: { acceptedCAs: [{ crt: strangers.certs.k8s.crt }] } },
      ]),
    );
  });
  afterAll(() => cluster.stop());

  const clientOf = (certificate?: CertificateAndKey) =>
    cluster.track(RpcClient.secure(node.address, cluster.secrets.certs.os.crt, certificate));
  const issue = (ca: CertificateAndKey, request: Partial<CertificateRequest> = {}) =>
    issueCertificate(ca, {
      organizations: ["os:admin"],
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - hourMs),
      notAfter: new Date(Date.now() + hourMs),
      keyType: "ed25519",
      ...request,
    });
  const versionOf = (client: RpcClient) => client.unary(machine.Version, {});

  test("requires a certificate", async () => {
    expect(await failureOf(versionOf(clientOf()))).toMatch(
      /^UNAVAILABLE: .*alert certificate required.*SSL alert number 116/s,
    );
  });

  test("rejects a certificate of another CA", async () => {
    expect(await failureOf(versionOf(clientOf(await issue(strangers.certs.os))))).toMatch(
      /^UNAVAILABLE: .*alert unknown ca.*SSL alert number 48/s,
    );
  });

  test("rejects an expired certificate", async () => {
    const certificate = await issue(cluster.secrets.certs.os, {
      notBefore: new Date(Date.now() - 2 * hourMs),
      notAfter: new Date(Date.now() - hourMs),
    });
    expect(await failureOf(versionOf(clientOf(certificate)))).toMatch(
      /^UNAVAILABLE: .*alert certificate expired.*SSL alert number 45/s,
    );
  });

  test.each([[["serverAuth"]], [["clientAuth", "serverAuth"]]] as const)(
    "rejects a certificate for %j",
    async (usages) => {
      const certificate = await issue(cluster.secrets.certs.os, { usages });
      expect(await failureOf(versionOf(clientOf(certificate)))).toMatch(
        /^UNAVAILABLE: .*alert bad certificate.*SSL alert number 42/s,
      );
    },
  );

  test("accepts a certificate of an additional CA", async () => {
    const certificate = await issue(strangers.certs.k8s);
    await expect(versionOf(clientOf(certificate))).resolves.toBeDefined();
  });

  test.each([
    [[], "Version", false],
    [["os:nonsense"], "Version", false],
    [["os:reader"], "Version", true],
    [["os:reader"], "Kubeconfig", false],
    [["os:etcd:backup"], "Version", false],
    [["os:operator"], "Version", true],
    [["os:operator"], "Bootstrap", false],
    [["os:reader", "os:admin"], "Kubeconfig", true],
  ] as const)("allows roles %j to call %s: %s", async (organizations, method, allowed) => {
    const client = clientOf(await issue(cluster.secrets.certs.os, { organizations }));
    const call =
      method === "Kubeconfig"
        ? client.stream(machine.Kubeconfig, {})
        : client.unary(machine[method], {});
    if (allowed) {
      await expect(call).resolves.toBeDefined();
    } else {
      expect(await failureOf(call)).toBe("PERMISSION_DENIED: not authorized");
    }
  });

  test("accepts claimed roles only from an impersonator", async () => {
    const metadata = { "talos-role": "os:admin" };
    const impersonator = clientOf(
      await issue(cluster.secrets.certs.os, { organizations: ["os:impersonator"] }),
    );
    expect(await failureOf(versionOf(impersonator))).toBe("PERMISSION_DENIED: not authorized");
    await expect(impersonator.stream(machine.Kubeconfig, {}, { metadata })).resolves.toHaveLength(
      1,
    );
    const reader = clientOf(
      await issue(cluster.secrets.certs.os, { organizations: ["os:reader"] }),
    );
    expect(await failureOf(reader.stream(machine.Kubeconfig, {}, { metadata }))).toBe(
      "PERMISSION_DENIED: not authorized",
    );
  });

  test("is not trusted by a client of another cluster", async () => {
    const client = cluster.track(
      RpcClient.secure(node.address, strangers.certs.os.crt, await issue(strangers.certs.os)),
    );
    expect(await failureOf(versionOf(client))).toMatch(/^UNAVAILABLE: .*unable to verify/s);
  });

  test("names the missing method", async () => {
    const client = clientOf(await issue(cluster.secrets.certs.os));
    expect(await failureOf(client.unary(machine.PacketCapture, {}))).toBe(
      "UNIMPLEMENTED: method PacketCapture not implemented",
    );
    const security = protocol.securityapi.SecurityService.service;
    expect(await failureOf(client.unary(security.Certificate, {}))).toBe(
      "UNIMPLEMENTED: unknown service securityapi.SecurityService",
    );
  });
});
