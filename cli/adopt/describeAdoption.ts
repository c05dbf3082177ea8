import { said } from "../said";
import type { AwsResources } from "./awsImports";
import { changesNothing, type Comparison } from "./compareMachines";
import type { FormerCluster } from "./formerCluster";
import type { PlannedCluster } from "./planAdoption";
import { type Project, SECRETS_FOLDER } from "./writeProgram";

export type FormerTool = "terraform" | "pulumi" | "talosctl";

export interface Adoption {
  readonly tool: FormerTool;
  readonly cluster: FormerCluster;
  readonly plan: PlannedCluster;
  readonly comparison: Comparison;
  readonly aws: AwsResources;
  readonly project: Project;
}

/** What was found and compared, machine by machine. It has no value of any configuration. */
export function describeAdoption({ cluster, plan, comparison, aws }: Adoption): string {
  const { machines, refused, warnings } = comparison;
  const kept = plan.roles.flatMap(({ name, patches, machines: own }) => [
    ...keptOf(name, patches),
    ...own.flatMap((machine) => keptOf(machine.name, machine.ownPatches)),
  ]);
  const wiped = cluster.machines.filter(({ isWiped }) => isWiped).map(({ address }) => address);
  return lines([
    `The cluster "${plan.name}", contract ${contractsOf(plan)}:`,
    ...machines.flatMap(({ machine, role, changes }) => [
      `  ${machine.name} (${role}, ${machine.node}): ${changes.length === 0 ? "nothing changes" : `${changes.length} places would change`}`,
      ...changes.map((place) => `      ${place}`),
    ]),
    ...section("Kept by patches, because no argument says it:", kept),
    ...section("A preview refuses:", refused),
    ...section("Warnings:", [
      ...warnings,
      ...wiped.map((address) => `"${address}" has on_destroy.reset: its destroy wipes the machine`),
    ]),
    ...section("In AWS, left with the former tool:", leftInAws(aws)),
    changesNothing(comparison)
      ? "No machine would change."
      : 'Machines would change. The first "pulumi up" only looks, so nothing changes before you have seen each line.',
  ]);
}

/** What to do, and how to go back: the file beside the program. */
export function describeSteps({ tool, cluster, plan, aws, project }: Adoption): string {
  const settings = Object.keys(project.secretSettings).map(
    (name) => `pulumi config set --secret ${name} < ${SECRETS_FOLDER}/${name}.yaml`,
  );
  return lines([
    `# Going over: the cluster ${plan.name}`,
    "",
    "## Going",
    "",
    "1. Set up the project, and encrypt its secrets into the settings. Then delete the files with the secrets in clear.",
    "",
    ...code(["npm install", "pulumi stack init main", ...settings, `rm -r ${SECRETS_FOLDER}`]),
    "",
    "2. `pulumi preview` shows only what is created. `pulumi up` looks at each machine over mutual TLS, records it as it is, and names",
    "   what differs. It changes no machine.",
    "3. `pulumi preview --refresh` shows each line that the next `pulumi up` would change.",
    ...leaving(tool, cluster),
    "",
    ...(aws.importFile === undefined
      ? []
      : [
          "## AWS",
          "",
          `${aws.importable} resources of AWS stay with the former tool, and this program doesn't have them. \`aws-import.json\` names them for`,
          "`pulumi import --file aws-import.json`, if you want to move them later. Only one tool may manage a resource.",
          ...aws.others.map((address) => `- not in it: \`${address}\``),
          "",
        ]),
    "## The way back",
    "",
    "This project has changed nothing in the former tool, which goes on as before until you change a machine here. It doesn't see such a",
    "change: the next configuration that it sends to the machine is its own, without that.",
    "",
    "- `pulumi stack rm main --force` forgets the cluster here. It contacts no machine, and deletes nothing of the cluster.",
    ...said(
      tool === "terraform" &&
        "- Bring removed resources back into Terraform's state: `terraform state push before.tfstate`, and restore their blocks.",
      tool === "pulumi" &&
        "- Bring removed resources back into the former stack: `pulumi stack import --file before.json`, and restore its program.",
    ),
  ]);
}

function leaving(tool: FormerTool, { managed }: FormerCluster): readonly string[] {
  if (tool === "talosctl") {
    return [];
  }
  const isTerraform = tool === "terraform";
  const save = isTerraform
    ? "terraform state pull > before.tfstate"
    : "pulumi stack export > before.json";
  // Pulumi deletes no resource that others depend on, and records those first.
  const ordered = isTerraform ? managed : [...managed].reverse();
  const remove = ordered.map(({ address }) =>
    isTerraform ? `terraform state rm '${address}'` : `pulumi state delete '${address}'`,
  );
  const destroy = isTerraform ? "terraform destroy" : "pulumi destroy";
  return [
    `4. When you are content, make the former tool forget the machines. **Never run \`${destroy}\` there**: it deletes what the machines`,
    "   run on, and resets machines where it was told to. Let it forget these resources, and remove them from its program, both before its",
    "   next run. With only one of the two, that run deletes them, or makes them anew with other secrets.",
    "",
    ...code([save, ...remove]),
  ];
}

function keptOf(
  owner: string,
  patches: PlannedCluster["roles"][number]["patches"],
): readonly string[] {
  const places = [...new Set(patches.flatMap(({ keeps = [] }) => keeps))];
  return places.length === 0 ? [] : [`${owner}: ${places.join(", ")}`];
}

function leftInAws({ importable, others }: AwsResources): readonly string[] {
  const count = importable + others.length;
  return count === 0 ? [] : [`${count} resources, of which aws-import.json names ${importable}`];
}

function contractsOf({ roles }: PlannedCluster): string {
  return [...new Set(roles.map(({ arguments: own }) => own.versionContract))].join(", ");
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  - ${item}`)];
}

function code(commands: readonly string[]): readonly string[] {
  return ["```sh", ...commands, "```"];
}

function lines(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
