import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  EC2Client,
  GetConsoleOutputCommand,
  RunInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { startEmulator } from "../../emulator";
import { talosImages } from "../../emulator/aws/amis";
import { commandMachines } from "../../emulator/machines/commandMachines";
import type { MachineOptions } from "../../emulator/machines/machineDriver";
import { eventually } from "./support/eventually";
import { fetchText } from "./support/tcp";

const ADDRESS = "127.0.0.1";
const APID_PORT = 50_000;

/** Keeps what it was called with in a file, and answers what another file says, by the call. */
const PROGRAM = `
const fs = require("node:fs");
const [folder, call] = process.argv.slice(2);
const input = JSON.parse(fs.readFileSync(0, "utf8"));
fs.appendFileSync(folder + "/calls", JSON.stringify([call, input]) + "\\n");
const answers = JSON.parse(fs.readFileSync(folder + "/answers", "utf8"));
const { exit = 0, error = "", print = "{}" } = answers[call] ?? {};
process.stderr.write(error);
process.stdout.write(print);
process.exitCode = exit;
`;

interface Answer {
  readonly exit?: number;
  readonly error?: string;
  readonly print?: string;
}

const folder = mkdtempSync(join(tmpdir(), "talos-aws-machines-"));
const program = join(folder, "machines.cjs");
const command = [process.execPath, program, folder];

beforeAll(() => {
  writeFileSync(program, PROGRAM);
});

