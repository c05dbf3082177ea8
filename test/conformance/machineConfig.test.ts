import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { installerImage } from "../../provider/config/installer/installerImage";
import type { MachineType } from "../../provider/config/machineBasics";
import type { MachineConfigInput } from "../../provider/config/machineConfigInput";
import { applyPatches } from "../../provider/config/patches/patch";
import { talosSchema } from "../../provider/config/schema/talosSchemas";
import { redactDocuments } from "../../provider/config/secrets/redact";
import { validateDocuments } from "../../provider/config/validate";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { sharedOptions } from "./arbitraries/options";
import { patchTexts } from "./arbitraries/patchTexts";
import { differenceOf, explain, type Outcome, ourOutcome } from "./support/compare";
import { isOnPurpose } from "./support/deviations";
import { randomRuns } from "./support/randomRuns";
import { describeWithTalosctl } from "./support/talosctl";

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];
const schema = talosSchema("v1.12");
const image = installerImage({ platform: "aws", talosVersion: "v1.12.1" });

/** What is not among the options of a case. */
const defaults = {
  clusterName: "example",
  endpoint: "https://api.example.com:6443",
  kubernetesVersion: "1.35.0",
  installDisk: "/dev/sda",
  installerImage: image,
};

const cases: readonly (readonly [string, Partial<MachineConfigInput>, readonly string[]])[] = [
  ["defaults", {}, []],
  ["an endpoint that is an address", { endpoint: "https://[fd00::1]:6443" }, []],
  [
    "names and addresses",
    { certSans: ["talos.example.com", "10.0.0.9", "fd00::9"] },
    ["--additional-sans", "talos.example.com,10.0.0.9,fd00::9"],
  ],
  [
    "another disk, domain and Kubernetes",
    { installDisk: "/dev/nvme0n1", dnsDomain: "corp.internal", kubernetesVersion: "v1.33.2" },
    ["--dns-domain", "corp.internal"],
  ],
];

describeWithTalosctl("with the real talosctl", (talosctl) => {
  let secretsBundle: SecretsBundle;

  beforeAll(async () => {
    await talosctl.run("gen", "secrets", "-o", "secrets.yaml");
    secretsBundle = parse(talosctl.read("secrets.yaml")) as SecretsBundle;
  });

  function generate(machineType: MachineType, options: Partial<MachineConfigInput> = {}): string {
    const input = { ...defaults, ...options, machineType, secretsBundle, versionContract: "v1.12" };
    return encodeDocuments(generateMachineConfig(input), schema);
  }

  /** What talosctl makes of a configuration and patches, and says of the result on a machine in the cloud. */
  async function theirOutcome(config: string, patches: readonly string[]): Promise<Outcome> {
    const flags = patches.flatMap((patch, index) => [
      "--patch",
      `@${talosctl.write(`patch-${index}.yaml`, patch)}`,
    ]);
    const patched = await talosctl.refusalOf(
      "machineconfig",
      "patch",
      talosctl.write("in.yaml", config),
      ...flags,
      "-o",
      "out.yaml",
    );
    return patched === undefined
      ? { text: talosctl.read("out.yaml"), problems: await validate("out.yaml") }
      : { problems: [patched] };
  }

  async function validate(file: string): Promise<readonly string[]> {
    const refusal = await talosctl.refusalOf("validate", "-m", "cloud", "-c", file);
    return refusal === undefined ? [] : [refusal];
  }

  describe.each(cases)("%s", (name, options, flags) => {
    let output: string;

    beforeAll(async () => {
      output = name.replaceAll(" ", "-");
      const { clusterName, endpoint, kubernetesVersion, installDisk } = { ...defaults, ...options };
      await talosctl.run(
        "gen",
        "config",
        clusterName,
        endpoint,
        "--with-secrets",
        "secrets.yaml",
        "-o",
        output,
        "--talos-version",
        "v1.12",
        "--kubernetes-version",
        kubernetesVersion,
        "--install-disk",
        installDisk,
        "--install-image",
        image,
        "--with-docs=false",
        "--with-examples=false",
        ...flags,
      );
    });

    test.each(machineTypes)("a %s is the same byte for byte", (machineType) => {
      expect(generate(machineType, options)).toBe(talosctl.read(output, `${machineType}.yaml`));
    });

    test.each(machineTypes)("a %s is valid for both", async (machineType) => {
      const config = generate(machineType, options);
      expect(await validate(talosctl.write("validate.yaml", config))).toEqual([]);
      expect(validateDocuments(decodeDocuments(config), { schema, machineType })).toEqual([]);
    });
  });

  test.each(machineTypes)(
    "a %s with secrets of our own is valid, strictly",
    async (machineType) => {
      const own = await generateSecretsBundle();
      const file = talosctl.write("own.yaml", generate(machineType, { secretsBundle: own }));
      await talosctl.run("validate", "--mode", "cloud", "--strict", "--config", file);
    },
  );

  test("no secret of a real bundle is in the redacted configuration, in any encoding", () => {
    const redacted = encodeDocuments(redactDocuments(decodeDocuments(generate("controlplane"))));
    const { secrets, trustdinfo, cluster, certs } = secretsBundle;
    const keys = [
      certs.os,
      certs.etcd,
      certs.k8s,
      certs.k8saggregator,
      certs.k8sserviceaccount,
    ].map(({ key }) => key);
    for (const secret of [...Object.values(secrets), trustdinfo.token, cluster.secret, ...keys]) {
      expect(redacted).not.toContain(secret);
      expect(redacted).not.toContain(Buffer.from(secret, "base64").toString("hex"));
    }
    for (const { crt } of [certs.os, certs.etcd, certs.k8s, certs.k8saggregator]) {
      expect(redacted).toContain(crt);
    }
  });

  const testdata = join(__dirname, "../provider/config/testdata/patch");
  const patchCases = readdirSync(testdata).filter((name) => !name.endsWith(".yaml"));

  test.each(patchCases)(
    "the patches of %s give the same result, and both agree on its validity",
    async (name) => {
      const patches = readdirSync(join(testdata, name))
        .filter((file) => file !== "expected.yaml")
        .sort()
        .map((file) => readFileSync(join(testdata, name, file), "utf8"));
      const config = generate("controlplane");
      const patched = encodeDocuments(
        applyPatches(decodeDocuments(config), patches, { schema }),
        schema,
      );
      const theirs = await theirOutcome(config, patches);
      expect(patched).toBe(theirs.text);
      const problems = validateDocuments(decodeDocuments(patched), { schema });
      expect(problems.length === 0).toBe(theirs.problems.length === 0);
    },
  );

  const { runs, seed } = randomRuns("TALOSCTL_RUNS", 100);

  test("random options and patches give the same result", async () => {
    const generation = { versionContract: "v1.12", talosVersion: "v1.12" };
    await fc.assert(
      fc.asyncProperty(
        sharedOptions(generation).chain((options) => {
          const documents = generateMachineConfig({ ...options, secretsBundle });
          return patchTexts(documents, schema).map((patches) => ({ options, patches }));
        }),
        async ({ options, patches }) => {
          const config = generate(options.machineType, options);
          const ours = ourOutcome(config, patches, schema);
          const theirs = await theirOutcome(config, patches);
          const difference = differenceOf(ours, theirs);
          if (difference !== undefined && !isOnPurpose(difference, ours, theirs)) {
            throw new Error(explain(difference, ours, theirs));
          }
        },
      ),
      { numRuns: runs, seed },
    );
  });
});
