import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GetKeyRotationStatusCommand, KMSClient } from "@aws-sdk/client-kms";
import {
  DeleteObjectCommand,
  GetBucketEncryptionCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetPublicAccessBlockCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { exampleProgram } from "../engine/support/exampleProgram";
import { type LanguageHost, startLanguageHost } from "../engine/support/languageHost";
import { ordinaryPulumi } from "../engine/support/ordinaryPulumi";
import { plannedSteps } from "../engine/support/plannedSteps";

const root = join(__dirname, "../..");
const SECRET = "a-secret-that-nobody-may-read";
const LOCK = ".pulumi/locks/organization/stateful/dev/1.json";

describe("examples/state-backend, and the state of another stack in it", () => {
  let world: EngineWorld;
  let host: LanguageHost;
  let folder: string;
  let s3: S3Client;
  let backendUrl: string;
  let secretsProvider: string;
  let bucket: string;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/state-"));
    const runtime = { name: "nodejs", options: { typescript: false } };
    const project = { name: "stateful", runtime, main: "index.js" };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(project));
    const program = `exports.password = require("@pulumi/pulumi").secret("${SECRET}");\n`;
    writeFileSync(join(folder, "index.js"), program);
    world = await startEngineWorld({
      stack: "state-backend",
      program: exampleProgram("state-backend", folder),
      settings: "config: { aws:region: us-east-1 }",
    });
    host = await startLanguageHost();
    s3 = new S3Client({ ...clientSettings(), forcePathStyle: true });
    const { outputs } = await world.stack.up(world.record);
    backendUrl = String(outputs.backendUrl?.value);
    secretsProvider = String(outputs.secretsProvider?.value);
    bucket = new URL(backendUrl).host;
  });

  afterAll(async () => {
    s3.destroy();
    host.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const pulumi = (...args: string[]) => {
    const stateDir = join(folder, "home");
    return ordinaryPulumi(
      { folder, stateDir, backendUrl, emulator: world.emulator, host },
      ...args,
    );
  };

  it("creates a bucket and a key, and nothing the second time", async () => {
    expect(backendUrl).toMatch(/^s3:\/\/pulumi-state-[0-9a-f]{7}\?region=us-east-1&awssdk=v2$/);
    expect(secretsProvider).toBe("awskms://alias/pulumi-state?region=us-east-1&awssdk=v2");
    const of = { Bucket: bucket };
    expect(await s3.send(new GetBucketVersioningCommand(of))).toMatchObject({ Status: "Enabled" });
    const encryption = await s3.send(new GetBucketEncryptionCommand(of));
    expect(encryption.ServerSideEncryptionConfiguration?.Rules).toMatchObject([
      { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms" }, BucketKeyEnabled: true },
    ]);
    const { PublicAccessBlockConfiguration: closed = {} } = await s3.send(
      new GetPublicAccessBlockCommand(of),
    );
    expect(Object.values(closed)).toEqual([true, true, true, true]);
    const { Policy = "" } = await s3.send(new GetBucketPolicyCommand(of));
    expect(JSON.parse(Policy)).toMatchObject({
      Statement: [
        {
          Effect: "Deny",
          Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        },
      ],
    });
    const [rule] = encryption.ServerSideEncryptionConfiguration?.Rules ?? [];
    const KeyId = rule?.ApplyServerSideEncryptionByDefault?.KMSMasterKeyID;
    const kms = new KMSClient(clientSettings());
    expect(await kms.send(new GetKeyRotationStatusCommand({ KeyId }))).toMatchObject({
      KeyRotationEnabled: true,
    });
    kms.destroy();
    expect(await plannedSteps(world.stack, world.record)).toEqual([]);
  });

  it("is in the bucket, with its secrets encrypted", async () => {
    const init = await pulumi("stack", "init", "dev", "--secrets-provider", secretsProvider);
    expect(init).toMatchObject({ code: 0 });
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    const settings = readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8");
    expect(settings).toMatch(/^encryptedkey: \S{100,}$/m);
    const state = await read(".pulumi/stacks/stateful/dev.json");
    expect(state).toContain('"password"');
    expect(state).not.toContain(SECRET);
    const password = await pulumi("stack", "output", "password", "--show-secrets");
    expect(password.output.trim()).toBe(SECRET);
  });

  it("is locked during an update, and can be previewed meanwhile", async () => {
    const other = { pid: 1, username: "somebody", hostname: "elsewhere", timestamp: new Date() };
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: LOCK, Body: JSON.stringify(other) }));
    const refused = await pulumi("up", "--yes", "--skip-preview");
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("the stack is currently locked by 1 lock(s)");
    expect(refused.output).toContain("created by somebody@elsewhere");
    expect(await pulumi("preview")).toMatchObject({ code: 0 });
    expect(await pulumi("cancel", "--yes")).toMatchObject({ code: 0 });
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  });

  it("stays until it is unprotected and empty", async () => {
    expect(await pulumi("stack", "rm", "dev", "--force", "--yes")).toMatchObject({ code: 0 });
    await expect(world.stack.destroy(world.record)).rejects.toThrow(/protect/);
    const { workDir, envVars, pulumiCommand } = world.stack.workspace;
    execFileSync(pulumiCommand.command, ["state", "unprotect", "--all", "--yes"], {
      cwd: workDir,
      env: { ...process.env, ...envVars },
    });
    await expect(world.stack.destroy(world.record)).rejects.toThrow(/not empty/);
    const { Versions = [], DeleteMarkers = [] } = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket }),
    );
    // More than one of what was overwritten: the way back.
    expect(Versions.length).toBeGreaterThan(new Set(Versions.map(({ Key }) => Key)).size);
    for (const { Key, VersionId } of [...DeleteMarkers, ...Versions]) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }));
    }
    const { summary } = await world.stack.destroy(world.record);
    expect(summary.result).toBe("succeeded");
    expect((await world.stack.exportStack()).deployment).not.toHaveProperty("resources");
  });

  function clientSettings() {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    return { region: "us-east-1", endpoint: world.emulator.url, credentials };
  }

  async function read(Key: string): Promise<string> {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    return (await Body?.transformToString()) ?? "";
  }
});
