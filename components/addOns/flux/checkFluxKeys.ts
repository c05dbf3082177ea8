import { problemAt } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import type { FluxAddOn, FluxKey } from "./fluxAddOn";

/** What decides which secrets fit. Secrets may be known later. */
type FluxSecrets = Pick<FluxAddOn, "url" | "key" | "decryption">;

/** An age private key: an X25519 one in Bech32, or a post-quantum one (github.com/C2SP/C2SP, age.md). */
const AGE_PRIVATE_KEY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{40,}$/m;

/** The start of OpenSSH's own form, which names the cipher in base64 (openssh-portable, PROTOCOL.key). */
const OPENSSH_KEY = /-----BEGIN OPENSSH PRIVATE KEY-----\s*([A-Za-z0-9+/=\s]+)/;

/**
 * All problems of Flux' secrets. None is quoted. A value that is known later is only checked for being
 * there.
 */
export function checkFluxKeys({ url, key, decryption }: FluxSecrets): PropertyProblem[] {
  // SSH can be written in a short form too, which the check of the URL refuses.
  const isSsh = !/^https?:/.test(url);
  const ageKey: unknown = decryption?.ageKey;
  const isNoAge = typeof ageKey === "string" && !AGE_PRIVATE_KEY.test(ageKey);
  return [
    ...(isSsh ? checkSshKey(url, key ?? {}) : checkPassword(key)),
    ...problemAt(
      "decryption.ageKey",
      isNoAge &&
        `this is no age private key: give the line that age-keygen writes, which starts with "AGE-SECRET-KEY-1"`,
    ),
  ];
}

function checkSshKey(url: string, key: FluxKey): PropertyProblem[] {
  const { privateKey, knownHosts, username, password } = key;
  const excluded = Object.entries({ username, password }).filter(([, each]) => each !== undefined);
  return [
    ...excluded.map(([name]) => ({
      property: `key.${name}`,
      reason: "SSH has no use for it: leave it out, and give privateKey and knownHosts",
    })),
    ...problemAt("key.privateKey", privateKeyProblem(privateKey)),
    ...problemAt("key.knownHosts", knownHostsProblem(url, knownHosts)),
  ];
}

function privateKeyProblem(privateKey: FluxKey["privateKey"]): string | undefined {
  if (privateKey === undefined) {
    return "a URL with ssh:// needs it: give the text of a private key, which ssh-keygen makes, and put its public key into the repository as a deploy key";
  }
  if (typeof privateKey !== "string") {
    return undefined;
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey)) {
    return `this is no private key: give the text of the file without ".pub", with its first and last line`;
  }
  const [, body = ""] = OPENSSH_KEY.exec(privateKey) ?? [];
  const isLocked =
    privateKey.includes("ENCRYPTED") || Buffer.from(body, "base64").includes("bcrypt");
  return isLocked
    ? `this key has a passphrase, which nobody could enter: make one without, as in ssh-keygen -t ed25519 -N ""`
    : undefined;
}

/** Lines of a `known_hosts` file (sshd(8)): a marker, hosts, the kind of key, the key, a comment. */
function knownHostsProblem(url: string, knownHosts: FluxKey["knownHosts"]): string | undefined {
  if (knownHosts === undefined) {
    return "a URL with ssh:// needs it, or Flux couldn't tell the server from another: give what ssh-keyscan writes, after comparing it with what the server's owner publishes";
  }
  if (typeof knownHosts !== "string") {
    return undefined;
  }
  const lines = knownHosts
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const entries = lines.map((line) => line.replace(/^@\S+\s+/, "").split(/\s+/));
  if (entries.length === 0 || entries.some((fields) => fields.length < 3)) {
    return `this has a line that names no host key: write each as in "github.com ssh-ed25519 AAAA…"`;
  }
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: "", port: "" };
  const host = port === "" || port === "22" ? hostname : `[${hostname}]:${port}`;
  const hosts = entries.flatMap(([names = ""]) => names.split(","));
  const isOpen = hosts.some((name) => /^\||[*?]/.test(name));
  return isOpen || hostname === "" || hosts.includes(host)
    ? undefined
    : `it has no key of "${host}", the host of the URL: add the lines that ssh-keyscan writes for it`;
}

function checkPassword(key: FluxKey | undefined): PropertyProblem[] {
  if (key === undefined) {
    return [];
  }
  const { privateKey, knownHosts, password } = key;
  const excluded = Object.entries({ privateKey, knownHosts }).filter(
    ([, each]) => each !== undefined,
  );
  return [
    ...excluded.map(([name]) => ({
      property: `key.${name}`,
      reason: "only a URL with ssh:// has a use for it: leave it out, or write the URL so",
    })),
    ...problemAt(
      "key.password",
      password === undefined &&
        "a URL with https:// needs it: give a password or an access token that may read the repository, or leave out key if everybody may",
    ),
  ];
}
