import type { Command } from "commander";
import { confirm } from "../confirm";
import { clusterOutputs } from "../engine/clusterOutputs";
import { readOutputs } from "../engine/stateOfStack";
import { withStack } from "../engine/withStack";
import { restoreCluster, type RestoreDialog } from "../restore/restoreCluster";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { clusterAccess } from "../status/clusterAccess";
import { repairBefore } from "./repair";

interface RestoreOptions extends StackOptions {
  readonly from: string;
  readonly cluster?: string;
  readonly yes?: boolean;
  readonly skipHashCheck?: boolean;
  readonly discardRunningEtcd?: boolean;
  readonly acceptOtherCluster?: boolean;
}

export function restoreCommand(): Command {
  return stackCommand("restore", "restarts a cluster's etcd from a snapshot")
    .requiredOption(
      "-f, --from <snapshot>",
      "a file from talos-aws backup or another etcd snapshot",
    )
    .option("-y, --yes", "does not ask for confirmation")
    .option("--cluster <output>", "the output with the cluster, if the stack has several")
    .option("--discard-running-etcd", "also if etcd has its majority: its current data is lost")
    .option("--accept-other-cluster", "accepts a snapshot with another Kubernetes CA")
    .option("--skip-hash-check", "accepts a copy of etcd's own file, member/snap/db")
    .addHelpText(
      "after",
      "\nLost machines are recreated; the others keep their disks and lose their etcd. After an interruption,\nthe same command continues. docs/backup.md describes the procedure.",
    )
    .action(restore);
}

async function restore(name: string, options: RestoreOptions): Promise<void> {
  const { cwd, from, yes = false, cluster } = options;
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const instanceIds =
      cluster === undefined
        ? undefined
        : clusterAccess(name, clusterOutputs(name, await readOutputs(stack), cluster)).machines.map(
            ({ instanceId }) => instanceId,
          );
    const dialog: RestoreDialog = {
      note: notes.line,
      say: output.line,
      write: output.write,
      color: output.terminal.color,
      confirm: async () => yes || confirm(`Type "${name}" to restore it:`, name),
    };
    const isDone = await restoreCluster(
      stack,
      {
        snapshot: { path: from, skipHashCheck: options.skipHashCheck ?? false },
        discardRunningEtcd: options.discardRunningEtcd ?? false,
        acceptOtherCluster: options.acceptOtherCluster ?? false,
        ...(instanceIds && { instanceIds }),
      },
      dialog,
      signal,
    );
    if (!isDone) {
      notes.line("Nothing was changed.");
      process.exitCode = 1;
    }
  });
}
