import { request } from "node:https";
import { certificateRequest } from "../../emulator/talos/trustd/certificateRequest";
import { requestCertificate } from "../../emulator/talos/trustd/trustdClient";
import { TalosClient } from "../../provider/api/talosClient";
import { publicServiceAccountKey } from "../../provider/config/generate/acceptedServiceAccountKeys";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import { applyPatches } from "../../provider/config/patches/patch";
import { talosMinor } from "../../provider/config/releases/talosMinor";
import { generatedMark } from "../../provider/config/secrets/redact";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import { readDiscovered } from "../../provider/lifecycle/etcd/readRegisters";
import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { issueCertificate } from "../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../provider/pki/pem";
import { generateAuthority } from "../../provider/pki/rotation/generateAuthority";
import { generateKeyOrToken } from "../../provider/pki/rotation/generateKeyOrToken";
import { planGenerations } from "../../provider/pki/rotation/planGenerations";
import { planTrustdToken, type TokenHolder } from "../../provider/pki/rotation/planTrustdToken";
import {
  keyOrTokenIn,
  splitIdentity,
  withAuthority,
  withKeyOrToken,
} from "../../provider/pki/rotation/rotatedBundle";
import type { KeyOrToken, RotationStage, RotationStep } from "../../provider/pki/rotation/rotation";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { outlineMachineConfiguration } from "../../provider/render/renderMachineConfiguration";
import { eventually } from "../emulator/support/eventually";
import { signServiceAccountToken } from "../emulator/support/signServiceAccountToken";
import { Probe } from "../engine/support/probe";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const FIRST = "10.7.0.2";

interface Machine {
  readonly name: string;
  readonly address: string;
  readonly holder: TokenHolder;
}

const machines: readonly Machine[] = [
  { name: "cp1:2", address: FIRST, holder: "firstControlPlane" },
  { name: "cp2:3", address: "10.7.0.3", holder: "controlplane" },
  { name: "cp3:4", address: "10.7.0.4", holder: "controlplane" },
  { name: "w1:5", address: "10.7.0.5", holder: "worker" },
];
/** Where etcd answers HTTP. Source: Talos v1.14.1, `constants.EtcdClientHTTPPort`. */
const HEALTH_PORT = (talosMinor(LAB.talos) ?? 0) >= 14 ? 2383 : 2379;

/** What machines use from the same stage on as etcd's CA. */
const WITH_THE_CA = [
  "serviceAccountKey",
  "secretboxKey",
  "bootstrapToken",
  "discoveryIdentity",
] as const;

/** Where trustd listens. */
const TRUSTD = 50_001;
/** How long an API server may take to know what has changed. */
const CACHED = { timeout: 60_000, interval: 1_000 };

