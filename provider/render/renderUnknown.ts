import { isUnknown } from "../base/unknown";
import { NOT_MADE_YET } from "../config/effects/outline";
import { type ConfigDocument, isMapping, type YamlValue } from "../config/machineConfig";
import { PLACEHOLDERS } from "../config/secrets/placeholder";
import type { CheckFailure } from "../engine/handler";
import type { SecretsBundle } from "../pki/secretsBundle";
import type {
  ConfigurationOutline,
  RenderedConfiguration,
  RenderResult,
} from "./renderConfiguration";

/**
 * The known parts of a configuration whose secrets don't exist yet. It is rendered with two
 * different placeholders. A part that differs between the two is not known yet.
 *
 * @param render gets the placeholder for unknown values
 */
export function renderUnknown(
  render: (placeholder: string) => RenderResult,
): Pick<RenderedConfiguration, "outline" | "unread"> | { readonly failures: CheckFailure[] } {
  const renderings: RenderedConfiguration[] = [];
  for (const placeholder of PLACEHOLDERS) {
    const result = render(placeholder);
    if ("failures" in result) {
      return result;
    }
    renderings.push(result.rendered);
  }
  const [first = {}, second = {}] = renderings.map(({ outline }) => outline);
  return { outline: knownOfMapping(first, second), unread: renderings[0]?.unread ?? [] };
}

/** A rendering with a placeholder for everything unknown. */
export function fillUnknown(
  rendering: ConfigurationOutline,
  placeholder: string,
): ConfigurationOutline {
  return JSON.parse(
    JSON.stringify(rendering, (_key, value: unknown) =>
      value === NOT_MADE_YET ? placeholder : value,
    ),
  ) as ConfigurationOutline;
}

/** A value with a placeholder for each unknown part. */
export function placeholderFor<Value>(value: Value, placeholder: string): Value {
  return value === undefined
    ? value
    : (JSON.parse(
        JSON.stringify(value, (_key, part: unknown) =>
          typeof part === "string" && isUnknown(part) ? placeholder : part,
        ),
      ) as Value);
}

/** A secrets bundle that consists of placeholders. */
export function placeholderBundle(placeholder: string): SecretsBundle {
  const pair = { crt: placeholder, key: placeholder };
  return {
    cluster: { id: placeholder, secret: placeholder },
    secrets: { bootstraptoken: placeholder, secretboxencryptionsecret: placeholder },
    trustdinfo: { token: placeholder },
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
