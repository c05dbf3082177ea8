import { parse } from "yaml";
import { ENCRYPTION_FLAG } from "../../../../provider/config/generate/acceptedSecretboxKeys";
import { publicServiceAccountKey } from "../../../../provider/config/generate/acceptedServiceAccountKeys";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { isMapping } from "../../../../provider/config/machineConfig";
import { sharedSecrets } from "../../pki/sharedSecrets";
import { contracts, expectGenerated, inputWith } from "./expectGenerated";

test.each(contracts)("%s accepts other CAs in machine and cluster", (contract) => {
  for (const machineType of ["controlplane", "worker"] as const) {
    expectGenerated(
      contract,
      { machineType, acceptedAuthorities: { talosCa: ["YQ=="], kubernetesCa: ["Yg==", "Yw=="] } },
      {
        config: {
          machine: { acceptedCAs: [{ crt: "YQ==" }] },
          cluster: { acceptedCAs: [{ crt: "Yg==" }, { crt: "Yw==" }] },
        },
      },
    );
    expectGenerated(contract, { machineType, acceptedAuthorities: { talosCa: [] } }, {});
  }
});

/** What only control planes accept. */
const ofControlPlanes = {
  etcdCa: [Buffer.from("another").toString("base64")],
  serviceAccountKey: ["cHVibGljIDEK", "cHVibGljIDIK"],
  bootstrapToken: ["abcdef.0123456789abcdef"],
};

test.each(contracts)("%s accepts etcd's CAs and service account keys", (contract) => {
  const { etcd } = inputWith(contract, {}).secretsBundle.certs;
  const own = Buffer.from(etcd.crt, "base64").toString().trimEnd();
  const folder = "/var/etc/talos-aws";
  expectGenerated(
    contract,
    { acceptedAuthorities: { ...ofControlPlanes, bootstrapToken: [] } },
    {
      config: {
        machine: {
          files: [
            {
              content: "public 1\npublic 2\n",
              permissions: 0o644,
              path: "/var/etc/talos-aws/service-account.pub",
              op: "create",
            },
          ],
        },
        cluster: {
          etcd: { ca: { crt: Buffer.from(`${own}\nanother\n`).toString("base64") } },
          apiServer: {
            extraArgs: { service_account_key_file: "/var/etc/talos-aws/service-account.pub" },
            extraVolumes: [{ hostPath: folder, mountPath: folder, readonly: true }],
          },
        },
      },
    },
  );
  expectGenerated(contract, { machineType: "worker", acceptedAuthorities: ofControlPlanes }, {});
});

test("an accepted bootstrap token comes after other manifests, as Talos itself renders one", () => {
  const [config = {}] = generateMachineConfig(
    inputWith("v1.12", {
      acceptedAuthorities: ofControlPlanes,
      inlineManifests: [{ name: "own", contents: "kind: Namespace" }],
    }),
  );
  const { cluster } = config;
  const [own, token] = (isMapping(cluster) ? cluster.inlineManifests : []) as {
    readonly name: string;
    readonly contents: string;
  }[];
  expect(own?.name).toBe("own");
  expect(parse(token?.contents ?? "")).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "bootstrap-token-abcdef", namespace: "kube-system" },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "auth-extra-groups": "system:bootstrappers:nodes",
      "token-id": "abcdef",
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-authentication": "true",
    },
  });
});

test("the public key of a service account key is PEM that names no private one", async () => {
  const { certs } = await sharedSecrets();
  const pem = Buffer.from(publicServiceAccountKey(certs.k8sserviceaccount.key), "base64");
  expect(pem.toString()).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/);
});

