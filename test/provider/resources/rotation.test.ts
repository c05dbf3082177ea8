import { parse } from "yaml";
import { NOT_MADE_YET } from "../../../provider/config/effects/outline";
import { publicServiceAccountKey } from "../../../provider/config/generate/acceptedServiceAccountKeys";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { joinCertificates, readCertificate } from "../../../provider/pki/pem";
import { generateAuthority } from "../../../provider/pki/rotation/generateAuthority";
import type { Rotation, RotationStage } from "../../../provider/pki/rotation/rotation";
import type { CertificateAndKey, SecretsBundle } from "../../../provider/pki/secretsBundle";
import { clientConfigurationHandler } from "../../../provider/resources/clientConfiguration";
import { clusterHealthHandler } from "../../../provider/resources/clusterHealth";
import { clusterKubeconfigHandler } from "../../../provider/resources/clusterKubeconfig";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { etcdMemberHandler } from "../../../provider/resources/etcdMember";
import { machineConfigurationHandler } from "../../../provider/resources/machineConfigurationHandler";
import { machineSecretsHandler } from "../../../provider/resources/machineSecrets";
import { rotatedAuthorityHandler } from "../../../provider/resources/rotatedAuthority";
import { rotatedSecretHandler } from "../../../provider/resources/rotatedSecret";
import { userKubeconfigHandler } from "../../../provider/resources/userKubeconfig";
import { sharedSecrets } from "../pki/sharedSecrets";
import { silent } from "../progress";
import { machineConfigurationInputs, unknownValue } from "./samples";

const talos = (stage: RotationStage, to = 2): Rotation => ({ talosCa: { to, stage } });

let bundle: SecretsBundle;
let next: CertificateAndKey;

beforeAll(async () => {
  bundle = await sharedSecrets();
  next = await generateAuthority("talosCa");
});

/** A bundle that issues by the next Talos CA. */
const issuingNext = (): SecretsBundle => ({ ...bundle, certs: { ...bundle.certs, os: next } });

describe("MachineSecrets while a CA is rotated", () => {
  const inputs = { versionContract: "v1.12", allowContractChange: false };

  it("records the stage that begins, describes it, and keeps the secrets", async () => {
    const news = { ...inputs, rotation: talos("accept") };
    const checked = await machineSecretsHandler.check(inputs, news);
    expect(checked.failures).toEqual([]);
    expect(checked.inputs).toEqual(news);
    expect(checked.warnings?.join()).toContain('stage "accept": machines accept the new one');
    const again = await machineSecretsHandler.check(news, news);
    expect(again.warnings).toEqual([]);
    const state = { versionContract: "v1.12", secretsBundle: bundle };
    expect(machineSecretsHandler.diff("id", state, news)).toEqual({ changes: false });
  });

  it("rejects a skipped stage and a removed rotation", async () => {
    const begun = { ...inputs, rotation: talos("issue") };
    for (const news of [inputs, { ...inputs, rotation: talos("accept", 3) }]) {
      const { failures } = await machineSecretsHandler.check(begun, news);
      expect(failures.map(({ property }) => property)).toEqual(["rotation.talosCa"]);
    }
  });

  it("refuses to take away a key that was used, also after a killed run", async () => {
    const at = (stage: RotationStage) => ({
      ...inputs,
      rotation: { secretboxKey: { to: 2, stage } } as Rotation,
    });
    const issuing = await machineSecretsHandler.check(at("accept"), at("issue"));
    expect(issuing.inputs.usedKeys).toEqual(["secretboxKey"]);
    const back = await machineSecretsHandler.check(issuing.inputs, at("accept"));
    expect(back.failures).toEqual([]);
    const { failures } = await machineSecretsHandler.check(back.inputs, inputs);
    expect(failures).toMatchObject([{ property: "rotation.secretboxKey" }]);
    expect(failures[0]?.reason).toContain("so it must stay accepted");
    const again = await machineSecretsHandler.check(back.inputs, at("issue"));
    expect(again.failures).toEqual([]);
  });

  it("rejects what can't be rotated", async () => {
    const rotation = { etcdKey: { to: 2, stage: "accept" } } as unknown as Rotation;
    const { failures } = await machineSecretsHandler.check(undefined, { ...inputs, rotation });
    expect(failures[0]).toMatchObject({ property: "rotation.etcdKey" });
  });

  it("does not change for a cluster without a rotation", async () => {
    const checked = await machineSecretsHandler.check(inputs, inputs);
    expect(checked).toEqual({ inputs, failures: [], warnings: [] });
  });
});

