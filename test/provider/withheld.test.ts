import { withoutSecrets } from "../../cli/offline/withoutSecrets";
import {
  decodeUserData,
  encodeUserData,
  withheldUserData,
} from "../../components/machines/userData";
import type { MachineType, SecretsBundle } from "../../provider";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { withheldText } from "../../provider/config/secrets/withheld";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { deriveServingCertificate } from "../../provider/pki/deriveServingCertificate";
import { serviceAccountKeySet } from "../../provider/pki/jsonWebKeySet";
import { WITHHELD } from "../../provider/pki/withheld";
import { machineConfigurationHandler as handler } from "../../provider/resources/machineConfigurationHandler";
import { serve } from "../../provider/serve";
import { expectNoSecrets, machineConfigurationInputs } from "./resources/samples";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({
  [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

const plaintext = (value: unknown) =>
  JSON.parse((value as { readonly plaintext: string }).plaintext) as unknown;

describe("a state without secrets", () => {
  it("has pools' user data that follows from the rest, and the public half of the tokens' key", async () => {
    const inputs = await machineConfigurationInputs();
    const { secretsBundle } = inputs;
    const installerImage = "factory.talos.dev/aws-installer/a:v1.12.1";
    const text = encodeDocuments(
      generateMachineConfig({ ...inputs, machineType: "worker", installerImage }),
    );
    const userData = encodeUserData(text);
    expect(decodeUserData(userData)).toBe(text);
    const resources = [
      { urn: "a", outputs: { secretsBundle: secret(secretsBundle) } },
      { urn: "b", inputs: { userData: secret(userData) } },
    ];
    const without = withoutSecrets({ version: 3, deployment: { resources } });
    expectNoSecrets(without, secretsBundle);
    const [{ outputs }, { inputs: template }] = (
      without.deployment as { resources: Record<"inputs" | "outputs", Record<string, unknown>>[] }
    ).resources as [
      Record<"outputs", Record<string, unknown>>,
      Record<"inputs", Record<string, unknown>>,
    ];
    const bundle = plaintext(outputs.secretsBundle) as typeof secretsBundle;
    expect(bundle.certs.k8s).toEqual({ crt: secretsBundle.certs.k8s.crt, key: WITHHELD });
    expect(serviceAccountKeySet(bundle)).toEqual(serviceAccountKeySet(secretsBundle));
    // A program makes the same of the bundle.
    const known = withheldText(text, undefined);
    expect(plaintext(template.userData)).toBe(encodeUserData(known));
    expect(withheldUserData(known.replace("kubelet:v1.35.0", "kubelet:v1.35.1"))).not.toBe(
      withheldUserData(known),
    );
    expect(await deriveServingCertificate(bundle.certs.k8s, ["a"])).toEqual({
      crt: WITHHELD,
      key: WITHHELD,
    });
  });

  it.each<[contract: string, talos: string, role: MachineType]>([
    ["v1.12", "v1.12.1", "controlplane"],
    // In the middle of a rotation, which has documents.
    ["v1.13", "v1.14.1", "controlplane"],
    ["v1.14", "v1.14.1", "controlplane"],
    ["v1.14", "v1.14.1", "worker"],
  ])("of contract %s, with Talos %s: a preview finds a %s unchanged", async (...given) => {
    const [versionContract, talosVersion, machineType] = given;
    const { secretsBundle, ...base } = await machineConfigurationInputs();
    // What is derived from a CA's key differs without it.
    const certificate = (data: string) => ({
      inlineManifests: [{ name: "a-certificate", contents: `kind: Secret\ndata:\n  a: ${data}\n` }],
      acceptedAuthorities: { aggregatorCa: [secretsBundle.certs.k8s.crt] },
    });
    const input = (bundle: SecretsBundle, data: string) => ({
      ...base,
      versionContract,
      talosVersion,
      machineType,
      secretsBundle: bundle,
      ...(machineType === "controlplane" && certificate(data)),
    });
    const { inputs, failures } = await handler.check(undefined, input(secretsBundle, "one"));
    expect(failures).toEqual([]);
    const { machineConfiguration, ...shown } = inputs;
    const resources = [
      {
        urn: "a",
        inputs: {
          ...shown,
          secretsBundle: secret(secretsBundle),
          inlineManifests: secret([]),
          machineConfiguration: secret(machineConfiguration),
        },
      },
    ];
    const without = withoutSecrets({ version: 3, deployment: { resources } });
    expectNoSecrets(without, secretsBundle);
    const [kept] = (without.deployment as { resources: { inputs: Record<string, unknown> }[] })
      .resources;
    const bundle = plaintext(kept?.inputs.secretsBundle) as SecretsBundle;
    const next = await handler.check(undefined, input(bundle, "two"));
    expect(next.failures).toEqual([]);
    expect(next.inputs).toMatchObject({
      redactedConfiguration: kept?.inputs.redactedConfiguration,
      machineConfigurationHash: kept?.inputs.machineConfigurationHash,
    });
  });

  it("has the outline alone where what a program marked can't be told from the rest", () => {
    const marked = "first-in-a-free-text";
    const manifest = (said: string) => ({
      cluster: {
        secret: WITHHELD,
        inlineManifests: [{ name: "a", contents: `kind: ConfigMap\ndata: ${said}\n` }],
      },
    });
    const text = encodeDocuments([manifest(marked)]);
    const outline = {
      cluster: {
        secret: "«secret»",
        inlineManifests: {
          a: { name: "a", contents: "otherwise written: «secret hmac:1a2b3c4d»" },
        },
      },
    };
    const withheld = withheldText(text, outline);
    expect(withheld).not.toContain(marked);
    expect(withheld).toContain("otherwise written: «secret»");
    expect(withheld).toContain(WITHHELD);
  });

  it("is refused if a secret is also in clear", () => {
    const token = "0123456789abcdef0123456789abcdef";
    const resources = [{ urn: "a", inputs: { token: secret(token), note: `it is ${token}` } }];
    expect(() => withoutSecrets({ version: 3, deployment: { resources } })).toThrow(
      "the state has 1 of its secrets in clear too",
    );
  });

  it("may show what outlines show of manifests and patches, and nothing else of them", () => {
    const [manifest, token] = ["kind: ServiceAccount\n", "0123456789abcdef0123456789abcdef"];
    const state = (note: string) => {
      const redactedConfiguration = { cluster: { inlineManifests: { a: manifest } } };
      const inlineManifests = secret([{ name: "a", contents: manifest }]);
      const patches = secret([{ cluster: { token } }]);
      const inputs = { redactedConfiguration, inlineManifests, patches, note };
      return { version: 3, deployment: { resources: [{ urn: "a", inputs }] } };
    };
    expect(JSON.stringify(withoutSecrets(state("")))).not.toContain(token);
    expect(() => withoutSecrets(state(token))).toThrow("the state has 1 of its secrets in clear");
  });

  it("changes no machine", async () => {
    const bootstrap = serve("MachineBootstrap");
    const inputs = { node: "127.0.0.1", credentials: { key: WITHHELD } };
    await expect(bootstrap.create(inputs)).rejects.toThrow("which is for previews only");
    await expect(bootstrap.update("id", {}, inputs)).rejects.toThrow("which is for previews only");
  });
});
