import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  EC2Client,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { claimAddressSlice, type AddressSlice } from "../../../emulator/aws/addressSlice";
import { talosImages } from "../../../emulator/aws/amis";
import {
  FORKS_VARIABLE,
  startMotoServer,
  type MotoChange,
  type MotoServer,
} from "../../../emulator/aws/motoServer";
import { ensureMoto } from "../../../emulator/aws/pythonEnvironment";
import { type MotoForks, startMotoForks } from "../../../scripts/testing/motoForks";
import { eventually } from "../support/eventually";

const NO_IMAGES = path.join(__dirname, "testdata", "noImages.json");
const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };

describe.each(["started anew", "forked"])("startMotoServer, %s", (how) => {
  let forks: MotoForks | undefined;
  let slice: AddressSlice;
  let server: MotoServer;
  let ec2: EC2Client;
  const changes: MotoChange[] = [];
  const unexpectedEnds: string[] = [];

  beforeAll(async () => {
    const { python } = await ensureMoto();
    forks = how === "forked" ? await startMotoForks(python) : undefined;
    vi.stubEnv(FORKS_VARIABLE, forks?.environment[FORKS_VARIABLE]);
    slice = await claimAddressSlice();
    server = await startMotoServer({
      python,
      instanceNetwork: slice.instanceNetwork,
      elasticNetwork: slice.elasticNetwork,
      onChange: (change) => changes.push(change),
      onUnexpectedEnd: (reason) => unexpectedEnds.push(reason),
      onLog: () => undefined,
    });
    ec2 = new EC2Client({ region: "eu-central-1", endpoint: server.url, credentials });
  });

  afterAll(async () => {
    ec2.destroy();
    await server.stop();
    await slice.release();
    forks?.close();
    vi.unstubAllEnvs();
    expect(unexpectedEnds).toEqual([]);
    expect(() => process.kill(server.pid, 0)).toThrow("ESRCH");
  });

  it("offers each region its own Talos images", async () => {
    const { Images } = await ec2.send(
      new DescribeImagesCommand({
        Owners: ["540036508848"],
        Filters: [{ Name: "name", Values: ["talos-v1.12.1-*"] }],
      }),
    );
    expect(Images?.map((image) => image.Name).sort()).toEqual([
      "talos-v1.12.1-eu-central-1-amd64",
      "talos-v1.12.1-eu-central-1-arm64",
    ]);
  });

  it("gives instances addresses of the slice, reports them, and reuses freed addresses", async () => {
    const image = talosImages().find(({ name }) => name === "talos-v1.12.1-eu-central-1-amd64");
    const run = async (count: number): Promise<string[]> => {
      const { Instances } = await ec2.send(
        new RunInstancesCommand({ ImageId: image?.ami_id, MinCount: count, MaxCount: count }),
      );
      return (Instances ?? []).map((instance) => instance.InstanceId ?? "");
    };
    const addressesOf = async (ids: string[]): Promise<(string | undefined)[]> => {
      const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: ids }));
      return (Reservations ?? []).flatMap(({ Instances }) =>
        (Instances ?? []).map((instance) => instance.PublicIpAddress),
      );
    };
    const network = slice.instanceNetwork;
    const ids = await run(3);
    expect(await addressesOf(ids)).toEqual([`${network}.1`, `${network}.2`, `${network}.3`]);
    expect(changes).toContainEqual({ action: "RunInstances", region: "eu-central-1" });
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: ids.slice(1, 2) }));
    expect(await addressesOf(await run(2))).toEqual([`${network}.4`, `${network}.2`]);
    // As at AWS, one that was stopped comes back with another address.
    const InstanceIds = ids.slice(0, 1);
    await ec2.send(new StopInstancesCommand({ InstanceIds }));
    expect(await addressesOf(InstanceIds)).toEqual([undefined]);
    await ec2.send(new StartInstancesCommand({ InstanceIds }));
    expect(await addressesOf(InstanceIds)).toEqual([`${network}.5`]);
  });

  it("reports that its process was killed", async () => {
    const { python } = await ensureMoto();
    const ends: string[] = [];
    const other = await startMotoServer({
      python,
      instanceNetwork: "127.1.1",
      elasticNetwork: "127.1.128",
      onChange: () => undefined,
      onUnexpectedEnd: (reason) => ends.push(reason),
      onLog: () => undefined,
    });
    expect((await fetch(other.url)).ok).toBe(true);
    process.kill(other.pid, "SIGKILL");
    await eventually(() => expect(ends).toEqual([expect.stringContaining("ended with SIGKILL")]));
    await expect(fetch(other.url)).rejects.toThrow();
  });

  it("ends when its parent is killed", async () => {
    const { python } = await ensureMoto();
    const program = how === "forked" ? "motoForks.py" : "motoLauncher.py";
    const launcher = path.resolve(__dirname, "../../../emulator/aws/moto", program);
    const parent = spawn(
      process.execPath,
      [
        "-e",
        `const child = require("node:child_process").spawn(process.argv[1], process.argv.slice(2),
           { stdio: ["pipe", "pipe", "inherit"] });
         child.stdout.once("data", () => console.log(child.pid));`,
        python,
        launcher,
        "--amis",
        NO_IMAGES,
        "--instance-network",
        "127.1.1",
        "--elastic-network",
        "127.1.128",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once("data", (text: Buffer) => resolve(Number(text.toString())));
    });
    process.kill(pid, 0);
    parent.kill("SIGKILL");
    for (let waitedMs = 0; waitedMs < 60_000 && isAlive(pid); waitedMs += 50) {
      await sleep(50);
    }
    expect(isAlive(pid)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