describe("ClusterHealth while a CA is rotated", () => {
  const inputs = {
    controlPlaneNodes: ["10.0.0.1"],
    workerNodes: [],
    triggers: [],
    timeoutSeconds: 1,
    credentials: { ca: "", crt: "", key: "" },
    gates: ["etcd" as const],
  };
  const reasons = async (complete: Rotation | undefined, wanted: Rotation | undefined) =>
    (
      await clusterHealthHandler.check(
        { ...inputs, ...(complete && { rotation: complete }) },
        { ...inputs, ...(wanted && { rotation: wanted }) },
      )
    ).failures.map(({ property }) => property);

  it("allows a stage once all machines were healthy in the one before", async () => {
    expect(await reasons(talos("accept"), talos("issue"))).toEqual([]);
    // `issue` has begun, and a run was cut off before the end.
    expect(await reasons(talos("accept"), talos("drop"))).toEqual(["rotation.talosCa"]);
    expect(await reasons(talos("drop"), talos("issue"))).toEqual(["rotation.talosCa"]);
    const { failures } = await clusterHealthHandler.check(undefined, {
      ...inputs,
      rotation: talos("drop"),
    });
    expect(failures).toEqual([]);
  });

  it("checks again at each stage", () => {
    const { controlPlaneNodes, workerNodes, triggers, gates } = inputs;
    const state = { controlPlaneNodes, workerNodes, triggers, gates };
    const changes = (rotation: Rotation | undefined) =>
      clusterHealthHandler.diff("id", state, { ...inputs, ...(rotation && { rotation }) }).changes;
    expect(changes(undefined)).toBe(false);
    expect(changes(talos("accept"))).toBe(true);
  });
});

describe("clients while a CA is rotated", () => {
  const inputs = () => ({
    clusterName: "demo",
    endpoints: ["10.0.0.1"],
    nodes: [],
    lifetimeHours: 10,
    roles: ["os:admin" as const],
    certificateAuthority: bundle.certs.os,
  });

  it("of the Talos API trust both, and are issued again", async () => {
    const { state } = await clientConfigurationHandler.create(inputs(), silent);
    expect(state.credentials.ca).toBe(bundle.certs.os.crt);
    const accepting = { ...inputs(), acceptedAuthorities: [next.crt] };
    expect(clientConfigurationHandler.diff("id", state, accepting)).toEqual({ changes: true });
    const after = await clientConfigurationHandler.update("id", state, accepting, silent);
    expect(after.credentials.ca).toBe(joinCertificates([bundle.certs.os.crt, next.crt]));
    expect(after.talosconfig).toContain(after.credentials.ca);
    expect(clientConfigurationHandler.diff("id", after, accepting)).toEqual({ changes: false });
    const issuing = {
      ...inputs(),
      certificateAuthority: next,
      acceptedAuthorities: [bundle.certs.os.crt],
    };
    const last = await clientConfigurationHandler.update("id", after, issuing, silent);
    const certificate = readCertificate(last.credentials.crt);
    expect(certificate.verify(readCertificate(next.crt).publicKey)).toBe(true);
  });

  it("of the Kubernetes API trust both", async () => {
    const other = await generateAuthority("kubernetesCa");
    const given = {
      clusterName: "demo",
      serverUrl: "https://k8s:6443",
      user: "ci",
      groups: [],
      allowAdministrators: false,
      lifetimeHours: 10,
      certificateAuthority: bundle.certs.k8s,
    };
    const { state } = await userKubeconfigHandler.create(given, silent);
    const accepting = { ...given, acceptedAuthorities: [other.crt] };
    expect(userKubeconfigHandler.diff("id", state, accepting)).toEqual({ changes: true });
    const after = await userKubeconfigHandler.update("id", state, accepting, silent);
    const { clusters } = parse(after.kubeconfig) as {
      clusters: { cluster: Record<string, string> }[];
    };
    expect(clusters[0]?.cluster["certificate-authority-data"]).toBe(
      joinCertificates([bundle.certs.k8s.crt, other.crt]),
    );
    expect(userKubeconfigHandler.diff("id", after, accepting)).toEqual({ changes: false });
  });

  it("of a machine's kubeconfig get a new one at each stage", () => {
    const kubeconfig = { kubeconfig: "", serverUrl: "", notAfter: "" };
    const state = { ...kubeconfig, clientCertificate: bundle.certs.os.crt };
    const news = {
      node: "10.0.0.1",
      endpoint: "10.0.0.1",
      checked: true,
      timeoutSeconds: 1,
      credentials: { ca: "", crt: "", key: "" },
    };
    const changes = (before?: string, after?: string) =>
      clusterKubeconfigHandler.diff(
        "id",
        { ...state, ...(before !== undefined && { rotation: before }) },
        { ...news, ...(after !== undefined && { rotation: after }) },
      ).changes;
    expect(changes()).toBe(false);
    expect(changes(undefined, "kubernetesCa 2 accept")).toBe(true);
    expect(changes("kubernetesCa 2 accept", "kubernetesCa 2 issue")).toBe(true);
    expect(changes("kubernetesCa 2 drop", "kubernetesCa 2 drop")).toBe(false);
  });
});

