import { request } from "node:https";
import { Wire } from "../../../../emulator/talos/faults/wire";
import {
  type ApiServerState,
  KubernetesApiServer,
} from "../../../../emulator/talos/kubernetes/apiServer";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import { PeoplesTokens } from "../../../../emulator/talos/kubernetes/peoplesTokens";
import { publicKeysIn } from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { deriveServingCertificate } from "../../../../provider/pki/deriveServingCertificate";
import { issueCertificate } from "../../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey, readCertificate } from "../../../../provider/pki/pem";
import { createServiceAccountKey } from "../../../../provider/pki/privateKey";
import { generateAuthority } from "../../../../provider/pki/rotation/generateAuthority";
import type { CertificateAndKey } from "../../../../provider/pki/secretsBundle";
import { signServiceAccountToken } from "../../support/signServiceAccountToken";
import { ask as askStore } from "./storeClient";

const ISSUER = "https://api.example.com:6443";

/** There is no issuer. */
const nothing = () => Promise.reject(new Error("no such host"));

describe("an API server and a service account", () => {
  let server: KubernetesApiServer;
  let token: string;
  let serving: ApiServerState;
  let state: ApiServerState | undefined;

  beforeAll(async () => {
    const key = await createServiceAccountKey("p256");
    token = signServiceAccountToken(key, ISSUER);
    serving = {
      store: new KubernetesStore({ written: () => undefined }),
      hasQuorum: true,
      version: "v1.35.0",
      trust: {
        tokens: {
          keys: publicKeysIn([fromBase64(key)]),
          issuers: [ISSUER],
          audiences: [ISSUER],
        },
        people: new PeoplesTokens(undefined, nothing),
        aggregators: [],
      },
      encryptionKeys: [],
    };
    const own = await deriveServingCertificate(await generateAuthority("kubernetesCa"), ["a"]);
    const [cert, privateKey] = [fromBase64(own.crt), fromBase64(own.key)];
    server = await KubernetesApiServer.start({
      address: "127.0.0.1",
      port: 0,
      identity: { cert, key: privateKey, ca: cert },
      architecture: "amd64",
      state: () => state,
      wire: new Wire(),
    });
  });

  afterAll(() => server.stop());

  const ask = (bearer: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: server.port,
        path: "/api/v1/namespaces",
        headers: { authorization: `Bearer ${bearer}` },
        agent: false as const,
        rejectUnauthorized: false,
      };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });

  it("authenticates the account of the token, which has no permissions, and no other", async () => {
    state = serving;
    expect(await ask(token)).toBe(403);
    expect(await ask(`${token}x`)).toBe(401);
  });

  it("authenticates a kubelet that joins by the Secret of its token, and by no other", async () => {
    state = serving;
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "bootstrap-token-abcdef", namespace: "kube-system" },
      stringData: {
        "token-id": "abcdef",
        "token-secret": "0123456789abcdef",
        "usage-bootstrap-authentication": "true",
      },
    };
    expect(await ask("abcdef.0123456789abcdef")).toBe(401);
    const made = askStore(serving.store, "POST", "/api/v1/namespaces/kube-system/secrets", secret);
    expect(made.code).toBe(201);
    expect(await ask("abcdef.0123456789abcdef")).toBe(403);
    expect(await ask("abcdef.0123456789abcdee")).toBe(401);
    expect(await ask("fedcba.0123456789abcdef")).toBe(401);
  });

  it("cuts connections while it stops, instead of rejecting the token", async () => {
    state = undefined;
    await expect(ask(token)).rejects.toThrow("socket hang up");
  });
});

describe("an API server and requests that others pass on", () => {
  let server: KubernetesApiServer;
  let authorities: readonly CertificateAndKey[];

  beforeAll(async () => {
    authorities = await Promise.all(
      (["kubernetesCa", "talosCa", "etcdCa"] as const).map((each) => generateAuthority(each)),
    );
    const [clients = NONE, aggregator = NONE] = authorities;
    const own = await issueCertificate(clients, leaf("kube-apiserver", "serverAuth"));
    server = await KubernetesApiServer.start({
      address: "127.0.0.1",
      port: 0,
      identity: {
        cert: fromBase64(own.crt),
        key: nodeKey(own.key),
        ca: [clients, aggregator].map(({ crt }) => fromBase64(crt)),
      },
      architecture: "amd64",
      state: () => ({
        store: new KubernetesStore({ written: () => undefined }),
        hasQuorum: true,
        version: "v1.35.0",
        encryptionKeys: [],
        trust: {
          tokens: { keys: [], issuers: [], audiences: [] },
          people: new PeoplesTokens(undefined, nothing),
          aggregators: [readCertificate(aggregator.crt)],
        },
      }),
      wire: new Wire(),
    });
  });

  afterAll(() => server.stop());

  async function askAs(
    authority: CertificateAndKey | undefined,
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<number | undefined> {
    const own = await issueCertificate(authority ?? NONE, leaf(name, "clientAuth"));
    return new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: server.port,
        path: "/api/v1/namespaces",
        headers,
        cert: fromBase64(own.crt),
        key: nodeKey(own.key),
        agent: false as const,
        rejectUnauthorized: false,
      };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
  }

  it("answers the named user, if the certificate is one of the aggregator's", async () => {
    const [clients, aggregator, other] = authorities;
    const admin = { "x-remote-user": "someone", "x-remote-group": "system:masters" };
    expect(await askAs(aggregator, "front-proxy-client", admin)).toBe(200);
    expect(await askAs(aggregator, "front-proxy-client", {})).toBe(401);
    expect(await askAs(aggregator, "somebody", admin)).toBe(401);
    expect(await askAs(other, "front-proxy-client", admin)).toBe(401);
    // Another client's headers don't count.
    expect(await askAs(clients, "front-proxy-client", admin)).toBe(403);
  });
});

const NONE: CertificateAndKey = { crt: "", key: "" };

function leaf(commonName: string, usage: "serverAuth" | "clientAuth") {
  const notBefore = new Date(Date.now() - 60_000);
  const notAfter = new Date(Date.now() + 3_600_000);
  return { commonName, notBefore, notAfter, usages: [usage], keyType: "p256" as const };
}