const controlPlanes = machines.filter(({ holder }) => holder !== "worker");

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("a rotation of etcd's CA, keys and tokens, on real Kubernetes", (lab) => {
  const applies = machines.map(() => new ServedResource("ConfigurationApply"));
  const manifests = new ServedResource("KubernetesManifests");
  const gate = new ServedResource("RotationGate");
  const health = new ServedResource("ClusterHealth");
  const { signal } = new AbortController();
  let cluster: LabCluster;
  let nextEtcdCa: CertificateAndKey;
  let nextAggregatorCa: CertificateAndKey;
  let next: Readonly<Record<KeyOrToken, string>>;
  let patches: Readonly<Record<MachineType, object>>;
  let kubernetesVersion: string;
  /** Tokens of the service account `default`, as API servers signed them in each stage. */
  const tokens: Record<string, string> = {};

  function configurationOf(holder: TokenHolder, step: RotationStep | undefined): string {
    const role = holder === "worker" ? "worker" : "controlplane";
    const first = cluster.secretsBundle;
    const issues = planGenerations("etcdCa", step, role).issuing === 2;
    const pick = <Value>(isNext: boolean, one: Value, other: Value) => (isNext ? other : one);
    let bundle: SecretsBundle = withAuthority(
      first,
      "etcdCa",
      pick(issues, first.certs.etcd, nextEtcdCa),
    );
    if (issues) {
      bundle = withAuthority(bundle, "aggregatorCa", nextAggregatorCa);
    }
    if (issues) {
      for (const secret of WITH_THE_CA) {
        bundle = withKeyOrToken(bundle, secret, next[secret]);
      }
    }
    if (planTrustdToken(step, holder) === 2) {
      bundle = withKeyOrToken(bundle, "trustdToken", next.trustdToken);
    }
    const isBoth = planGenerations("etcdCa", step, role).accepted.length > 0;
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${FIRST}:6443`,
      machineType: role,
      secretsBundle: bundle,
      acceptedAuthorities: isBoth
        ? {
            etcdCa: [pick(issues, nextEtcdCa, first.certs.etcd).crt],
            serviceAccountKey: [first.certs.k8sserviceaccount.key, next.serviceAccountKey].map(
              publicServiceAccountKey,
            ),
            secretboxKey: [keyOrTokenIn(first, "secretboxKey"), next.secretboxKey],
            bootstrapToken: [pick(issues, next.bootstrapToken, first.secrets.bootstraptoken)],
            aggregatorCa: [pick(issues, nextAggregatorCa, first.certs.k8saggregator).crt],
          }
        : {},
      talosVersion: LAB.talos,
      versionContract: "v1.12",
      kubernetesVersion,
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    return encodeDocuments(applyPatches(documents, [patches[role]]));
  }

  /** What a machine may change of what it has from its birth, as `TalosCluster` says. */
  function acceptedIn(step: RotationStep): Readonly<Record<string, string>> {
    const { issuing } = planGenerations("discoveryIdentity", step, "controlplane");
    const { id, secret } = splitIdentity(
      issuing === 1
        ? keyOrTokenIn(cluster.secretsBundle, "discoveryIdentity")
        : next.discoveryIdentity,
    );
    return { "cluster.id": id, "cluster.secret": generatedMark(secret) };
  }

  async function apply(step: RotationStep | undefined): Promise<void> {
    const { credentials } = cluster;
    const redactedConfiguration = outlineMachineConfiguration(
      decodeDocuments(configurationOf("controlplane", step)),
    );
    if (step !== undefined) {
      await gate.up({
        node: FIRST,
        endpoint: FIRST,
        credentials,
        redactedConfiguration,
        rotation: { etcdCa: step, serviceAccountKey: step, secretboxKey: step },
        timeoutSeconds: 300,
        rewriteTimeoutSeconds: 600,
        // Kubelets renew tokens within an hour; here a stage follows at once.
        whenTokensAreOld: "proceed",
      });
    }
    for (const [index, { address, holder }] of machines.entries()) {
      await applies[index]?.up({
        machineId: `i-${index}`,
        node: address,
        endpoint: address,
        privateAddress: address,
        credentials,
        timeoutSeconds: 600,
        patches: [],
        mode: "auto",
        machineConfiguration: configurationOf(holder, step),
        redactedConfiguration: "",
        settledSeconds: 5,
        ...(step && { acceptedChanges: acceptedIn(step) }),
      });
    }
    await manifests.up({
      nodes: controlPlanes.map(({ address }) => address),
      redactedConfiguration,
      credentials,
      timeoutSeconds: 600,
    });
  }

  /** One of the control plane answers, as behind a load balancer. */
  async function askAny<Answer>(path: string, accept = "application/json"): Promise<Answer> {
    const failures: unknown[] = [];
    for (const { address } of controlPlanes) {
      try {
        const access = await accessTo(address);
        const request = { method: "GET", path, accept } as const;
        return JSON.parse(await access.send(request, AbortSignal.timeout(5_000))) as Answer;
      } catch (error) {
        failures.push(error);
      }
    }
    throw new Error(`no API server answers: ${failures.map(String).join("; ")}`);
  }

  const opened = new Map<string, Promise<KubernetesAccess>>();
  function accessTo(node: string): Promise<KubernetesAccess> {
    const known = opened.get(node);
    const access =
      known ??
      KubernetesAccess.open([{ node, endpoint: node, credentials: cluster.credentials }], signal);
    if (known === undefined) {
      opened.set(node, access);
      access.catch(() => opened.delete(node));
    }
    return access;
  }

  /** Applies a stage while an API server must answer, which reads from etcd, and keeps a token. */
  async function reach(stage: RotationStage): Promise<void> {
    const probe = new Probe(() => askAny("/api/v1/secrets"), 200);
    try {
      await apply({ to: 2, stage });
    } finally {
      const { answers, failures } = await probe.stop();
      console.warn(`${stage}: ${answers} answers, ${failures.length} failures`);
      expect(failures).toEqual([]);
    }
    await lookAtHealth({ to: 2, stage });
    tokens[stage] = await newToken();
  }

  async function newToken(): Promise<string> {
    const path = "/api/v1/namespaces/default/serviceaccounts/default/token";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const answer = await (
      await accessTo(FIRST)
    ).send({ method: "POST", path, body }, AbortSignal.timeout(10_000));
    return (JSON.parse(answer) as { status: { token: string } }).status.token;
  }

  /** What each API server answers to a token: 401 where it refuses it, 403 where it knows the account. */
  const answersTo = (token: string | undefined) =>
    Promise.all(
      controlPlanes.map(({ address }) =>
        statusOf({
          host: address,
          port: 6443,
          path: "/api/v1/namespaces",
          headers: { authorization: `Bearer ${token ?? ""}` },
        }),
      ),
    );

  /** Whether each member of etcd takes a client of a CA. */
  async function takesClientOf(ca: CertificateAndKey): Promise<boolean[]> {
    const client = await issueCertificate(ca, {
      commonName: "test",
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "p256",
    });
    const identity = { cert: fromBase64(client.crt), key: nodeKey(client.key) };
    return Promise.all(
      controlPlanes.map(({ address: host }) =>
        statusOf({ ...identity, host, port: HEALTH_PORT, path: "/health" }).then(
          (status) => status === 200,
          () => false,
        ),
      ),
    );
  }

  /** Whether each API server takes requests that one with a certificate of a CA passes on. */
  async function takesPassedOnBy(ca: CertificateAndKey): Promise<boolean[]> {
    const client = await issueCertificate(ca, {
      commonName: "front-proxy-client",
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "p256",
    });
    const identity = { cert: fromBase64(client.crt), key: nodeKey(client.key) };
    const headers = { "x-remote-user": "someone", "x-remote-group": "system:masters" };
    return Promise.all(
      controlPlanes.map(({ address: host }) =>
        statusOf({ ...identity, headers, host, port: 6443, path: "/api/v1/secrets" }).then(
          (status) => status === 200,
        ),
      ),
    );
  }

  /** A token of a service account that a thief signs with the first key. */
  /** One of the first key. Whoever had a token of the account knows its id, which is part of each. */
  const forgedToken = () => {
    const [, claims = ""] = (tokens.before ?? "").split(".");
    const known = JSON.parse(Buffer.from(claims, "base64url").toString()) as {
      readonly iss: string;
      readonly "kubernetes.io": { readonly serviceaccount: { readonly uid: string } };
    };
    const { key } = cluster.secretsBundle.certs.k8sserviceaccount;
    const { uid } = known["kubernetes.io"].serviceaccount;
    return signServiceAccountToken(key, known.iss, new Date(), uid);
  };

  /** Whether trustd of each control plane machine signs a certificate for a token. */
  async function signsFor(token: string): Promise<boolean[]> {
    const { csr } = await certificateRequest({
      commonName: "thief",
      dnsNames: ["thief"],
      ipAddresses: [],
    });
    const acceptedCas = [cluster.secretsBundle.certs.os.crt];
    return Promise.all(
      controlPlanes.map(({ address }) =>
        requestCertificate(
          { endpoint: `${address}:${TRUSTD}`, acceptedCas, token, timeoutMs: 10_000 },
          csr,
        ).then(
          () => true,
          () => false,
        ),
      ),
    );
  }

  /** How many machines each machine finds by the discovery service, itself among them. */
  async function found(): Promise<number[]> {
    const { credentials } = cluster;
    return Promise.all(
      machines.map(async ({ address }) => {
        const client = TalosClient.connect({ endpoint: address, node: address, credentials });
        try {
          return (await readDiscovered(client)).length;
        } finally {
          client.close();
        }
      }),
    );
  }

  /** Has every machine find every other one: the discovery service tells of each after a moment. */
  const allAreFound = () =>
    eventually(async () => {
      expect(await found()).toEqual(machines.map(() => machines.length));
    }, 120_000);

  /** Whether API servers publish a CA as one of those whose requests they pass on. */
  async function publish(ca: CertificateAndKey): Promise<boolean> {
    const { data } = await askAny<{ data: Readonly<Record<string, string>> }>(
      "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
    );
    return data["requestheader-client-ca-file"]?.includes(fromBase64(ca.crt).trim()) === true;
  }

  async function bootstrapTokens(): Promise<string[]> {
    const { items } = await askAny<{ items: { metadata: { name: string } }[] }>(
      "/api/v1/namespaces/kube-system/secrets",
    );
    const names = items.map(({ metadata }) => metadata.name);
    return names.filter((name) => name.startsWith("bootstrap-token-"));
  }

  const publishedKeys = async () => {
    const accept = "application/jwk-set+json";
    const { keys } = await askAny<{ keys: readonly { kid: string }[] }>("/openid/v1/jwks", accept);
    // The key that signs is there twice: Talos' file and the file with both contain it.
    return new Set(keys.map(({ kid }) => kid)).size;
  };

  /** Waits for etcd, and records the stage as complete. */
  const lookAtHealth = (step?: RotationStep) =>
    health.up({
      controlPlaneNodes: controlPlanes.map(({ address }) => address),
      workerNodes: [],
      credentials: cluster.credentials,
      gates: ["etcd"],
      triggers: [],
      timeoutSeconds: 600,
      ...(step && { rotation: { aggregatorCa: step } }),
    });

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    cluster = await makeLabCluster(lab, FIRST);
    nextEtcdCa = await generateAuthority("etcdCa");
    nextAggregatorCa = await generateAuthority("aggregatorCa");
    next = {
      serviceAccountKey: await generateKeyOrToken("serviceAccountKey"),
      secretboxKey: await generateKeyOrToken("secretboxKey"),
      bootstrapToken: await generateKeyOrToken("bootstrapToken"),
      trustdToken: await generateKeyOrToken("trustdToken"),
      discoveryIdentity: await generateKeyOrToken("discoveryIdentity"),
    };
    const settings = await lab.settings();
    ({ patches } = settings);
    kubernetesVersion = (Object.keys(settings.images).sort().at(-1) ?? "").replace(/^v/, "");
    await lab.up(machines.map(({ name }) => name));
    const [first, ...others] = machines;
    const { credentials } = cluster;
    const config = { mode: "auto", patches: [], redactedConfiguration: "", settledSeconds: 5 };
    for (const [index, { address, holder }] of machines.entries()) {
      await applies[index]?.up({
        machineId: `i-${index}`,
        node: address,
        endpoint: address,
        privateAddress: address,
        ...config,
        credentials,
        timeoutSeconds: 600,
        machineConfiguration: configurationOf(holder, undefined),
      });
      if (address === first?.address) {
        const reached = { node: FIRST, endpoint: FIRST, credentials, timeoutSeconds: 600 };
        await new ServedResource("MachineBootstrap").up({ ...reached, peers: [] });
      }
    }
    expect(others).toHaveLength(3);
    await lookAtHealth();
    await apply(undefined);
    // Its controller makes the account a moment after the API server answers.
    const account = "/api/v1/namespaces/default/serviceaccounts/default";
    await eventually(async () => (await accessTo(FIRST)).read(account, signal));
    tokens.before = await newToken();
    const body = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "one" },
      stringData: { a: "b" },
    };
    const path = "/api/v1/namespaces/default/secrets";
    await (await accessTo(FIRST)).send({ method: "POST", path, body }, signal);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("makes all accept both, rebooting one control plane machine after another", async () => {
    expect(await takesClientOf(nextEtcdCa)).toEqual([false, false, false]);
    const { certs, secrets, trustdinfo } = cluster.secretsBundle;
    expect(await signsFor(trustdinfo.token)).toEqual([true, true, true]);
    // API servers read tokens from a cache, which fills after their start.
    await vi.waitFor(async () => {
      expect(await answersTo(secrets.bootstraptoken)).toEqual([403, 403, 403]);
      expect(await answersTo(forgedToken())).toEqual([403, 403, 403]);
    }, CACHED);
    expect(await publish(certs.k8saggregator)).toBe(true);
    await allAreFound();
    await reach("accept");
    expect(await takesClientOf(nextEtcdCa)).toEqual([true, true, true]);
    expect(await takesClientOf(cluster.secretsBundle.certs.etcd)).toEqual([true, true, true]);
    expect(await answersTo(tokens.before)).toEqual([403, 403, 403]);
    expect(await publishedKeys()).toBe(2);
    expect(await bootstrapTokens()).toHaveLength(2);
    const former = cluster.secretsBundle.certs.k8saggregator;
    expect(await takesPassedOnBy(former)).toEqual([true, true, true]);
    expect(await takesPassedOnBy(nextAggregatorCa)).toEqual([true, true, true]);
    await allAreFound();
  });

  it("uses the new ones, without a reboot of the control plane", async () => {
    await reach("issue");
    for (const token of [tokens.before, tokens.accept, tokens.issue]) {
      expect(await answersTo(token)).toEqual([403, 403, 403]);
    }
    expect(keyOf(tokens.accept)).toBe(keyOf(tokens.before));
    expect(keyOf(tokens.issue)).not.toBe(keyOf(tokens.accept));
    expect(await takesClientOf(cluster.secretsBundle.certs.etcd)).toEqual([true, true, true]);
    expect(await publishedKeys()).toBe(2);
    expect(await bootstrapTokens()).toHaveLength(2);
    await allAreFound();
  });

  it("refuses the old ones at last", async () => {
    await reach("drop");
    expect(await takesClientOf(nextEtcdCa)).toEqual([true, true, true]);
    expect(await takesClientOf(cluster.secretsBundle.certs.etcd)).toEqual([false, false, false]);
    expect(await answersTo(tokens.accept)).toEqual([401, 401, 401]);
    expect(await answersTo(tokens.issue)).toEqual([403, 403, 403]);
    expect(await publishedKeys()).toBe(1);
    const { data } = await askAny<{ data: object }>("/api/v1/namespaces/default/secrets/one");
    expect(data).toEqual({ a: Buffer.from("b").toString("base64") });
    expect(await bootstrapTokens()).toHaveLength(1);
    const former = cluster.secretsBundle.certs.k8saggregator;
    expect(await takesPassedOnBy(former)).toEqual([false, false, false]);
    expect(await takesPassedOnBy(nextAggregatorCa)).toEqual([true, true, true]);
  });

  it("leaves a thief of the first secrets no way in, and publishes none of their CAs", async () => {
    const { certs, secrets, trustdinfo } = cluster.secretsBundle;
    expect(await signsFor(trustdinfo.token)).toEqual([false, false, false]);
    expect(await signsFor(next.trustdToken)).toEqual([true, true, true]);
    await vi.waitFor(async () => {
      expect(await answersTo(secrets.bootstraptoken)).toEqual([401, 401, 401]);
      expect(await answersTo(next.bootstrapToken)).toEqual([403, 403, 403]);
    }, CACHED);
    expect(await answersTo(forgedToken())).toEqual([401, 401, 401]);
    expect(await takesClientOf(certs.etcd)).toEqual([false, false, false]);
    expect(await takesPassedOnBy(certs.k8saggregator)).toEqual([false, false, false]);
    await eventually(async () => expect(await publish(nextAggregatorCa)).toBe(true), 120_000);
    expect(await publish(certs.k8saggregator)).toBe(false);
  });
});

/** The id of the key that signed a token. */
function keyOf(token = ""): unknown {
  const [header = ""] = token.split(".");
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: unknown };
  return kid;
}

function statusOf(options: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      // The test asks who is taken, not who the server is.
      { ...options, agent: false, rejectUnauthorized: false, timeout: 10_000 },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer within 10 s")));
    asked.on("error", reject);
    asked.end();
  });
}