describe("EtcdMember while the Talos CA is rotated", () => {
  it("records credentials that its delete can use, and touches no machine", async () => {
    const inputs = {
      machineId: "i-1",
      node: "10.0.0.1",
      endpoint: "10.0.0.1",
      peers: [],
      credentials: { ca: "old", crt: "old", key: "old" },
      timeoutSeconds: 1,
    };
    const { state } = await etcdMemberHandler.create(inputs, silent);
    expect(state).not.toHaveProperty("rotation");
    const news = {
      ...inputs,
      credentials: { ca: "new", crt: "new", key: "new" },
      rotation: "talosCa 2 issue",
    };
    expect(etcdMemberHandler.diff("id", state, news)).toEqual({ changes: true });
    const after = await etcdMemberHandler.update("id", state, news, silent);
    expect(after.credentials.crt).toBe("new");
    expect(etcdMemberHandler.diff("id", after, news)).toEqual({ changes: false });
  });
});

describe("RotatedAuthority", () => {
  it("is created once per generation", async () => {
    const inputs = { authority: "talosCa" as const, generation: 2 };
    const { id, state } = await rotatedAuthorityHandler.create(inputs, silent);
    expect(id).toBe("talosCa-2");
    expect(readCertificate(state.certificateAuthority.crt).ca).toBe(true);
    expect(rotatedAuthorityHandler.diff(id, state, inputs)).toMatchObject({ changes: false });
    const third = { ...inputs, generation: 3 };
    expect(rotatedAuthorityHandler.diff(id, state, third).replaces).toEqual(["generation"]);
    const wrong = { ...inputs, authority: "trustdToken" as never };
    expect((await rotatedAuthorityHandler.check(undefined, wrong)).failures).toHaveLength(1);
  });
});

describe("RotatedSecret", () => {
  it.each([
    ["serviceAccountKey", /^-----BEGIN RSA PRIVATE KEY-----/],
    ["secretboxKey", /^[A-Za-z0-9+/]{43}=$/],
    ["bootstrapToken", /^[a-z0-9]{6}\.[a-z0-9]{16}$/],
    ["trustdToken", /^[a-z0-9]{6}\.[a-z0-9]{16}$/],
  ] as const)("is a %s, created once", async (secret, form) => {
    const inputs = { secret, generation: 2 };
    const { id, state } = await rotatedSecretHandler.create(inputs, silent);
    expect(id).toBe(`${secret}-2`);
    const { value } = state;
    const isPem = secret === "serviceAccountKey";
    expect(isPem ? Buffer.from(value, "base64").toString() : value).toMatch(form);
    expect(rotatedSecretHandler.diff(id, state, inputs)).toMatchObject({ changes: false });
    const third = { ...inputs, generation: 3 };
    expect(rotatedSecretHandler.diff(id, state, third).replaces).toEqual(["generation"]);
    const wrong = { ...inputs, secret: "talosCa" as never };
    expect((await rotatedSecretHandler.check(undefined, wrong)).failures).toHaveLength(1);
  });
});

