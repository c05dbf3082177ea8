import { UNKNOWN } from "../../../provider/base/unknown";
import { NOT_MADE_YET } from "../../../provider/config/effects/outline";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { sharedSecrets } from "../pki/sharedSecrets";
import { silent } from "../progress";
import { expectNoSecrets, machineConfigurationInputs, secretValues, unknownValue } from "./samples";

type Inputs = Awaited<ReturnType<typeof machineConfigurationInputs>>;

let inputs: Inputs;
let secrets: SecretsBundle;

beforeAll(async () => {
  inputs = await machineConfigurationInputs();
  secrets = await sharedSecrets();
});

/** As much of what runs as tells its Kubernetes. */
const outlineOf = (version: string) => ({
  cluster: { apiServer: { image: `registry.k8s.io/kube-apiserver:${version}` } },
});

describe("check of MachineConfiguration", () => {
  it("computes the same from the same inputs, without secrets in the redacted form", async () => {
    const { inputs: first, failures } = await handler.check(undefined, inputs);
    expect(failures).toEqual([]);
    expect(decodeDocuments(first.machineConfiguration)[0]).toMatchObject({
      machine: { type: "controlplane", install: { image: first.installerImage } },
    });
    expect(first.machineConfiguration).toContain(secrets.trustdinfo.token);
    expect(first.machineConfigurationHash).toMatch(/^[0-9a-f]{64}$/);
    expect(first.installerImage).toMatch(/^factory\.talos\.dev\/aws-installer\/.*:v1\.12\.1$/);
    expectNoSecrets(first.redactedConfiguration, secrets);
    // What it computed last comes back as an input, and counts for nothing.
    const { inputs: second } = await handler.check(first, first);
    expect(second).toEqual(first);
    const stale = { ...first, machineConfigurationHash: "stale", machineConfiguration: "stale" };
    expect((await handler.check(first, stale)).inputs).toEqual(first);
  });

  it("names all problems at once and no secret", async () => {
    const wrong = {
      ...inputs,
      endpoint: "http://k8s.demo.example.com:6443",
      kubernetesVersion: "banana",
      talosVersion: "1.12",
      schematicId: "abc",
    };
    const { failures, inputs: checked } = await handler.check(undefined, wrong);
    expect(new Set(failures.map(({ property }) => property))).toEqual(
      new Set(["endpoint", "kubernetesVersion", "talosVersion", "schematicId"]),
    );
    for (const bad of ["http://k8s", '"banana"', '"1.12"', '"abc"']) {
      expect(JSON.stringify(failures.map(({ reason }) => reason).join("\n"))).toContain(
        bad.replaceAll('"', '\\"'),
      );
    }
    expectNoSecrets(failures, secrets);
    expect(checked).toEqual(wrong);
  });

  it("refuses what the wanted Kubernetes has removed, also where that is taken out only now", async () => {
    const gate = { cluster: { apiServer: { extraArgs: { "feature-gates": "AppArmor=true" } } } };
    const before = { ...inputs, kubernetesVersion: "1.32.0", patches: [gate] };
    // Made while there was no such release.
    const { inputs: made } = await handler.check(
      { ...before, redactedConfiguration: outlineOf("v1.32.0") },
      before,
    );
    const wanted = { ...before, kubernetesVersion: "1.33.0" };
    const refusals = [
      [[gate], "patches", 'has no feature gate "AppArmor"'],
      [[], "kubernetesVersion", 'removed the feature gate "AppArmor"'],
    ] as const;
    for (const [patches, property, reason] of refusals) {
      const { failures } = await handler.check(made, { ...wanted, patches: [...patches] });
      expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) as string }]);
    }
    expect((await handler.check(made, before)).failures).toEqual([]);
  });

  it("refuses a patch that makes the kubelet newer than the API server, on workers too", async () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.35.0";
    const patches = [{ machine: { kubelet: { image } } }];
    for (const machineType of ["controlplane", "worker"] as const) {
      const given = { ...inputs, machineType, kubernetesVersion: "1.34.3", patches };
      expect((await handler.check(undefined, given)).failures).toEqual([
        {
          property: "kubernetesVersion",
          reason: expect.stringContaining("newer than the API server's v1.34.3") as string,
        },
      ]);
      const fitting = { ...given, kubernetesVersion: "1.35.0" };
      expect((await handler.check(undefined, fitting)).failures).toEqual([]);
    }
  });

  it("asks what the machines run on, and takes nothing for granted", async () => {
    const { platform, ...bare } = inputs;
    expect(platform).toBe("aws");
    const { failures } = await handler.check(undefined, bare as typeof inputs);
    expect(failures).toEqual([
      { property: "platform", reason: expect.stringMatching(/^it is missing/) as string },
    ]);
    const { inputs: metal } = await handler.check(undefined, { ...inputs, platform: "metal" });
    expect(metal.installerImage).toMatch(/^factory\.talos\.dev\/metal-installer\//);
  });

  it("says that secrets are missing, which ignoreChanges makes them", async () => {
    const { secretsBundle, ...without } = inputs;
    expect(secretsBundle).toBeDefined();
    const { failures } = await handler.check(undefined, without as typeof inputs);
    expect(failures).toEqual([
      { property: "secretsBundle", reason: expect.stringContaining("ignoreChanges") as string },
    ]);
  });

  it("gives back what it refuses as it was given: an engine that updates shows no failure beside anything unknown", async () => {
    for (const mistake of [
      { endpoint: "http://k8s" },
      { patches: [{ machine: { kubelt: {} } }] },
    ]) {
      const wrong = { ...inputs, ...mistake };
      const { failures, inputs: checked } = await handler.check(undefined, wrong);
      expect(failures).toHaveLength(1);
      expect(checked).toEqual(wrong);
    }
  });

  it("names the patch and the path of what is wrong with it, and no secret", async () => {
    const patches = [
      { machine: { sysctls: { "vm.max_map_count": "262144" } } },
      { machine: { token: secrets.trustdinfo.token, kubelt: {} } },
    ];
    const { failures } = await handler.check(undefined, { ...inputs, patches });
    expect(failures.map(({ property }) => property)).toContain("patches");
    expect(failures[0]?.reason).toMatch(/1/);
    expect(failures[0]?.reason).toContain("kubelt");
    expectNoSecrets(failures, secrets);
  });

  it("refuses a patch that names the installer of another platform, also before there are secrets", async () => {
    const patches = ["machine: {install: {image: 'ghcr.io/siderolabs/installer:v1.12.1'}}"];
    for (const secretsBundle of [inputs.secretsBundle, unknownValue]) {
      const { failures } = await handler.check(undefined, { ...inputs, patches, secretsBundle });
      expect(failures).toEqual([
        {
          property: "patches",
          reason: expect.stringContaining(
            'is an installer for machines of the platform "metal"',
          ) as string,
        },
      ]);
    }
  });

  it("knows all but the secrets before there are any, and judges the patches", async () => {
    const patches = ["machine: {sysctls: {vm.max_map_count: 262144}}"];
    const known = await handler.check(undefined, { ...inputs, patches });
    const news = { ...inputs, patches, secretsBundle: unknownValue };
    const { inputs: checked, failures } = await handler.check(undefined, news);
    expect(failures).toEqual([]);
    expect(checked).toMatchObject({
      machineConfiguration: UNKNOWN,
      machineConfigurationHash: UNKNOWN,
      installerImage: known.inputs.installerImage,
    });
    const { id } = secrets.cluster;
    const withoutSecrets = JSON.stringify(known.inputs.redactedConfiguration)
      .replace(/"«(?:secret|certificate) [^"]*"/g, JSON.stringify(NOT_MADE_YET))
      .replace(JSON.stringify(id), JSON.stringify(NOT_MADE_YET));
    expect(checked.redactedConfiguration).toEqual(JSON.parse(withoutSecrets));
    expect(withoutSecrets.split(NOT_MADE_YET).length - 1).toBeGreaterThan(10);

    const wrong = { ...news, patches: [{ machine: { kubelt: {} } }] };
    expect((await handler.check(undefined, wrong)).failures[0]?.reason).toContain("kubelt");
  });

  it.each(["v1.12", "v1.14"])(
    "knows all but the text of a manifest that is not made yet, in contract %s",
    async (versionContract) => {
      const manifests = (contents: string) => [
        { name: "mine", contents: "kind: ConfigMap\ndata: { mode: fast }\n" },
        { name: "certificate", contents },
      ];
      const of = (inlineManifests: unknown) =>
        handler.check(undefined, {
          ...inputs,
          ...(versionContract === "v1.14" && { talosVersion: "v1.14.1" }),
          versionContract,
          inlineManifests,
        } as Inputs);
      const known = await of(manifests("TO BE MADE"));
      const { inputs: checked, failures } = await of(manifests(UNKNOWN));
      expect(failures).toEqual([]);
      expect(checked).toMatchObject({
        machineConfiguration: UNKNOWN,
        machineConfigurationHash: UNKNOWN,
        installerImage: known.inputs.installerImage,
      });
      const open = JSON.stringify(known.inputs.redactedConfiguration);
      expect(open).toContain('"TO BE MADE"');
      expect(checked.redactedConfiguration).toEqual(
        JSON.parse(open.replace('"TO BE MADE"', JSON.stringify(NOT_MADE_YET))),
      );
      const unnamed = [{ name: UNKNOWN, contents: "a: b" }];
      for (const unlisted of [unknownValue, [unknownValue], unnamed]) {
        expect((await of(unlisted)).inputs.redactedConfiguration).toBe(UNKNOWN);
      }
    },
  );

  it("judges what it knows in a preview, and leaves the rest unknown", async () => {
    const news = {
      ...inputs,
      secretsBundle: unknownValue,
      kubernetesVersion: "banana",
    };
    const { inputs: checked, failures } = await handler.check(undefined, news);
    expect(failures.map(({ property }) => property)).toEqual(["kubernetesVersion"]);
    expect(checked).toEqual(news);
    const right = { ...news, kubernetesVersion: inputs.kubernetesVersion, endpoint: unknownValue };
    expect((await handler.check(undefined, right)).inputs).toMatchObject({
      machineConfiguration: UNKNOWN,
      machineConfigurationHash: UNKNOWN,
      redactedConfiguration: UNKNOWN,
      installerImage: UNKNOWN,
    });
  });
});

