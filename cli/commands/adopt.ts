import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { parse } from "yaml";
import { fileProblem } from "../../provider/base";
import { askMachines } from "../adopt/askMachines";
import { awsImports } from "../adopt/awsImports";
import { changesNothing, compareMachines } from "../adopt/compareMachines";
import {
  type Adoption,
  describeAdoption,
  describeSteps,
  type FormerTool,
} from "../adopt/describeAdoption";
import type { FormerCluster } from "../adopt/formerCluster";
import { type FormerResource } from "../adopt/formerResource";
import { planAdoption } from "../adopt/planAdoption";
import { isPulumiState, readPulumiState } from "../adopt/pulumiState";
import { chooseCluster, readClusters } from "../adopt/readClusters";
import { isTerraformState, readTerraformState } from "../adopt/terraformState";
import { writeProgram } from "../adopt/writeProgram";
import { refuseUsed, writeProject } from "../adopt/writeProject";
import { CommandFailure } from "../commandFailure";
import { readOwnContext } from "../configFiles/talosconfigContexts";
import { type Properties, isProperties } from "../properties";
import { notes, output } from "../standardStreams";

interface AdoptOptions {
  readonly out?: string;
  readonly cluster?: string;
  readonly node?: readonly string[];
  readonly check?: boolean;
}

const STANDARD_INPUT = "-";

export function adoptCommand(): Command {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  return new Command("adopt")
    .summary("writes a program for a cluster of Terraform, pulumiverse/talos or talosctl")
    .description(
      "Writes a program for a cluster that siderolabs/talos of Terraform, pulumiverse/talos or talosctl made, and shows where it would change machines. It changes no machine and no state.",
    )
    .argument(
      "<file>",
      'a Terraform state, the output of "pulumi stack export --show-secrets", or a talosconfig; - for standard input',
    )
    .option("-o, --out <folder>", "the new folder for the program (default: the cluster's name)")
    .option("--cluster <name>", "the cluster, if a state has several")
    .option(
      "--node <address>",
      "with a talosconfig: a machine; may be repeated (default: the nodes of its context)",
      collect,
    )
    .option("--check", "only compares, and writes nothing")
    .addHelpText(
      "after",
      "\nIt exits with 1 if a machine would change, or if a preview would refuse the program.",
    )
    .action(adopt);
}

async function adopt(file: string, options: AdoptOptions): Promise<void> {
  const { out, check = false } = options;
  const { tool, cluster, resources } = await readFormer(file, options);
  const folder = resolve(out ?? cluster.name.replaceAll(/[^A-Za-z0-9_.-]+/g, "-"));
  if (!check) {
    await refuseUsed(folder);
  }
  const plan = planAdoption(cluster);
  const adoption: Adoption = {
    tool,
    cluster,
    plan,
    comparison: compareMachines(plan),
    aws: awsImports(tool === "terraform" ? resources : []),
    project: writeProgram(plan),
  };
  output.write(describeAdoption(adoption));
  if (!check) {
    await writeAll(folder, adoption);
  }
  process.exitCode = changesNothing(adoption.comparison) ? 0 : 1;
}

async function writeAll(folder: string, adoption: Adoption): Promise<void> {
  const { project, aws } = adoption;
  await writeProject(folder, {
    ...project,
    files: {
      ...project.files,
      "GOING-OVER.md": describeSteps(adoption),
      ...(aws.importFile !== undefined && { "aws-import.json": aws.importFile }),
    },
  });
  notes.line(
    `Wrote ${folder}: GOING-OVER.md has the next steps. The folder "secrets" in it has the cluster's keys in clear, readable only by you: set them as settings, then delete it.`,
  );
}

async function readFormer(
  file: string,
  { cluster, node = [] }: AdoptOptions,
): Promise<{
  readonly tool: FormerTool;
  readonly cluster: FormerCluster;
  readonly resources: readonly FormerResource[];
}> {
  const given = await readGiven(file);
  const label = file === STANDARD_INPUT ? "standard input" : `"${file}"`;
  const json = asJson(given);
  if (json === undefined) {
    const chosen = await askMachines(talosconfigOf(given, label), node);
    if (cluster !== undefined && cluster !== chosen.name) {
      chooseCluster([chosen], cluster);
    }
    return { tool: "talosctl", cluster: chosen, resources: [] };
  }
  if (node.length > 0) {
    throw new CommandFailure("--node is for a talosconfig: a state names its machines itself");
  }
  if (isPulumiState(json)) {
    const resources = readPulumiState(json);
    const clusters = readClusters(resources, label);
    return { tool: "pulumi", cluster: chooseCluster(clusters, cluster), resources };
  }
  if (isTerraformState(json)) {
    const resources = readTerraformState(json);
    const clusters = readClusters(resources, label);
    return { tool: "terraform", cluster: chooseCluster(clusters, cluster), resources };
  }
  throw unknownFile(label);
}

async function readGiven(file: string): Promise<string> {
  if (file === STANDARD_INPUT) {
    return text(process.stdin);
  }
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandFailure(`"${file}" can't be read: ${fileProblem(error)}`);
  }
}

function asJson(given: string): Properties | undefined {
  try {
    const value: unknown = JSON.parse(given);
    return isProperties(value) ? value : {};
  } catch {
    return undefined;
  }
}

function talosconfigOf(given: string, label: string): ReturnType<typeof readOwnContext> {
  let config: unknown;
  try {
    config = parse(given);
  } catch {
    throw unknownFile(label);
  }
  if (!isProperties(config) || !isProperties(config.contexts)) {
    throw unknownFile(label);
  }
  const { context } = config;
  const own = typeof context === "string" ? config.contexts[context] : undefined;
  if (!isProperties(own) || !["ca", "crt", "key"].every((key) => typeof own[key] === "string")) {
    throw new CommandFailure(
      `${label} has no current context with ca, crt and key: choose one with "talosctl config context"`,
    );
  }
  return readOwnContext(given);
}

function unknownFile(label: string): CommandFailure {
  return new CommandFailure(
    `${label} is neither a Terraform state nor the export of a Pulumi stack nor a talosconfig: give the output of "terraform state pull", "terraform show -json" or "pulumi stack export --show-secrets", or a talosconfig`,
  );
}
