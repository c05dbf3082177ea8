import { type ConfigDocument, isMapping, type YamlValue } from "./config/machineConfig";
import type { CheckFailure } from "./handler";
import type { SecretsBundle } from "./pki/secretsBundle";
import type { RedactedConfiguration, RenderResult } from "./renderConfiguration";
import { isUnknown, UNKNOWN } from "./unknown";

/**
 * Two things to put in place of what isn't known before the update runs: 32 bytes in base64 fit
 * wherever a key, a token or a certificate does, as far as these are judged.
 */
const standIns = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

/**
 * What is known already of a configuration that isn't known yet as a whole, because the cluster's
 * secrets don't exist: it is rendered with two different things in their place, and what comes out
 * differently is unknown.
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

/** A value with something in place of all that is unknown in it. */
export function fillUnknown<Value>(value: Value, standIn: string): Value {
  if (!isUnknown(value)) {
    return value;
  }
  return JSON.parse(
    JSON.stringify(value, (_key, child: unknown) =>
      typeof child === "string" && isUnknown(child) ? standIn : child,
    ),
  ) as Value;
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
  return first === second ? first : UNKNOWN;
}
