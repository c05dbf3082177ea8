import * as pulumi from "@pulumi/pulumi";
import type { ConfigurationOutline } from "./renderConfiguration";

/** The text of each outline, because the machines of a role share one. */
const texts = new WeakMap<object, pulumi.Output<string>>();

/**
 * An outline as one JSON text, for resources that a program passes it to. Pulumi serialises each value
 * of a mapping on every way between program, engine and plugin. `outlineOf` reads it.
 *
 * @returns an empty text without an outline
 */
export function outlineInput(
  outline: pulumi.Input<ConfigurationOutline> | undefined,
): pulumi.Input<string> {
  if (outline === undefined) {
    return "";
  }
  const known = texts.get(outline);
  if (known !== undefined) {
    return known;
  }
  const text = pulumi.output(outline).apply((values) => JSON.stringify(values));
  texts.set(outline, text);
  return text;
}
