import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { readEvents } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { previewEvents } from "../engine/previewStack";
import { exportState } from "../engine/stateOfStack";
import { withStack } from "../engine/withStack";
import { describePermissions, permissionNotes } from "../permissions/describePermissions";
import { planPermissions, planPreviewPermissions } from "../permissions/planPermissions";
import { type PlacedResource, planRepairPermissions } from "../permissions/planRepairPermissions";
import { policyParts } from "../permissions/policyParts";
import { type StackOptions, stackCommand } from "../stackCommand";
import { readResources } from "../stackResource";
import { notes, output } from "../standardStreams";

interface PermissionsOptions extends StackOptions {
  readonly json?: boolean;
  readonly part?: number;
  readonly preview?: boolean;
  readonly repair?: boolean;
  readonly recorded?: boolean;
  readonly partial?: boolean;
}

export function permissionsCommand(): Command {
  return stackCommand("permissions", "prints the IAM policy for running Pulumi on a stack")
    .addOption(new Option("--json", "as an IAM policy, for aws iam create-policy"))
    .addOption(
      new Option("--part <number>", "one of several policies, where one is too long").argParser(
        partNumber,
      ),
    )
    .addOption(
      new Option(
        "--preview",
        "for previews alone: what the program looks up, and no user data",
      ).conflicts("repair"),
    )
    .option("--repair", "for repair --machines alone, by the recorded resources")
    .option(
      "--recorded",
      "for the recorded resources alone: no preview, which needs AWS credentials",
    )
    .option("--partial", "leaves out resources whose permissions aren't known, with a warning")
    .action(permissions);
}

function partNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new InvalidArgumentError(`"${text}" is no number of a part: the first is 1`);
  }
  return Number(text);
}

async function permissions(stack: string, options: PermissionsOptions): Promise<void> {
  const isForRepair = options.repair === true;
  const isRecorded = options.recorded === true || isForRepair;
  const resources = await readStack(stack, { ...options, recorded: isRecorded });
  const plan = isForRepair
    ? planRepairPermissions(resources)
    : options.preview === true
      ? planPreviewPermissions(resources)
      : planPermissions(resources);
  if (plan.document.Statement.length === 0 || resources.every(({ type }) => !isAws(type))) {
    throw new CommandFailure(
      `the stack "${stack}" has no resources of AWS${isForRepair ? ": it needs machines that an update has made" : isRecorded ? ": leave out --recorded, and a preview tells what it will have" : ""}`,
    );
  }
  if (plan.unknownTypes.length > 0) {
    const message = `the permissions for ${plan.unknownTypes.map((type) => `"${type}"`).join(", ")} aren't known`;
    if (options.partial !== true) {
      throw new CommandFailure(
        `${message}: with --partial the policy is printed without them, and you add what they need`,
      );
    }
    notes.line(`warning: ${message}, so the policy lacks them`);
  }
  for (const note of permissionNotes(plan)) {
    notes.line(`note: ${note}`);
  }
  if (options.json !== true) {
    output.write(describePermissions(plan));
    return;
  }
  const parts = policyParts(plan.document);
  const { part } = options;
  const document = part === undefined ? plan.document : parts[part - 1];
  if (document === undefined) {
    throw new CommandFailure(`there is no part ${part ?? ""}: the policy has ${parts.length}`);
  }
  output.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

function isAws(type: string): boolean {
  return type.startsWith("aws:");
}

/** The recorded resources, and those of a preview: what changes needs both. */
async function readStack(
  stack: string,
  { cwd, recorded = false }: PermissionsOptions,
): Promise<readonly PlacedResource[]> {
  return withStack({ stack, cwd }, async (opened, signal) => {
    const known = readResources(await exportState(opened));
    if (recorded) {
      return known;
    }
    notes.line(`Previewing ${stack} …`);
    const events = await previewEvents(opened, { signal });
    const previewed = readEvents(events.all)
      .filter(({ isComponent, operation }) => !isComponent && operation !== "delete")
      .map(({ urn, type, newInputs, oldOutputs }) => ({
        urn,
        type,
        inputs: newInputs,
        outputs: oldOutputs,
      }));
    return [...known, ...previewed];
  });
}
