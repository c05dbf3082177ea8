import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { EC2Client, RunInstancesCommand } from "@aws-sdk/client-ec2";
import { talosImages } from "../../emulator/aws/amis";
import { type DaemonHandle, findDaemon, startDaemon, stopDaemon } from "../../emulator/daemon";
import { daemonFile } from "../../emulator/daemonRecord";
import { packageRoot } from "../../emulator/packageRoot";
import { isAlive } from "../../emulator/processes";
import { eventually } from "../emulator/support/eventually";

const cli = path.join(packageRoot(), "dist", "emulator", "cli.js");

describe("the embedded cloud as a daemon", () => {
  let stateDir: string;

  beforeAll(() => {
    if (!existsSync(cli)) {
      throw new Error("the emulator is not built: run `npm run build` first");
    }
  });

  beforeEach(async () => {
    stateDir = await mkdtemp(path.join(tmpdir(), "emulator-daemon-"));
  });

  afterEach(async () => {
    await stopDaemon(stateDir);
    await rm(stateDir, { recursive: true, force: true });
  });

  async function command(...words: string[]) {
    const child = spawn(process.execPath, [cli, ...words, "--state-dir", stateDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    return { exitCode, output };
  }

  // One folder's life: each test goes on where the one before it ended.
  describe("of one folder", () => {
    let ownFolder: string;
    let first: DaemonHandle;
    let second: DaemonHandle;

    beforeAll(async () => {
      ownFolder = await mkdtemp(path.join(tmpdir(), "emulator-daemon-"));
    });

    afterAll(async () => {
      await stopDaemon(ownFolder);
      await rm(ownFolder, { recursive: true, force: true });
    });

    it("is started, used and found again", async () => {
      first = await startDaemon({ stateDir: ownFolder });
      expect((await stat(daemonFile(ownFolder))).mode & 0o777).toBe(0o600);
      const ec2 = new EC2Client({
        region: first.region,
        endpoint: first.url,
        credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
      });
      const image = talosImages().find(({ name }) => name === "talos-v1.12.1-us-east-1-amd64");
      await ec2.send(new RunInstancesCommand({ ImageId: image?.ami_id, MinCount: 1, MaxCount: 1 }));
      ec2.destroy();

      const again = await startDaemon({ stateDir: ownFolder });
      expect([again.worldId, again.pid]).toEqual([first.worldId, first.pid]);
      const found = await findDaemon(ownFolder);
      expect(found).toMatchObject({ worldId: first.worldId, environment: first.environment });
      await eventually(async () => {
        expect((await found?.nodes())?.map(({ stage }) => stage)).toEqual(["maintenance"]);
      });
      expect(await found?.resolve("127.0.0.9")).toEqual(["127.0.0.9"]);
    });

    it("answers no request without the token", async () => {
      const { controlUrl } = JSON.parse(await readFile(daemonFile(ownFolder), "utf8")) as {
        controlUrl: string;
      };
      const wrong = { headers: { authorization: "Bearer wrong" } };
      expect((await fetch(new URL("status", controlUrl))).status).toBe(401);
      expect((await fetch(new URL("stop", controlUrl), { ...wrong, method: "POST" })).status).toBe(
        401,
      );
      expect(isAlive(first.pid)).toBe(true);
    });

    it("leaves nothing running if it is killed, and a new one can start", async () => {
      const children = await childrenOf(first.pid);
      process.kill(first.pid, "SIGKILL");
      await eventually(() => expect([first.pid, ...children].filter(isAlive)).toEqual([]));
      expect(await findDaemon(ownFolder)).toBeUndefined();
      second = await startDaemon({ stateDir: ownFolder });
      expect(second.worldId).not.toBe(first.worldId);
    });

    it("leaves nothing when it is stopped, also twice", async () => {
      const children = await childrenOf(second.pid);
      expect(children.length).toBeGreaterThan(0);
      await second.stop();
      expect([second.pid, ...children].filter(isAlive)).toEqual([]);
      expect(existsSync(daemonFile(ownFolder))).toBe(false);
      expect(await findDaemon(ownFolder)).toBeUndefined();
      await second.stop();
    });
  });

  it("ends when its starter is killed before it is ready", async () => {
    const starter = spawn(process.execPath, [cli, "start", "--state-dir", stateDir], {
      stdio: "ignore",
    });
    const daemons = await eventually(async () => {
      const children = await childrenOf(starter.pid ?? 0);
      expect(children).toHaveLength(1);
      return children;
    });
    starter.kill("SIGKILL");
    await eventually(() => expect(daemons.filter(isAlive)).toEqual([]), 20_000);
    expect(existsSync(daemonFile(stateDir))).toBe(false);
  });

  it("is controlled from a shell", async () => {
    const output = `no emulator is running for ${stateDir}: start one with "talos-aws-emulator start", or name another folder with --state-dir\n`;
    expect(await command("status")).toEqual({ exitCode: 3, output });
    const started = await command("start");
    expect(started.exitCode).toBe(0);
    expect(started.output).toMatch(/^export AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(started.output).toContain('plugin/bin:"$PATH"');
    // A shell takes it, keeps what it had, and a program in it knows the cloud's zone by name.
    const script = `
      export NODE_OPTIONS=--no-warnings
      eval "$("$0" "$1" start --state-dir "$2" --hosted-zone example.com)"
      eval "$("$0" "$1" start --state-dir "$2" --hosted-zone example.com)"
      echo "$NODE_OPTIONS" "$PATH"
      "$0" -p '[process.env.HTTPS_PROXY, process.env.EMULATOR_DNS, process.env.AWS_REGION].join(" ")'`;
    const words = ["-ec", script, process.execPath, cli, stateDir];
    const { stdout, stderr } = await promisify(execFile)("sh", words);
    expect(stdout).toMatch(/^--no-warnings --require "\S+useCloudNames.js"/);
    expect(stdout).toContain(`:${process.env.PATH ?? ""}`);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ 127\.0\.0\.1:\d+ us-east-1$/m);
    expect(stderr).toBe('made the hosted zone "example.com"\n');
    const status = await command("status");
    expect(status.output).toMatch(
      /^AWS at http:\/\/127\.0\.0\.1:\d+, region us-east-1, process \d+$/m,
    );
    expect(await command("stop")).toEqual({ exitCode: 0, output: "the emulator is stopped\n" });
    expect(await command("stop")).toEqual({ exitCode: 0, output });
  });

  it("runs in the foreground until it is interrupted", async () => {
    const child = spawn(process.execPath, [cli, "run", "--state-dir", stateDir], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const children = await childrenOf(child.pid ?? 0);
    child.kill("SIGINT");
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect(exitCode).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
    expect(existsSync(daemonFile(stateDir))).toBe(false);
  });
});

/** Numbers of the processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const child = spawn("ps", ["-A", "-o", "ppid=,pid="], { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await new Promise((resolve) => child.once("close", resolve));
  return output
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([parent]) => parent === pid)
    .map(([, number]) => number ?? 0);
}
