import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { type LanguageHost, startLanguageHost } from "./support/languageHost";
import { ordinaryPulumi } from "./support/ordinaryPulumi";

const root = join(__dirname, "../..");
const SECRET = "a-secret-that-nobody-may-read";
const LOCK = ".pulumi/locks/organization/stateful/dev/1.json";

// What examples/state-backend says for a bucket of this name.
const backendUrl = "s3://pulumi-state-1a2b3c4?region=us-east-1&awssdk=v2";
const secretsProvider = "awskms://alias/pulumi-state?region=us-east-1&awssdk=v2";

describe("state in S3 with a key in KMS", () => {
  let emulator: Emulator;
  let host: LanguageHost;
  let folder: string;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/state-"));
    const runtime = { name: "nodejs", options: { typescript: false } };
    const project = { name: "stateful", runtime, main: "index.js" };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(project));
    const program = `exports.password = require("@pulumi/pulumi").secret("${SECRET}");\n`;
    writeFileSync(join(folder, "index.js"), program);
    emulator = await startEmulator();
    host = await startLanguageHost();
    await s3("PUT", "");
    const key = (await kms("CreateKey", {})) as { KeyMetadata: { KeyId: string } };
    const AliasName = "alias/pulumi-state";
    await kms("CreateAlias", { AliasName, TargetKeyId: key.KeyMetadata.KeyId });
  }, 120_000);

  afterAll(async () => {
    host.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const pulumi = (...args: string[]) => {
    const stateDir = join(folder, "home");
    return ordinaryPulumi({ folder, stateDir, backendUrl, emulator, host }, ...args);
  };

  it("is kept in the bucket, with its secrets encrypted", async () => {
    const init = await pulumi("stack", "init", "dev", "--secrets-provider", secretsProvider);
    expect(init).toMatchObject({ code: 0 });
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    const settings = readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8");
    expect(settings).toMatch(/^encryptedkey: \S{100,}$/m);
    const state = await s3("GET", ".pulumi/stacks/stateful/dev.json");
    expect(state).toContain('"password"');
    expect(state).not.toContain(SECRET);
    const read = await pulumi("stack", "output", "password", "--show-secrets");
    expect(read.output.trim()).toBe(SECRET);
  }, 120_000);

  it("is locked while somebody changes it, and can be previewed meanwhile", async () => {
    const other = { pid: 1, username: "somebody", hostname: "elsewhere", timestamp: new Date() };
    await s3("PUT", LOCK, JSON.stringify(other));
    const refused = await pulumi("up", "--yes", "--skip-preview");
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("the stack is currently locked by 1 lock(s)");
    expect(refused.output).toContain("created by somebody@elsewhere");
    expect(await pulumi("preview")).toMatchObject({ code: 0 });
    expect(await pulumi("cancel", "--yes")).toMatchObject({ code: 0 });
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  }, 120_000);

  function s3(method: string, key: string, body?: string): Promise<string> {
    return aws("s3", method, `/pulumi-state-1a2b3c4/${key}`, {}, body);
  }

  async function kms(action: string, content: object): Promise<unknown> {
    const headers = {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `TrentService.${action}`,
    };
    const answer = await aws("kms", "POST", "/", headers, JSON.stringify(content));
    return answer === "" ? undefined : JSON.parse(answer);
  }

  /** Calls the emulated AWS, which goes by the service that a signature names and checks none. */
  async function aws(
    service: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<string> {
    const scope = `test/20260101/us-east-1/${service}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
    const response = await fetch(new URL(path, emulator.url), {
      method,
      headers: { ...headers, authorization },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    }
    return text;
  }
});
