#!/usr/bin/env node
import path from "node:path";
import { parseArgs } from "node:util";
import { messageOfError } from "../provider/base";
import { findDaemon, noEmulator, startDaemon, stopDaemon } from "./daemon";
import { exportLines } from "./exportLines";
import { faultCommands } from "./faultCommands";
import { makeHostedZone } from "./hostedZone";
import { type GivenMachines, givenMachines } from "./machines/givenMachines";
import { packageRoot } from "./packageRoot";
import { runWorld } from "./runWorld";
import { table } from "./table";

const USAGE = `usage: talos-aws-emulator <command> [--state-dir <folder>] [--region <region>]

An AWS with Talos machines on this computer's loopback.

  start   starts it in the background, waits until it is ready, prints what to export:
          eval "$(talos-aws-emulator start)"
          HTTPS_PROXY and NODE_OPTIONS are for the names in its hosted zones
  status  shows its machines
  stop    ends it and everything in it
  run     runs it in the foreground until Ctrl-C

  fault <kind> <machine or zone> [<parameter>=<value> …] [--for <seconds>]
          injects a fault into a machine, or into all machines of a zone, and prints its name
  faults  shows the active faults, and the kinds of fault
  lift <fault or "all">
          ends a fault

  --state-dir  folder for the emulator's files; default: .local/emulator of this package
  --for        how long a fault stays, in seconds; default: until it is lifted
  --region     region to name in what is printed; default: us-east-1
  --machines docker
               with start and run: the machines are containers of Docker with the real Talos; needs Linux
    --machine-range <range>
               the range of their VPC; default: 10.0.0.0/16
    --machine-image <image>
               their image; without a tag, the tag is the release of Talos; default: ghcr.io/siderolabs/talos
  --machines <program>
               with start and run: has this program run the machines, as README.md says; default: they are simulated
  --hosted-zone <domain>
               with start: makes this public hosted zone in Route 53, unless it is there
`;

/** How long an abandoned start may take to clean up. */
const ABANDONED_STOP_MS = 5_000;

interface Settings {
  readonly stateDir: string;
  readonly region: string | undefined;
  readonly machines: GivenMachines | undefined;
  /** Domain of a hosted zone to make. */
  readonly hostedZone: string | undefined;
  /** Words after the command. */
  readonly words: readonly string[];
  readonly forSeconds: string | undefined;
}

/** Commands that take more arguments. */
const WORDY = new Set(["fault", "lift"]);

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const COMMANDS: Readonly<Record<string, (settings: Settings) => Promise<void>>> = {
  start: async ({ stateDir, region, machines, hostedZone }) => {
    const daemon = await startDaemon({
      stateDir,
      ...(region !== undefined && { region }),
      ...(machines !== undefined && { machines }),
      onLog: (line) => process.stderr.write(`${line}\n`),
    });
    if (hostedZone !== undefined && (await makeHostedZone(daemon, hostedZone))) {
      process.stderr.write(`made the hosted zone "${hostedZone}"\n`);
    }
    say(exportLines(daemon));
  },

  status: async ({ stateDir }) => {
    const daemon = await findDaemon(stateDir);
    if (daemon === undefined) {
      say(noEmulator(stateDir));
      process.exitCode = 3;
      return;
    }
    say(`AWS at ${daemon.url}, region ${daemon.region}, process ${daemon.pid}`);
    const rows = (await daemon.nodes()).map((node) => ({
      instance: node.instanceId,
      zone: node.zone,
      address: node.address,
      private: node.privateAddress,
      stage: node.stage,
    }));
    say(table(["instance", "zone", "address", "private", "stage"], rows));
  },

  ...faultCommands(say),

  stop: async ({ stateDir }) => {
    say((await stopDaemon(stateDir)) ? "the emulator is stopped" : noEmulator(stateDir));
  },

  run: async ({ stateDir, region, machines }) => {
    await runWorld({
      stateDir,
      ...(region !== undefined && { region }),
      machines,
      onLog: (line) => process.stderr.write(`${line}\n`),
      onReady: (record) => say(exportLines(record)),
      signal: abortOn(["SIGINT", "SIGTERM", "SIGHUP"]).signal,
    });
  },

  /** The process that `start` starts. It ends with its starter until it is ready, and is independent then. */
  daemon: async ({ stateDir, region, machines }) => {
    const stopping = abortOn(["SIGTERM"]);
    process.on("SIGHUP", () => undefined);
    let isReady = false;
    const tellStarter = (line: string) => {
      if (!isReady) {
        process.stdout.write(`${line}\n`);
      }
    };
    process.stdout.on("error", () => undefined);
    process.stdin.on("error", () => undefined);
    process.stdin.resume().once("close", () => {
      if (!isReady) {
        stopping.abort();
        setTimeout(() => process.exit(1), ABANDONED_STOP_MS).unref();
      }
    });
    try {
      await runWorld({
        stateDir,
        ...(region !== undefined && { region }),
        machines,
        onLog: tellStarter,
        onReady: () => {
          tellStarter("ready");
          isReady = true;
        },
        signal: stopping.signal,
      });
    } catch (error) {
      tellStarter(`failed ${JSON.stringify(messageOfError(error))}`);
      throw error;
    }
  },
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "state-dir": { type: "string" },
      region: { type: "string" },
      machines: { type: "string" },
      "machine-range": { type: "string" },
      "machine-image": { type: "string" },
      "hosted-zone": { type: "string" },
      for: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [name = "", ...words] = positionals;
  const command = COMMANDS[name];
  const isWrong = command === undefined || (words.length > 0 && !WORDY.has(name));
  if (isWrong || values.help === true) {
    (values.help === true ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const stateDir = values["state-dir"] ?? path.join(packageRoot(), ".local", "emulator");
  await command({
    stateDir: path.resolve(stateDir),
    region: values.region,
    machines: givenMachines(values),
    hostedZone: values["hosted-zone"],
    words,
    forSeconds: values.for,
  });
}

function abortOn(signals: readonly NodeJS.Signals[]): AbortController {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => controller.abort());
  }
  return controller;
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOfError(error)}\n`);
  process.exitCode = 1;
});
