import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { decodeDocuments, encodeDocuments } from "../../provider/config/encode";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineConfigInput, MachineType } from "../../provider/config/machineConfigInput";
import { installerImage } from "../../provider/config/installerImage";
import { applyPatches } from "../../provider/config/patch";
import { redactDocuments } from "../../provider/config/redact";
import { talosSchema } from "../../provider/config/talosSchemas";
import { validateDocuments } from "../../provider/config/validate";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { randomPatch } from "./randomPatch";

jest.setTimeout(300_000);

const talosctl = process.env.TALOSCTL ?? "talosctl";

function talosctlVersion(): string | undefined {
  try {
    return execFileSync(talosctl, ["version", "--client", "--short"], { encoding: "utf8" });
  } catch {
    return undefined;
  }
}

const version = talosctlVersion();
if (version === undefined) {
  console.warn(
    "skipped: no talosctl on PATH; install talosctl v1.12 or set TALOSCTL to it to compare with the real one",
  );
}

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];
const schema = talosSchema("v1.12");
const image = installerImage({ talosVersion: "v1.12.1" });

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

let folder: string;
let secretsBundle: SecretsBundle;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "config-conformance-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs talosctl in the folder, away from the talosconfig of whoever runs the tests. */
function run(...args: readonly string[]): string {
  const env = { ...process.env, HOME: folder, TALOSCONFIG: join(folder, "none") };
  return execFileSync(talosctl, args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
}

function read(...path: readonly string[]): string {
  return readFileSync(join(folder, ...path), "utf8");
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return name;
}

function generate(machineType: MachineType, options: Partial<MachineConfigInput> = {}): string {
  const input = { ...defaults, ...options, machineType, secretsBundle, versionContract: "v1.12" };
  return encodeDocuments(generateMachineConfig(input));
}

/** What talosctl makes of a configuration and patches; undefined when it refuses them. */
function patchedByTalosctl(config: string, patches: readonly string[]): string | undefined {
  const flags = patches.flatMap((patch, index) => [
    "--patch",
    `@${write(`patch-${index}.yaml`, patch)}`,
  ]);
  try {
    run("machineconfig", "patch", write("in.yaml", config), ...flags, "-o", "out.yaml");
  } catch {
    return undefined;
  }
  return read("out.yaml");
}

/** Whether `talosctl validate` takes a configuration for a machine in the cloud. */
function acceptedByTalosctl(config: string): boolean {
  try {
    run("validate", "-m", "cloud", "-c", write("validate.yaml", config));
    return true;
  } catch {
    return false;
  }
}

(version === undefined ? describe.skip : describe)("with the real talosctl", () => {
  beforeAll(() => {
    run("gen", "secrets", "-o", "secrets.yaml");
    secretsBundle = parse(read("secrets.yaml")) as SecretsBundle;
  });

  describe.each(cases)("%s", (name, options, flags) => {
    let output: string;

    beforeAll(() => {
      output = name.replaceAll(" ", "-");
      const { clusterName, endpoint, kubernetesVersion, installDisk } = { ...defaults, ...options };
      run(
        ...["gen", "config", clusterName, endpoint, "--with-secrets", "secrets.yaml", "-o", output],
        ...["--talos-version", "v1.12", "--kubernetes-version", kubernetesVersion],
        ...["--install-disk", installDisk, "--install-image", image],
        ...["--with-docs=false", "--with-examples=false", ...flags],
      );
    });

    test.each(machineTypes)("a %s is the same byte for byte", (machineType) => {
      expect(generate(machineType, options)).toBe(read(output, `${machineType}.yaml`));
    });

    test.each(machineTypes)("a %s is valid for both", (machineType) => {
      const config = generate(machineType, options);
      expect(acceptedByTalosctl(config)).toBe(true);
      expect(validateDocuments(decodeDocuments(config), { schema, machineType })).toEqual([]);
    });
  });

  test.each(machineTypes)("a %s with secrets of our own is valid", async (machineType) => {
    const own = await generateSecretsBundle();
    expect(acceptedByTalosctl(generate(machineType, { secretsBundle: own }))).toBe(true);
  });

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
    "the patches of %s give the same, and both agree whether it is valid",
    (name) => {
      const patches = readdirSync(join(testdata, name))
        .filter((file) => file !== "expected.yaml")
        .sort()
        .map((file) => readFileSync(join(testdata, name, file), "utf8"));
      const config = generate("controlplane");
      const patched = encodeDocuments(applyPatches(decodeDocuments(config), patches, { schema }));
      expect(patched).toBe(patchedByTalosctl(config, patches));
      const problems = validateDocuments(decodeDocuments(patched), { schema });
      expect(problems.length === 0).toBe(acceptedByTalosctl(patched));
    },
  );

  test("random patches give the same", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...machineTypes),
        fc.array(randomPatch, { minLength: 1, maxLength: 3 }),
        (machineType, documents) => {
          const config = generate(machineType);
          const patches = documents.map((document) => encodeDocuments([document]));
          const expected = patchedByTalosctl(config, patches);
          // links of several kinds can't have one name; that is said when the result is validated
          fc.pre(expected !== undefined);
          expect(encodeDocuments(applyPatches(decodeDocuments(config), patches, { schema }))).toBe(
            expected,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