describe("secretbox keys that are accepted", () => {
  /** A control plane whose keys are these, of which one encrypts. */
  function controlPlane(encrypting: string, aescbc?: string) {
    const { secretsBundle } = inputWith("v1.12", {});
    const secrets = {
      ...secretsBundle.secrets,
      secretboxencryptionsecret: encrypting,
      ...(aescbc !== undefined && { aescbcencryptionsecret: aescbc }),
    };
    const [config = {}] = generateMachineConfig(
      inputWith("v1.12", {
        secretsBundle: { ...secretsBundle, secrets },
        acceptedAuthorities: { secretboxKey: ["b2xk", "bmV3"], serviceAccountKey: ["cHVi"] },
      }),
    );
    const { machine, cluster } = config as {
      machine: { files: { path: string; permissions: number; content: string }[] };
      cluster: { apiServer: { extraArgs: Record<string, string> } };
    };
    const path = cluster.apiServer.extraArgs[ENCRYPTION_FLAG];
    const file = machine.files.find((each) => each.path === path);
    return { files: machine.files, file };
  }

  const providersIn = (content = "") =>
    (parse(content) as { resources: { providers: object[] }[] }).resources[0]?.providers;
  const secretbox = (secret: string) => ({ secretbox: { keys: [{ name: "key2", secret }] } });

  it("are in one file per encrypting key; the configuration's key chooses the file", () => {
    const accepting = controlPlane("b2xk");
    const issuing = controlPlane("bmV3");
    // The same files in both stages, so that the second one needs no reboot.
    expect(issuing.files).toEqual(accepting.files);
    expect(providersIn(accepting.file?.content)).toEqual([
      secretbox("b2xk"),
      secretbox("bmV3"),
      { identity: {} },
    ]);
    expect(providersIn(issuing.file?.content)).toEqual([
      secretbox("bmV3"),
      secretbox("b2xk"),
      { identity: {} },
    ]);
  });

  it("are in a folder that only the API server's user can enter, beside other files", () => {
    const { files } = controlPlane("b2xk");
    const own = files.filter(({ path }) => path.startsWith("/var/log/audit/kube/"));
    expect(own.map(({ permissions }) => permissions)).toEqual([0o644, 0o644]);
    expect(files).toHaveLength(3);
  });

  it("leave Secrets readable that an AES-CBC key encrypted", () => {
    const { file } = controlPlane("b2xk", "YWVz");
    expect(providersIn(file?.content)).toContainEqual({
      aescbc: { keys: [{ name: "key1", secret: "YWVz" }] },
    });
  });
});

describe("what Talos v1.14 accepts", () => {
  const release = { talosVersion: "v1.14.1", kubernetesVersion: "1.35.0" };

  it("is in the documents that Talos' own validation takes beside an older contract", async () => {
    const secretsBundle = await sharedSecrets();
    const { certs, secrets } = secretsBundle;
    const { secretboxencryptionsecret: own = "" } = secrets;
    const pem = (base64: string) => Buffer.from(base64, "base64").toString();
    const publicKey = publicServiceAccountKey(certs.k8sserviceaccount.key);
    const [config = {}, ...documents] = generateMachineConfig(
      inputWith("v1.12", {
        ...release,
        secretsBundle,
        acceptedAuthorities: {
          serviceAccountKey: [publicKey],
          secretboxKey: ["b2xk", own],
          aggregatorCa: [certs.k8s.crt],
        },
      }),
    );
    const secretbox = (secret: string) => ({ secretbox: { keys: [{ name: "key2", secret }] } });
    expect(documents.filter(({ kind }) => kind !== "HostnameConfig")).toEqual([
      {
        apiVersion: "v1alpha1",
        kind: "KubeAggregatorCAConfig",
        issuingCA: { cert: pem(certs.k8saggregator.crt), key: pem(certs.k8saggregator.key) },
        acceptedCAs: [pem(certs.k8s.crt)],
      },
      {
        apiVersion: "v1alpha1",
        kind: "KubeEtcdEncryptionConfig",
        config: {
          resources: [
            {
              resources: ["secrets"],
              providers: [secretbox(own), secretbox("b2xk"), { identity: {} }],
            },
          ],
        },
      },
      {
        apiVersion: "v1alpha1",
        kind: "KubeServiceAccountConfig",
        issuer: {
          privateKey: pem(certs.k8sserviceaccount.key),
          issuerURL: "https://api.example.com:6443",
        },
        accepted: { publicKeys: [pem(publicKey)] },
      },
    ]);
    // Talos refuses a document beside the fields that it replaces.
    for (const field of ["serviceAccount", "secretboxEncryptionSecret", "aggregatorCA"]) {
      expect(config.cluster).not.toHaveProperty(field);
    }
    expect(config.machine).not.toHaveProperty("files");
    expect(config.cluster).not.toHaveProperty("apiServer.extraArgs");
  });

  it("is in fields while there is one of each, as with any other Talos", () => {
    const [config, ...documents] = generateMachineConfig(inputWith("v1.12", release));
    const [former, ...others] = generateMachineConfig(
      inputWith("v1.12", { ...release, talosVersion: "v1.13.9" }),
    );
    expect([config, ...documents]).toEqual([former, ...others]);
  });

  it("includes CAs of the aggregator, which are all in one field before, the issuing one first", async () => {
    const secretsBundle = await sharedSecrets();
    const { k8saggregator, k8s } = secretsBundle.certs;
    const [config = {}, ...documents] = generateMachineConfig(
      inputWith("v1.12", {
        ...release,
        talosVersion: "v1.13.9",
        secretsBundle,
        acceptedAuthorities: { aggregatorCa: [k8s.crt] },
      }),
    );
    const pem = [k8saggregator, k8s].map(({ crt }) => Buffer.from(crt, "base64").toString());
    expect(config.cluster).toMatchObject({
      aggregatorCA: { crt: Buffer.from(pem.join("")).toString("base64"), key: k8saggregator.key },
    });
    expect(documents.map(({ kind }) => kind)).not.toContain("KubeAggregatorCAConfig");
  });
});
