import type { Command } from "commander";
import { takeSnapshot } from "../backup/takeSnapshot";
import { clusterOutputs } from "../engine/clusterOutputs";
import { readOutputs } from "../engine/stateOfStack";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { clusterAccess } from "../status/clusterAccess";

interface BackupOptions extends StackOptions {
  readonly file?: string;
  readonly cluster?: string;
}

export function backupCommand(): Command {
  return stackCommand("backup", "writes a snapshot of a cluster's etcd to a file")
    .option("-f, --file <file>", "the file to write (default: <stack>-<time>.snapshot)")
    .option("--cluster <output>", "the output with the cluster, if the stack has several")
    .addHelpText(
      "after",
      "\nThe file contains every secret of Kubernetes in clear. docs/backup.md describes how to restore a cluster from it.",
    )
    .action(backup);
}

async function backup(stack: string, options: BackupOptions): Promise<void> {
  const outputs = await withStack({ stack, cwd: options.cwd }, readOutputs);
  const access = clusterAccess(stack, clusterOutputs(stack, outputs, options.cluster));
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const { file = `${stack}-${time}.snapshot` } = options;
  const { machine, bytes } = await takeSnapshot(access, file, (line) => notes.line(line));
  output.line(
    `Wrote a snapshot of the etcd of ${stack} to ${file}: ${describeSize(bytes)}, from ${machine}.`,
  );
  output.line(
    "It contains every secret of Kubernetes in clear: encrypt it, and store it outside the cluster.",
  );
}

function describeSize(bytes: number): string {
  return bytes < 1_048_576
    ? `${Math.ceil(bytes / 1_024)} KiB`
    : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