beforeEach(() => {
  writeFileSync(join(folder, "calls"), "");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function answer(answers: Readonly<Record<string, Answer>>): void {
  writeFileSync(join(folder, "answers"), JSON.stringify(answers));
}

function calls(): [string, Record<string, unknown>][] {
  const lines = readFileSync(join(folder, "calls"), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as [string, Record<string, unknown>]);
}

const machine: MachineOptions = {
  instanceId: "i-1",
  address: "127.64.1.1",
  hasPublicAddress: true,
  privateAddress: "10.7.0.5",
  networkId: "vpc-1",
  hostname: "ip-10-7-0-5.ec2.internal",
  instanceType: "m7g.large",
  region: "us-east-1",
  zone: "us-east-1a",
  architecture: "amd64",
  talosVersion: "v1.14.1",
  schematic: "none",
  dataVolumes: () => [],
  userData: "machine: {}",
};

const started = { print: JSON.stringify({ address: ADDRESS }) };
const listed = (stage: string, cannot: readonly string[] = []) => ({
  print: JSON.stringify({ machines: [{ instanceId: "i-1", stage, cannot }] }),
});

describe("machines of a program", () => {
  it("are started with all that is known of the instance, and show what the program says of them", async () => {
    answer({ start: started, list: listed("maintenance") });
    const driver = await commandMachines(command, () => undefined);
    const running = await driver.start(machine);
    expect(running).toMatchObject({ address: ADDRESS, stage: "maintenance" });
    const { dataVolumes: _, ...known } = machine;
    expect(calls()).toContainEqual(["start", { ...known, dataVolumes: [] }]);
    expect(driver.hostAddress).toBeUndefined();
    await driver.close();
  });

  it("are stopped with their disks, and wiped when their instance or the cloud ends", async () => {
    answer({ start: started, list: listed("stopped") });
    const driver = await commandMachines(command, () => undefined);
    const running = await driver.start(machine);
    await running.stop();
    expect(running.stage).toBe("stopped");
    expect(calls().map(([call]) => call)).not.toContain("wipe");
    await driver.wipe("i-1");
    await driver.wipe("i-1");
    await driver.start({ ...machine, instanceId: "i-2" });
    await driver.close();
    const wiped = calls().filter(([call]) => call === "wipe");
    expect(wiped.map(([, { instanceId }]) => instanceId)).toEqual(["i-1", "i-2"]);
  });

  it("print on a console", async () => {
    const output = Buffer.from("a line\r\n").toString("base64");
    answer({ start: started, console: { print: JSON.stringify({ output }) } });
    const driver = await commandMachines(command, () => undefined);
    expect(await driver.console("i-1")).toEqual(Buffer.alloc(0));
    await driver.start(machine);
    expect((await driver.console("i-1")).toString()).toBe("a line\r\n");
    await driver.close();
  });

  it("say what they can't have of an instance", async () => {
    answer({ start: started, list: listed("maintenance", ["disks"]) });
    const lines: string[] = [];
    const driver = await commandMachines(command, (line) => lines.push(line));
    await driver.start({ ...machine, dataVolumes: () => [{ volumeId: "vol-1", sizeBytes: 1 }] });
    expect(lines).toEqual(["i-1: its machine has no disks, so not the volumes attached to it"]);
    await driver.close();
  });

  it.each<[string, Record<string, Answer>, string]>([
    [
      "ends with another code",
      { start: { exit: 3, error: "no room left" } },
      "ended with exit code 3: no room left",
    ],
    ["answers no JSON object", { start: { print: "[]" } }, "must print one JSON object"],
    [
      "has no address",
      { start: { print: "{}" } },
      'gave "" as an address: it must be an IPv4 address',
    ],
    [
      "has a name for an address",
      { start: { print: '{"address":"m1"}' } },
      'gave "m1" as an address',
    ],
  ])("fail to start when the program %s", async (_, answers, message) => {
    answer(answers);
    const driver = await commandMachines(command, () => undefined);
    await expect(driver.start(machine)).rejects.toThrow(message);
    await driver.close();
  });

  it("are not there without their program", async () => {
    await expect(commandMachines([join(folder, "none")], () => undefined)).rejects.toThrow(
      /none list" didn't start: spawn .*ENOENT/,
    );
  });
});

describe("an emulated cloud with machines of a program", () => {
  let apid: Server;

  beforeAll(async () => {
    // What the program's machine would be: this computer reaches it at an address of its own.
    apid = createServer((socket) => socket.end("a real machine"));
    await new Promise<void>((resolve) => {
      apid.listen(APID_PORT, "127.60.0.9", resolve);
    });
  });

  afterAll(() => {
    apid.close();
  });

  it("has one for each running instance, reachable at the instance's address", async () => {
    const output = Buffer.from("real console").toString("base64");
    answer({
      start: { print: JSON.stringify({ address: "127.60.0.9" }) },
      console: { print: JSON.stringify({ output }) },
    });
    const lines: string[] = [];
    const emulator = await startEmulator({ machines: command, onLog: (line) => lines.push(line) });
    try {
      const ec2 = new EC2Client({
        region: emulator.region,
        endpoint: emulator.url,
        credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
      });
      const { Instances: [instance] = [] } = await ec2.send(
        new RunInstancesCommand({
          ImageId: talosImages().find(({ name }) => name === "talos-v1.14.1-us-east-1-arm64")
            ?.ami_id,
          InstanceType: "m7g.large",
          MinCount: 1,
          MaxCount: 1,
        }),
      );
      const InstanceId = instance?.InstanceId ?? "";
      await eventually(() => {
        expect(emulator.nodes(), lines.join("\n")).toMatchObject([{ instanceId: InstanceId }]);
      });
      const { address = "" } = emulator.nodes()[0] ?? {};
      await eventually(async () => {
        expect(await fetchText(address, APID_PORT, "")).toBe("a real machine");
      });
      const shown = await ec2.send(new GetConsoleOutputCommand({ InstanceId, Latest: true }));
      expect(Buffer.from(shown.Output ?? "", "base64").toString()).toBe("real console");
      await ec2.send(new StopInstancesCommand({ InstanceIds: [InstanceId] }));
      await eventually(() => {
        expect(calls().map(([call]) => call)).toContain("stop");
      });
      await ec2.send(new TerminateInstancesCommand({ InstanceIds: [InstanceId] }));
      await eventually(() => {
        expect(calls().map(([call]) => call)).toContain("wipe");
      });
      ec2.destroy();
    } finally {
      await emulator.stop();
    }
  });
});