describe("diff of MachineConfiguration", () => {
  const rendered = async (patches: readonly (string | { machine: object })[]) => {
    const { inputs: checked, failures } = await handler.check(undefined, {
      ...inputs,
      patches: patches,
    });
    expect(failures).toEqual([]);
    return checked;
  };

  it("sees no change in another way to write the same", async () => {
    const news = await rendered([
      { machine: { sysctls: { "vm.max_map_count": "1", "net.core.somaxconn": "2" } } },
    ]);
    const { id, state } = await handler.create(news, silent);
    expect(id).toBe("demo-controlplane");
    expect(handler.diff(id, state, news)).toEqual({ changes: false });
    const same = await rendered([
      'machine:\n  sysctls: {"net.core.somaxconn": "2"} # a note\n',
      { machine: { sysctls: { "vm.max_map_count": "1" } } },
    ]);
    expect(handler.diff(id, state, same)).toEqual({ changes: false });
  });

  it("sees none in a platform that is given now, where it was always that", async () => {
    const news = await rendered([]);
    const { platform, ...before } = news;
    expect(platform).toBe("aws");
    const { id, state } = await handler.create(before as typeof news, silent);
    const { inputs: given } = await handler.check(before, news);
    expect(handler.diff(id, state, given)).toEqual({ changes: false });
  });

  it("sees another meaning, another installer and what is not known yet", async () => {
    const { id, state } = await handler.create(await rendered([]), silent);
    const other = await rendered([{ machine: { env: { A: "b" } } }]);
    expect(handler.diff(id, state, other)).toEqual({ changes: true });
    const { inputs: upgraded } = await handler.check(undefined, {
      ...inputs,
      talosVersion: "v1.12.2",
    });
    expect(handler.diff(id, state, upgraded)).toEqual({ changes: true });
    const { inputs: unknown } = await handler.check(undefined, {
      ...inputs,
      endpoint: unknownValue,
    });
    expect(handler.diff(id, state, unknown)).toEqual({ changes: true });
    const updated = await handler.update(id, state, other, silent);
    expect(handler.diff(id, updated, other)).toEqual({ changes: false });
  });

  it("keeps nothing but what it computed", async () => {
    const { state } = await handler.create(await rendered([]), silent);
    expect(Object.keys(state).sort()).toEqual([
      "installerImage",
      "machineConfiguration",
      "machineConfigurationHash",
      "redactedConfiguration",
    ]);
    const { machineConfiguration, ...shown } = state;
    expect(secretValues(secrets).some((secret) => machineConfiguration.includes(secret))).toBe(
      true,
    );
    expectNoSecrets(shown, secrets);
  });
});
