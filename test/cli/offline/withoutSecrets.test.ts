import { withoutSecrets } from "../../../cli/offline/withoutSecrets";
import { encodeUserData } from "../../../components/machines/userData";
import { WITHHELD } from "../../../provider/pki/withheld";
import { kubernetesObjectsHandler as objects } from "../../../provider/resources/kubernetesObjects";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../provider/resources/samples";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const plaintext = (value: unknown) =>
  JSON.parse((value as { readonly plaintext: string }).plaintext) as unknown;

/** Inputs that are secret as a whole. */
const MIXED = ["inlineManifests", "patches", "diskEncryption", "userVolumes"] as const;

type Inputs = Parameters<typeof handler.check>[1];

/** Secrets of every place, each different for another seed. */
const secretsOf = (seed: string) => ({
  marked: `${seed}-in-a-free-text`,
  object: Buffer.from(`${seed} of a Secret`).toString("base64"),
  annotation: `${seed}-marked-annotation`,
  overwritten: `${seed}-which-no-machine-gets`,
  password: `${seed}-of-a-registry`,
  token: `ghp_${seed.repeat(9).slice(0, 36)}`,
  passphrase: `${seed}-of-a-disk`,
});

type Secrets = ReturnType<typeof secretsOf>;

/** With each of them in a place, and the ones marked that only a program knows. */
async function inputsWith(given: Secrets): Promise<Inputs> {
  const { marked, object, annotation, overwritten, password, token, passphrase } = given;
  const inputs = {
    ...(await machineConfigurationInputs()),
    inlineManifests: [
      {
        name: "notes",
        contents: `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: notes\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: notes\ndata:\n  password: ${password}\n  notes: "say ${marked} to them"\n`,
      },
      {
        name: "login",
        contents: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: login\ndata:\n  value: ${object}\n`,
      },
      { name: "plain", contents: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: plain\n" },
    ],
    patches: [
      { machine: { nodeAnnotations: { one: annotation, two: overwritten, three: token } } },
      `machine:\n  nodeAnnotations:\n    two: plain\n  registries:\n    config:\n      registry.example.com:\n        auth:\n          username: me\n          password: ${password}\n`,
      { machine: { sysctls: { "net.core.somaxconn": "1024" } } },
    ],
    diskEncryption: { ephemeral: [{ static: { passphrase } }] },
    userVolumes: [{ name: "data", minSize: "10GB" }],
    markedValues: [marked, annotation, overwritten],
  };
  return inputs;
}

/** A state with this configuration, a launch template with it, and its export. */
async function exportOf(given: Inputs) {
  const { inputs, failures } = await handler.check(undefined, given);
  expect(failures).toEqual([]);
  const { machineConfiguration, machineConfigurationHash, secretsBundle, ...others } = inputs;
  const { markedValues: _, ...kept } = others as Record<string, unknown>;
  const wrapped = MIXED.flatMap((name) =>
    kept[name] === undefined ? [] : [[name, secret(kept[name])] as const],
  );
  const resources = [
    { urn: "a", outputs: { secretsBundle: secret(secretsBundle) } },
    {
      urn: "b",
      inputs: { ...kept, ...Object.fromEntries(wrapped) },
      outputs: { machineConfiguration: secret(machineConfiguration), machineConfigurationHash },
    },
    { urn: "c", inputs: { userData: secret(encodeUserData(machineConfiguration)) } },
  ];
  const state = { version: 3, deployment: { resources } };
  return { state, exported: withoutSecrets(state) };
}

const resourcesOf = ({ exported }: Awaited<ReturnType<typeof exportOf>>) =>
  (exported.deployment as { resources: Record<string, Record<string, unknown>>[] }).resources;

describe("the export of manifests, patches and encryption that contain secrets", () => {
  it("has none of them, nor anything that follows from one", async () => {
    const [one, other] = [secretsOf("first"), secretsOf("other")];
    const exported = await exportOf(await inputsWith(one));
    const [before, after] = [exported.state, exported.exported].map((each) => JSON.stringify(each));
    for (const value of Object.values(one)) {
      expect(before).toContain(value);
      for (const form of [value, Buffer.from(value).toString("base64").slice(0, -4)]) {
        expect(after).not.toContain(form);
      }
    }
    expect((await exportOf(await inputsWith(other))).exported).toEqual(exported.exported);
  });

  it("shows what outlines show, so that a preview finds no change and each change of the rest", async () => {
    const given = await inputsWith(secretsOf("first"));
    const [bundle, kept] = resourcesOf(await exportOf(given));
    const secretsBundle = plaintext(bundle?.outputs?.secretsBundle);
    const shown = (name: string) => plaintext(kept?.inputs?.[name]);
    const preview = async (changed: object) =>
      (await handler.check(undefined, { ...given, secretsBundle, ...changed } as Inputs)).inputs;
    const same = await preview({});
    for (const name of MIXED) {
      expect((same as unknown as Record<string, unknown>)[name]).toEqual(shown(name));
    }
    expect(same.redactedConfiguration).toEqual(kept?.inputs?.redactedConfiguration);
    expect(same.machineConfigurationHash).toBe(kept?.outputs?.machineConfigurationHash);
    expect(shown("inlineManifests")).toEqual([
      { name: "notes", contents: WITHHELD },
      { name: "login", contents: WITHHELD },
      { name: "plain", contents: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: plain\n" },
    ]);
    expect(shown("patches")).toContainEqual({
      machine: { sysctls: { "net.core.somaxconn": "1024" } },
    });
    const patches = [...(given.patches ?? []), { machine: { sysctls: { "vm.swappiness": "1" } } }];
    expect((await preview({ patches })).patches).not.toEqual(shown("patches"));
  });

  it("has no value of a JSON patch", async () => {
    const value = "in-a-json-patch";
    const { exported } = await exportOf({
      ...(await machineConfigurationInputs()),
      // Without documents, beside which Talos takes no JSON patch.
      versionContract: "v1.11",
      patches: [[{ op: "add", path: "/machine/nodeAnnotations", value: { note: value } }]],
      markedValues: [value],
    } as unknown as Inputs);
    expect(JSON.stringify(exported)).not.toContain(value);
    expect(JSON.stringify(exported)).toContain("/machine/nodeAnnotations");
  });

  it("is refused if one is in clear elsewhere, and says where", async () => {
    const { object, ...known } = secretsOf("first");
    const { state } = await exportOf(await inputsWith({ ...known, object }));
    for (const value of Object.values(known)) {
      const resources = [...state.deployment.resources, { urn: "a::note", inputs: { value } }];
      expect(() => withoutSecrets({ version: 3, deployment: { resources } }), value).toThrow(
        /secrets in clear too, in "note", so nothing was written/,
      );
    }
  });
});

describe("the export of a list of objects with secrets, such as those of Karpenter and Flux", () => {
  type Given = Parameters<typeof objects.check>[1];
  const manifests = (...names: readonly string[]) => [
    {
      name: "list",
      contents: names
        .map(
          (name) =>
            `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: {a: hunter2hunter2}\n`,
        )
        .join("---\n"),
    },
  ];
  const given = (...names: readonly string[]) =>
    ({
      nodes: ["10.0.0.1"],
      credentials: { ca: "ca", crt: "crt", key: "key" },
      inventory: "karpenter",
      deleteContainers: false,
      awaitRollouts: true,
      timeoutSeconds: 600,
      manifests: manifests(...names),
    }) as unknown as Given;

  it("shows which objects come and go, and says what it can't show", async () => {
    const { inputs } = await objects.check(undefined, given("one", "two"));
    const { salt, objects: listed } = inputs as { readonly salt: string; readonly objects: object };
    const state = { inventory: "karpenter", objects: listed, salt: secret(salt) };
    const exported = withoutSecrets({
      version: 3,
      deployment: { resources: [{ urn: "a", inputs: state, outputs: state }] },
    });
    expect(JSON.stringify(exported)).not.toContain(salt);
    const { deployment } = exported as { deployment: { resources: { inputs: typeof state }[] } };
    const recorded = deployment.resources[0]?.inputs;
    const olds = { ...recorded, salt: plaintext(recorded?.salt) } as Partial<Given>;

    const same = await objects.check(olds, given("one", "two"));
    expect(same.inputs.objects).toEqual(listed);
    expect(same.warnings).toEqual([expect.stringContaining("isn't shown")]);
    const other = await objects.check(olds, given("one", "three"));
    expect(Object.keys(Object.values(other.inputs.objects ?? {})[0] ?? {})).toEqual([
      "Secret one",
      "Secret three",
    ]);
    expect(other.warnings?.[0]).toContain("deletes Secret two");
  });
});
