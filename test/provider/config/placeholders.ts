import type { SecretsBundle } from "../../../provider/pki/secretsBundle";

/** The pair of placeholders for a certificate and its key. */
function pair(name: string): { crt: string; key: string } {
  return { crt: `\${certs.${name}.crt}`, key: `\${certs.${name}.key}` };
}

/** A secrets bundle in which each value is the placeholder `${path}` that stands for it in test data. */
export const placeholderBundle: SecretsBundle = {
  cluster: { id: "${cluster.id}", secret: "${cluster.secret}" },
  secrets: {
    bootstraptoken: "${secrets.bootstraptoken}",
    secretboxencryptionsecret: "${secrets.secretboxencryptionsecret}",
  },
  trustdinfo: { token: "${trustdinfo.token}" },
  certs: {
    etcd: pair("etcd"),
    k8s: pair("k8s"),
    k8saggregator: pair("k8saggregator"),
    k8sserviceaccount: { key: "${certs.k8sserviceaccount.key}" },
    os: pair("os"),
  },
};

/** Test data with each placeholder replaced by something of the right form, different for each. */
export function fillPlaceholders(text: string): string {
  return fillRecording(text, (path) => {
    if (path.endsWith(".crt") || path.endsWith(".key")) {
      const label = path.endsWith(".crt") ? "CERTIFICATE" : "PRIVATE KEY";
      return base64(`-----BEGIN ${label}-----\n${base64(path)}\n-----END ${label}-----\n`);
    }
    return base64(path.padEnd(32, ".").slice(0, 32));
  });
}

/**
 * Test data with the value at its path in a bundle for each placeholder `${path}`. A line
 * `${path | pem}` becomes all lines of the value's text, each with the indentation of that line.
 */
export function fillRecording(text: string, at: (path: string) => string): string {
  return text
    .replace(/^( *)\$\{([\w.]+) \| pem\}$/gm, (_, indent: string, path: string) =>
      Buffer.from(at(path), "base64")
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => indent + line)
        .join("\n"),
    )
    .replace(/\$\{([\w.]+)\}/g, (_, path: string) => at(path));
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
