import * as pulumi from "@pulumi/pulumi";
import { freeze } from "../config/frozenMemo";
import { LruCache } from "../config/lruCache";
import type { SecretsBundle } from "../pki/secretsBundle";

/** The text of each bundle, because several resources of a program share one. */
const texts = new WeakMap<object, pulumi.Output<string>>();

/**
 * A secrets bundle as one JSON text, marked as a secret, for resources of which a program has many.
 * Pulumi serialises each value of a mapping on every way between program, engine and plugin.
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

/** The last bundles, because a run can have several clusters. */
const bundles = new LruCache<SecretsBundle>(8);

/** The bundle in such a text, frozen. A bundle that is a mapping is returned unchanged. */
export function bundleOf(bundle: SecretsBundle | string): SecretsBundle {
  return typeof bundle === "string"
    ? bundles.get(bundle, () => freeze(JSON.parse(bundle) as SecretsBundle))
    : bundle;
}
