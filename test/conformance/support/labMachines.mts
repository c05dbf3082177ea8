// A program that runs the embedded cloud's machines: real Talos machines of a lab, which has each by its instance's id.
// It speaks the protocol in emulator/README.md. Node.js runs it as it is, so it has only types that can be stripped.
//
// node labMachines.mts <lab> start|stop|wipe|console|list
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

interface Machine {
  readonly instanceId: string;
  readonly privateAddress: string;
  readonly userData?: string;
}

interface LabNode {
  readonly name: string;
  readonly state: string;
}

/** In container mode, machines have no disks of their own, no installer and nothing to wipe. */
const CANNOT = ["disks", "upgrade", "reset"];

/** The stages of the embedded cloud by the states of a lab. */
const STAGES: Readonly<Record<string, string>> = {
  maintenance: "maintenance",
  configured: "running",
  starting: "booting",
  stopped: "stopped",
};

/** So long a lab waits for a machine to answer. A worker with user data waits itself, for a control plane. */
const ANSWER_SECONDS = "2";

const LAB_TIMEOUT_MS = 540_000;
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

const [lab = "", call = ""] = process.argv.slice(2);
const run = promisify(execFile);

async function answer(): Promise<object> {
  const input = JSON.parse((await text(stdin)) || "{}") as Machine;
  switch (call) {
    case "list":
      return list();
    case "start":
      return start(input);
    case "stop":
    case "wipe":
      await askLab(call, input.instanceId);
      return {};
    case "console": {
      const output = asOnConsole(await askLab("console", input.instanceId));
      return { output: Buffer.from(output).toString("base64") };
    }
    default:
      throw new Error(`"${call}" is no call`);
  }
}

async function start({ instanceId, privateAddress, userData }: Machine): Promise<object> {
  const host = await hostAddress();
  const network = host.slice(0, host.lastIndexOf(".") + 1);
  if (!privateAddress.startsWith(network)) {
    throw new Error(
      `the instance's private address is ${privateAddress}: machines of this lab have ${network}*, so its VPC must have ${network}0/24`,
    );
  }
  const isKnown = async () => (await nodes()).some(({ name }) => name === instanceId);
  try {
    await ((await isKnown())
      ? askLab("start", instanceId)
      : startNew(`${instanceId}:${privateAddress.slice(network.length)}`, userData));
  } catch (error) {
    // It has power, and doesn't answer yet.
    if (!(await isKnown())) {
      throw error;
    }
  }
  return { address: privateAddress };
}

async function startNew(node: string, userData: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lab-machines-"));
  try {
    const config = join(folder, "userData.yaml");
    await writeFile(config, userData ?? "", { mode: 0o600 });
    await askLab("up", userData === undefined ? node : `${node}:${config}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function list(): Promise<object> {
  const machines = (await nodes()).map(({ name, state }) => ({
    instanceId: name,
    stage: STAGES[state] ?? "booting",
    cannot: CANNOT,
  }));
  return { hostAddress: await hostAddress(), machines };
}

/** Containers have no kernel log, so Talos prints to its standard error, with the time before each message. */
function asOnConsole(output: string): string {
  return output.replace(/^\[talos\] \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /gm, "[talos] ");
}

async function hostAddress(): Promise<string> {
  const { host } = JSON.parse(await askLab("config")) as { readonly host: string };
  return host;
}

async function nodes(): Promise<LabNode[]> {
  const lines = (await askLab("status")).split("\n");
  return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as LabNode] : []));
}

async function askLab(...args: readonly string[]): Promise<string> {
  const owner = process.env.TALOS_EMULATOR_PID ?? "";
  const { stdout: said } = await run(lab, args, {
    timeout: LAB_TIMEOUT_MS,
    maxBuffer: MOST_OUTPUT_BYTES,
    env: {
      ...process.env,
      TALOS_LAB_OWNER: owner,
      KUBERNETES_LAB_OWNER: owner,
      TALOS_LAB_TIMEOUT: ANSWER_SECONDS,
      KUBERNETES_LAB_TIMEOUT: ANSWER_SECONDS,
    },
  });
  return said;
}

stdout.write(JSON.stringify(await answer()));
