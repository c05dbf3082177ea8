import * as pulumi from "@pulumi/pulumi";
import { isKnown } from "../engine/outputValue";

/** The outputs of a resource that decide on its text. */
interface Rendered {
  readonly machineConfiguration: pulumi.Output<string>;
  readonly redactedConfiguration: pulumi.Output<unknown>;
}

/**
 * The text of a machine configuration in a preview. The state has the text once, as an output, and a
 * preview of a change shows outputs only where inputs have them. So the program renders it from the
 * inputs that the engine has accepted: transformations and `ignoreChanges` may have changed them.
 *
 * @param inputs.withheld inputs that the state doesn't keep or that `check` renders without
 * @param inputs.inParts an input that can be known in parts
 * @param render makes the text of known inputs
 * @returns unknown as long as an input is
 */
export function previewedText(
  resource: Rendered,
  { withheld, inParts }: { readonly withheld: pulumi.Inputs; readonly inParts: unknown },
  render: (inputs: pulumi.Unwrap<pulumi.Inputs>) => string,
): pulumi.Output<string> {
  const { machineConfiguration, redactedConfiguration } = resource;
  const own = Object.entries(resource).filter(isInput);
  const text = async (): Promise<pulumi.Output<string>> => {
    const isUnchanged = await isKnown(machineConfiguration);
    if (isUnchanged || !(await isKnown(redactedConfiguration))) {
      return machineConfiguration;
    }
    if (!(await isKnown(pulumi.output(inParts)))) {
      return machineConfiguration;
    }
    // Nothing else that is plain is unknown here, so an output that isn't known has no value.
    const accepted = await Promise.all(
      own.map(async ([key, value]) => ((await isKnown(value)) ? [[key, value] as const] : [])),
    );
    const inputs = { ...Object.fromEntries(accepted.flat()), ...defined(withheld) };
    return pulumi.output(inputs).apply((known) => render(known));
  };
  return pulumi.output(text());
}

function isInput(entry: [string, unknown]): entry is [string, pulumi.Output<unknown>] {
  const [key, value] = entry;
  const isOwn = key === "id" || key === "urn" || key.startsWith("__");
  return !isOwn && pulumi.Output.isInstance(value);
}

function defined(inputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
}
