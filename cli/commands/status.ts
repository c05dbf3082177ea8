import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";
import { clusterOutputs } from "../engine/clusterOutputs";
import { readOutputs } from "../engine/stateOfStack";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { output } from "../standardStreams";
import { type ClusterAccess, clusterAccess } from "../status/clusterAccess";
import { type ClusterStatus, judgeStatus, VERDICT_EXIT_CODES } from "../status/clusterStatus";
import { type Ec2States, readEc2States, silentInstances, withEc2States } from "../status/ec2States";
import { readStatus } from "../status/readStatus";
import { renderStatus } from "../status/renderStatus";

interface StatusOptions extends StackOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly cluster?: string;
}

const WATCH_EVERY_MS = 2_000;

export function statusCommand(): Command {
  return stackCommand("status", "shows the state of every machine of a stack")
    .option("-w, --watch", "refreshes every two seconds, until Ctrl-C")
    .option("--json", "as JSON, with --watch one line per refresh")
    .option("--cluster <output>", "the output with the cluster, if the stack has several")
    .addHelpText(
      "after",
      "\nExit code: 0 everything is healthy; 1 something isn't; 2 unknown, because no machine answers.",
    )
    .action(status);
}

async function status(stack: string, options: StatusOptions): Promise<void> {
  const access = await findAccess(stack, options);
  const explain = explainSilence(options);
  if (options.watch === true) {
    await watch(stack, access, explain, options.json === true);
    return;
  }
  const status = await explain(await readStatus(stack, access));
  output.write(
    options.json === true
      ? `${JSON.stringify(status, undefined, 2)}\n`
      : renderStatus(status, output.terminal),
  );
  process.exitCode = VERDICT_EXIT_CODES[judgeStatus(status)];
}

/** A failure to read the stack makes the status unknown. */
async function findAccess(stack: string, { cwd, cluster }: StatusOptions): Promise<ClusterAccess> {
  try {
    const outputs = await withStack({ stack, cwd }, readOutputs);
    return clusterAccess(stack, clusterOutputs(stack, outputs, cluster));
  } catch (error) {
    const message = messageOfError(error);
    throw new CommandFailure(message, VERDICT_EXIT_CODES.unknown);
  }
}

/**
 * Asks EC2 about machines that don't answer, each time that others are silent. Without credentials for AWS
 * nothing is added: nothing else of the status needs them.
 */
function explainSilence({ cwd }: StatusOptions): (status: ClusterStatus) => Promise<ClusterStatus> {
  let asked = "";
  let states: Ec2States = new Map();
  return async (status) => {
    const silent = silentInstances(status);
    if (silent.join() !== asked) {
      asked = silent.join();
      states =
        silent.length === 0
          ? new Map()
          : await withStack({ stack: status.stack, cwd }, (stack) =>
              readEc2States(stack, silent),
            ).catch(() => new Map<string, string>());
    }
    return withEc2States(status, states);
  };
}

async function watch(
  stack: string,
  access: ClusterAccess,
  explain: (status: ClusterStatus) => Promise<ClusterStatus>,
  asJson: boolean,
): Promise<void> {
  const interrupt = new AbortController();
  const end = () => interrupt.abort();
  const isOver = () => interrupt.signal.aborted;
  process.once("SIGINT", end).once("SIGTERM", end);
  let drawn = 0;
  while (!isOver()) {
    const status = await explain(await readStatus(stack, access, { signal: interrupt.signal }));
    if (isOver()) {
      break;
    }
    process.exitCode = VERDICT_EXIT_CODES[judgeStatus(status)];
    if (asJson) {
      output.line(JSON.stringify(status));
    } else {
      drawn = draw(status, drawn);
    }
    await sleep(WATCH_EVERY_MS, undefined, { signal: interrupt.signal }).catch(() => undefined);
  }
  process.off("SIGINT", end).off("SIGTERM", end);
}

/**
 * Draws over the previous output on a terminal, and below it elsewhere.
 *
 * @returns the number of drawn lines
 */
function draw(status: ClusterStatus, drawnBefore: number): number {
  const text = `${status.at}\n${renderStatus(status, output.terminal)}`;
  if (!output.terminal.isInteractive) {
    output.line(text);
    return 0;
  }
  // Moves the cursor up to the first line, and clears everything below.
  output.write(`${drawnBefore > 0 ? `\u001b[${drawnBefore}A` : ""}\u001b[0J${text}`);
  return text.split("\n").length - 1;
}
