import * as pulumi from "@pulumi/pulumi";
import { freeze } from "./config/immutable";
import { Recent } from "./config/recent";
import type { SecretsBundle } from "./pki/secretsBundle";

/** Of bundles that several resources of a program are given. */
const texts = new WeakMap<object, pulumi.Output<string>>();

/**
 * A secrets bundle as one text in JSON, which is a secret: for resources of which a program has many. Pulumi takes
 * a mapping apart for each resource that has it, on its way to the engine, to the plugin and back.
 */
export function bundleText(bundle: pulumi.Input<SecretsBundle>): pulumi.Output<string> {
  const known = texts.get(bundle);
  if (known !== undefined) {
    return known;
  }
  const text = pulumi.secret(bundle).apply((values) => JSON.stringify(values));
  texts.set(bundle, text);
  return text;
}

/** Of the clusters that are seen to in one run. */
const bundles = new Recent<SecretsBundle>(8);

/** The bundle of such a text, frozen; one that is a mapping already is returned as it is. */
export function bundleOf(bundle: SecretsBundle | string): SecretsBundle {
  return typeof bundle === "string"
    ? bundles.get(bundle, () => freeze(JSON.parse(bundle) as SecretsBundle))
    : bundle;
}
