import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import {
  issueClientCredentials,
  type ClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { fromBase64, readPrivateKey } from "../../provider/pki/pem";
import { renderTalosconfig } from "../../provider/pki/renderTalosconfig";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";

interface Talosconfig {
  context: string;
  contexts: Record<string, ClientCredentials & { endpoints: string[]; nodes?: string[] }>;
}

const talosctl = process.env.TALOSCTL ?? "talosctl";
const authorities = ["etcd", "k8s", "k8saggregator", "os"] as const;

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

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pki-conformance-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs talosctl in the folder, away from the talosconfig of whoever runs the tests. */
function run(...args: readonly string[]): string {
  const env = { ...process.env, HOME: folder, TALOSCONFIG: join(folder, "none") };
  return execFileSync(talosctl, args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
}

function read(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function genConfig(clusterName: string, output: string): Talosconfig {
  const secrets = ["--with-secrets", "secrets.yaml"];
  run("gen", "config", clusterName, "https://10.0.0.1:6443", ...secrets, "-o", output);
  return parse(read(join(output, "talosconfig"))) as Talosconfig;
}

/**
 * A certificate's DER in hex from its issuer to its last extension, with what differs from one
 * certificate to the next blanked out: dates, the public key and key identifiers.
 */
function form(crt: string): string {
  const certificate = new X509Certificate(fromBase64(crt));
  const spki = certificate.publicKey.export({ format: "der", type: "spki" }).toString("hex");
  const der = certificate.raw.toString("hex");
  // Before the issuer stands the signature algorithm, after the last extension the same again.
  const algorithm = spki.includes("06032b6570") ? "300506032b6570" : "300a06082a8648ce3d040302";
  return der
    .slice(der.indexOf(algorithm), der.lastIndexOf(algorithm))
    .replace(spki, `${spki.slice(0, 20)}…`)
    .replaceAll(/170d(?:3\d){12}5a/g, "date")
    .replaceAll(/(0603551d0e04160414|0603551d23041830168014)[0-9a-f]{40}/g, "$1…");
}

(version === undefined ? describe.skip : describe)("the real talosctl", () => {
  let bundle: SecretsBundle;

  beforeAll(async () => {
    bundle = await generateSecretsBundle();
    writeFileSync(join(folder, "secrets.yaml"), stringify(bundle), { mode: 0o600 });
  });

  test("generates valid configurations from our secrets", () => {
    const talosconfig = genConfig("prod", "accepted");
    expect(talosconfig.contexts.prod?.ca).toBe(bundle.certs.os.crt);
    const machineConfig = read(join("accepted", "controlplane.yaml"));
    for (const secret of [
      bundle.cluster.id,
      bundle.cluster.secret,
      bundle.secrets.bootstraptoken,
      bundle.secrets.secretboxencryptionsecret,
      bundle.trustdinfo.token,
      bundle.certs.k8sserviceaccount.key,
      ...authorities.flatMap((name) => [bundle.certs[name].crt, bundle.certs[name].key]),
    ]) {
      expect(machineConfig).toContain(secret);
    }
    for (const machine of ["controlplane", "worker"]) {
      run(
        "validate",
        "--mode",
        "cloud",
        "--strict",
        "--config",
        join("accepted", `${machine}.yaml`),
      );
    }
  });

  test("generates secrets in our form, equal except for random parts", () => {
    run("gen", "secrets", "-o", "theirs.yaml");
    const theirs = parse(read("theirs.yaml")) as SecretsBundle;
    const shape = (value: unknown): unknown =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([key, inner]) => [key, shape(inner)])
        : typeof value;
    expect(shape(bundle)).toEqual(shape(theirs));
    for (const name of authorities) {
      const [our, their] = [bundle.certs[name], theirs.certs[name]];
      expect(form(our.crt)).toBe(form(their.crt));
      expect(our.key).toHaveLength(their.key.length);
      expect(fromBase64(our.key).split("\n")[0]).toBe(fromBase64(their.key).split("\n")[0]);
    }
    const [ourKey, theirKey] = [bundle, theirs].map(({ certs }) => certs.k8sserviceaccount.key);
    expect(readPrivateKey(ourKey ?? "").asymmetricKeyDetails).toEqual(
      readPrivateKey(theirKey ?? "").asymmetricKeyDetails,
    );
    expect(theirs.cluster.id).toHaveLength(bundle.cluster.id.length);
    expect(theirs.cluster.secret).toHaveLength(bundle.cluster.secret.length);
    expect(theirs.trustdinfo.token).toHaveLength(bundle.trustdinfo.token.length);
  });

  test("issues client certificates in our form", async () => {
    const theirs = genConfig("prod", "client").contexts.prod;
    const ours = await issueClientCredentials(bundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(),
      lifetimeHours: 8760,
    });
    expect(form(ours.crt)).toBe(form(theirs?.crt ?? ""));
    expect(ours.ca).toBe(theirs?.ca);
    expect(ours.key).toHaveLength(theirs?.key.length ?? 0);
    const lifetime = (crt: string) => {
      const { validFrom, validTo } = new X509Certificate(fromBase64(crt));
      return Date.parse(validTo) - Date.parse(validFrom);
    };
    expect(lifetime(ours.crt)).toBe(lifetime(theirs?.crt ?? ""));
  });

  test.each(["prod", "a.b", "123", "1.5", "0x1f", "yes", "null", "1e3", "2026-01-01"])(
    "writes the talosconfig of a cluster called %s as we do",
    (clusterName) => {
      const theirs = genConfig(clusterName, `config-${clusterName}`);
      const { ca, crt, key } = theirs.contexts[clusterName] ?? { ca: "", crt: "", key: "" };
      const input = { clusterName, endpoints: [], nodes: [], credentials: { ca, crt, key } };
      expect(renderTalosconfig(input)).toBe(read(join(`config-${clusterName}`, "talosconfig")));
    },
  );

  test("reads our talosconfig and the roles in it", async () => {
    const credentials = await issueClientCredentials(bundle.certs.os, {
      roles: ["os:reader", "os:etcd:backup"],
      now: new Date(),
      lifetimeHours: 24 * 30,
    });
    const input = { clusterName: "prod", endpoints: ["10.0.0.1", "fd00::9"], nodes: ["10.0.0.5"] };
    writeFileSync(join(folder, "ours"), renderTalosconfig({ ...input, credentials }), {
      mode: 0o600,
    });
    const info = run("--talosconfig", join(folder, "ours"), "config", "info");
    expect(info).toMatch(/^Current context: +prod$/m);
    expect(info).toMatch(/^Nodes: +10\.0\.0\.5$/m);
    expect(info).toMatch(/^Endpoints: +10\.0\.0\.1, fd00::9$/m);
    expect(info).toMatch(/^Roles: +os:etcd:backup, os:reader$/m);
    expect(info).toMatch(/^Certificate expires: +.*\(\d{4}-\d\d-\d\d\)$/m);
  });
});
