import * as pulumi from "@pulumi/pulumi";
import type { ConfigurationOutline } from "./renderConfiguration";

/** The text of each outline, because the machines of a role share one. */
const texts = new WeakMap<object, pulumi.Output<string>>();

/**
 * An outline as one JSON text, for resources that a program passes it to. Pulumi serialises each value
 * of a mapping on every way between program, engine and plugin. `outlineOf` reads it.
 */
export function outlineInput(
  outline: pulumi.Input<ConfigurationOutline> | undefined,
): pulumi.Output<string> | undefined {
  if (outline === undefined) {
    return undefined;
  }
  const known = texts.get(outline);
  if (known !== undefined) {
    return known;
  }
  const text = pulumi.output(outline).apply((values) => JSON.stringify(values));
  texts.set(outline, text);
  return text;
}
