import { execFileSync, spawn } from "node:child_process";
import { on, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

/** Whether the machine has the openssl command. */
export function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * A TLS server that refuses unfit client certificates with an alert, as Go's does and Node's does
 * not. It speaks no HTTP/2.
 */
export async function startOpensslServer(options: {
  certificate: CertificateAndKey;
  clientCa: string;
}): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "openssl-server-"));
  const file = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const files = {
    crt: file("crt.pem", fromBase64(options.certificate.crt)),
    key: file("key.pem", nodeKey(options.certificate.key)),
    ca: file("ca.pem", fromBase64(options.clientCa)),
  };
  const child = spawn(
    "openssl",
    [
      "s_server",
      "-accept",
      "127.0.0.1:0",
      "-alpn",
      "h2",
      "-cert",
      files.crt,
      "-key",
      files.key,
      "-CAfile",
      files.ca,
      "-Verify",
      "1",
      "-verify_return_error",
    ],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { endpoint: await readEndpoint(child.stdout), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readEndpoint(output: Readable): Promise<string> {
  let text = "";
  for await (const chunk of on(output, "data", { close: ["end"] })) {
    text += String(chunk);
    const endpoint = /^ACCEPT (\S+)$/m.exec(text)?.[1];
    if (endpoint !== undefined) {
      return endpoint;
    }
  }
  throw new Error(`openssl s_server did not start: ${text}`);
}
