import { type ConfigDocument, isMapping, type YamlValue } from "./config/machineConfig";
import type { CheckFailure } from "./handler";
import type { SecretsBundle } from "./pki/secretsBundle";
import { isUnknown } from "./unknown";
import type { RedactedConfiguration, RenderResult } from "./renderConfiguration";

/**
 * What stands in a rendering without secrets for a value that isn't known before the update runs. A
 * text, as a program gets no output of a resource in a preview that holds anything unknown, and
 * then could not hand it on (pulumi v3.230.0, sdk/nodejs/runtime/rpc.ts).
 */
export const NOT_MADE_YET = "«not made yet»";

/**
 * Two things to put in place of what isn't known before the update runs: 32 bytes in base64 fit
 * wherever a key, a token or a certificate does, as far as these are judged.
 */
const standIns = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

/**
 * What is known already of a configuration that isn't known yet as a whole, because the cluster's
 * secrets don't exist: it is rendered with two different things in their place, and what comes out
 * differently is not made yet.
 *
 * @param render given what to put in place of unknown values
 */
export function renderUnknown(
  render: (standIn: string) => RenderResult,
): { readonly redacted: RedactedConfiguration } | { readonly failures: CheckFailure[] } {
  const outlines: ConfigDocument[] = [];
  for (const standIn of standIns) {
    const result = render(standIn);
    if ("failures" in result) {
      return result;
    }
    outlines.push(result.rendered.redacted);
  }
  const [first = {}, second = {}] = outlines;
  return { redacted: knownOfMapping(first, second) };
}

/** A rendering with something in place of all that isn't made yet. */
export function fillUnknown(
  rendering: RedactedConfiguration,
  standIn: string,
): RedactedConfiguration {
  return JSON.parse(
    JSON.stringify(rendering, (_key, value: unknown) => (value === NOT_MADE_YET ? standIn : value)),
  ) as RedactedConfiguration;
}

/** The same value with something in place of each part of it that isn't known. */
export function standInFor<Value>(value: Value, standIn: string): Value {
  return value === undefined
    ? value
    : (JSON.parse(
        JSON.stringify(value, (_key, part: unknown) =>
          typeof part === "string" && isUnknown(part) ? standIn : part,
        ),
      ) as Value);
}

/** A secrets bundle of nothing but that. */
export function standInBundle(standIn: string): SecretsBundle {
  const pair = { crt: standIn, key: standIn };
  return {
    cluster: { id: standIn, secret: standIn },
    secrets: { bootstraptoken: standIn, secretboxencryptionsecret: standIn },
    trustdinfo: { token: standIn },
    certs: { etcd: pair, k8s: pair, k8saggregator: pair, k8sserviceaccount: pair, os: pair },
  };
}

function knownOfMapping(first: ConfigDocument, second: ConfigDocument): ConfigDocument {
  return Object.fromEntries(
    Object.entries(first).map(([key, value]) => [key, knownOf(value, second[key] ?? null)]),
  );
}

function knownOf(first: YamlValue, second: YamlValue): YamlValue {
  if (isMapping(first) && isMapping(second)) {
    return knownOfMapping(first, second);
  }
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.map((item, index) => knownOf(item, second[index] ?? null));
  }
  return first === second ? first : NOT_MADE_YET;
}
