import type { Command } from "commander";
import { CommandFailure } from "../commandFailure";
import { ConfigTextError } from "../configFiles/configText";
import type { MergeCluster, MergeOptions, RemovalResult } from "../configFiles/mergeResult";
import { updateFile } from "../configFiles/updateFile";
import { type ClusterOutputs, clusterOutputs, textOutput } from "../engine/clusterOutputs";
import { readOutputs } from "../engine/stateOfStack";
import { withStack } from "../engine/withStack";
import type { StackOptions } from "../stackCommand";
import { output } from "../standardStreams";

/** A kind of configuration file to which a cluster is added. */
export interface ConfigKind {
  /** Name of the output, and of the command. */
  readonly name: "kubeconfig" | "talosconfig";
  /** The program that reads it. */
  readonly program: "kubectl" | "talosctl";
  readonly defaultFile: () => string;
  readonly merge: MergeCluster;
  readonly remove: (before: string, own: string, options: MergeOptions) => RemovalResult;
}

export interface ConfigOptions extends StackOptions {
  readonly file?: string;
  readonly context?: string;
  readonly setCurrent?: boolean;
  readonly stdout?: boolean;
  readonly remove?: boolean;
  readonly cluster?: string;
}

export function addConfigOptions(command: Command, kind: ConfigKind, usual: string): Command {
  return command
    .option("-f, --file <file>", `the file to change (default: ${usual})`)
    .option("--context <name>", "name of the context (default: the cluster's own)")
    .option("--set-current", `makes it the current context of ${kind.program}`)
    .option("--stdout", "prints the configuration with its key, and changes no file")
    .option("--remove", "removes it from the file; do this before you destroy the stack")
    .option("--cluster <output>", "the output with the cluster, if the stack has several");
}

/** What a command does differently with the configuration. */
interface ConfigSource {
  /** Changes it before it is written. Default: it is written as it is. */
  readonly prepare?: (own: string) => string;
  /** Finds it among the outputs. Default: the output of the kind's name. */
  readonly read?: (outputs: ClusterOutputs) => string;
}

export async function writeConfig(
  kind: ConfigKind,
  stack: string,
  options: ConfigOptions,
  {
    prepare = (own) => own,
    read = (outputs) => textOutput(stack, outputs, kind.name),
  }: ConfigSource = {},
): Promise<void> {
  const outputs = await withStack({ stack, cwd: options.cwd }, readOutputs);
  const own = read(clusterOutputs(stack, outputs, options.cluster));
  if (options.stdout === true) {
    output.write(prepare(own));
  } else if (options.remove === true) {
    await removeFromFile(kind, own, options);
  } else {
    await mergeIntoFile(kind, prepare(own), options);
  }
}

async function mergeIntoFile(
  { program, merge, defaultFile }: ConfigKind,
  own: string,
  { file = defaultFile(), context, setCurrent = false }: ConfigOptions,
): Promise<void> {
  const choice = { setCurrent, ...(context !== undefined && { contextName: context }) };
  const updated = await change(file, (before) => merge(before, own, choice));
  const { contextName, renamedFrom, isCurrent } = updated.result;
  output.line(`Wrote the context "${contextName}" to ${updated.file}.`);
  if (renamedFrom !== undefined) {
    output.line(`It has a number because another cluster has the name "${renamedFrom}" there.`);
  }
  output.line(
    isCurrent
      ? `It is the current one: ${program} uses it.`
      : `Use it with "${program} --context ${quoted(contextName)} …", or make it the current one with --set-current.`,
  );
  tellMode(updated);
}

async function removeFromFile(
  { remove, defaultFile }: ConfigKind,
  own: string,
  { file = defaultFile(), context }: ConfigOptions,
): Promise<void> {
  const choice = context === undefined ? {} : { contextName: context };
  const updated = await change(file, (before) => remove(before, own, choice));
  const { contextNames, wasCurrent } = updated.result;
  output.line(
    contextNames.length === 0
      ? `This cluster is not in ${updated.file}.`
      : `Removed from ${updated.file}: ${contextNames.map((name) => `"${name}"`).join(", ")}.`,
  );
  if (wasCurrent) {
    output.line("It was the current context: now there is none.");
  }
  tellMode(updated);
}

async function change<Result extends { readonly text: string }>(
  file: string,
  work: (before: string) => Result,
) {
  try {
    return await updateFile(file, work);
  } catch (error) {
    if (error instanceof ConfigTextError) {
      throw new CommandFailure(`"${file}" was not changed: ${error.message}`);
    }
    throw error;
  }
}

function tellMode({ narrowedFrom }: { readonly narrowedFrom?: string }): void {
  if (narrowedFrom !== undefined) {
    output.line(`Its mode was ${narrowedFrom} and is now 0600, because it contains keys.`);
  }
}

function quoted(name: string): string {
  return /^[\w@.:/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