describe("machines while a CA is rotated", () => {
  it("have only the accepted CA as unknown in the preview", async () => {
    const inputs = await machineConfigurationInputs();
    const known = await machineConfigurationHandler.check(undefined, inputs);
    const later = await machineConfigurationHandler.check(undefined, {
      ...inputs,
      acceptedAuthorities: { talosCa: [unknownValue] },
    });
    expect(later.failures).toEqual([]);
    const before = known.inputs.redactedConfiguration as Record<string, object>;
    expect(later.inputs.redactedConfiguration).toEqual({
      ...before,
      machine: { ...before.machine, acceptedCAs: [{ crt: NOT_MADE_YET }] },
    });
  });

  /** What the next test reads of an outline. */
  interface Outline {
    readonly cluster: {
      readonly serviceAccount: { readonly key?: string };
      readonly secretboxEncryptionSecret?: string;
    };
    readonly KubeEtcdEncryptionConfig?: object;
  }

  it("show what is not made yet in documents too, beside the keys that are there", async () => {
    const inputs = { ...(await machineConfigurationInputs()), talosVersion: "v1.14.1" };
    const [plain, later] = await Promise.all(
      [
        {},
        {
          aggregatorCa: [unknownValue],
          serviceAccountKey: [
            publicServiceAccountKey(bundle.certs.k8sserviceaccount.key),
            unknownValue,
          ],
          secretboxKey: [bundle.secrets.secretboxencryptionsecret ?? "", unknownValue],
        },
      ].map((acceptedAuthorities) =>
        machineConfigurationHandler.check(undefined, { ...inputs, acceptedAuthorities }),
      ),
    );
    expect(later?.failures).toEqual([]);
    const [before, after] = [plain, later].map(
      (checked) => checked?.inputs.redactedConfiguration as unknown as Outline,
    );
    const { serviceAccount, secretboxEncryptionSecret } = before?.cluster ?? { serviceAccount: {} };
    expect(after).toMatchObject({
      KubeAggregatorCAConfig: { acceptedCAs: [NOT_MADE_YET] },
      KubeServiceAccountConfig: {
        issuer: { privateKey: serviceAccount.key },
        accepted: { publicKeys: [expect.stringContaining("PUBLIC KEY"), NOT_MADE_YET] },
      },
    });
    const keys = JSON.stringify(after?.KubeEtcdEncryptionConfig);
    expect(keys).toContain(secretboxEncryptionSecret);
    expect(keys).toContain(NOT_MADE_YET);
    // In the first preview of a cluster, nothing is made yet.
    const first = await machineConfigurationHandler.check(undefined, {
      ...inputs,
      secretsBundle: unknownValue,
      acceptedAuthorities: { aggregatorCa: [unknownValue], serviceAccountKey: [unknownValue] },
    });
    expect(first.failures).toEqual([]);
  });

  it("reject a stage that doesn't follow from theirs", async () => {
    const { installerImage: _, ...inputs } = await machineConfigurationInputs();
    const textOf = (secretsBundle: SecretsBundle, talosCa: string[]) =>
      encodeDocuments(
        generateMachineConfig({
          ...inputs,
          secretsBundle,
          installerImage: "ghcr.io/siderolabs/installer:v1.12.1",
          acceptedAuthorities: { talosCa },
        }),
      );
    const given = {
      machineId: "i-1",
      node: "10.0.0.1",
      endpoint: "10.0.0.1",
      patches: [],
      mode: "auto",
      credentials: { ca: "", crt: "", key: "" },
      redactedConfiguration: "",
      timeoutSeconds: 1,
    } as const;
    const check = async (olds: object | undefined, machineConfiguration: string) =>
      configurationApplyHandler.check(olds, { ...given, machineConfiguration });
    const [plain, accepting, issuing] = [
      textOf(bundle, []),
      textOf(bundle, [next.crt]),
      textOf(issuingNext(), [bundle.certs.os.crt]),
    ];
    const first = await check(undefined, plain);
    expect((await check(first.inputs, issuing)).failures).toMatchObject([{ property: "rotation" }]);
    const second = await check(first.inputs, accepting);
    expect(second.failures).toEqual([]);
    expect((await check(second.inputs, issuing)).failures).toEqual([]);
    expect((await check(second.inputs, textOf(issuingNext(), []))).failures).toHaveLength(1);
  });
});
