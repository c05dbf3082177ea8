import { createPublicKey } from "node:crypto";
import type { Deployment } from "@pulumi/pulumi/automation";
import { decodeUserData, withheldUserData } from "../../components/machines";
import {
  type ConfigDocument,
  isMapping,
  isMixed,
  mapMembers,
  shownInput,
  withheldText,
  type YamlValue,
} from "../../provider/config";
import { WITHHELD } from "../../provider/pki";
import { CommandFailure } from "../commandFailure";
import { plaintextOf } from "../stateSecret";
import {
  CONFIGURATION,
  OUTLINE,
  outlineIn,
  outlineOf,
  type Recorded,
  type Substitutes,
  substitutesOf,
} from "./substitutes";

const USER_DATA: readonly string[] = ["userData", "userDataBase64"];
/** What of a bundle is no secret: the cluster's id is in outlines. */
const PUBLIC: readonly string[] = ["id"];
const SERVICE_ACCOUNT = "k8sserviceaccount";

/** Shorter texts occur everywhere. */
const SHORTEST_SECRET = 12;

/**
 * A state without any secret, from which a preview shows the same changes, but for those of secrets: it compares
 * configurations by their outlines. Certificates and what else is public stay.
 *
 * @param state with its secrets in clear
 * @throws CommandFailure if one would be left
 */
export function withoutSecrets(state: Deployment): Deployment {
  const deployment = state.deployment as { readonly resources?: readonly Recorded[] };
  const found = new Set<string>();
  const mixed = new Set<string>();
  const substitutes = substitutesOf(deployment.resources ?? []);
  const resources = (deployment.resources ?? []).map((resource) => {
    const { inputs, outputs } = resource as Record<"inputs" | "outputs", Recorded | undefined>;
    const recorded = outlineOf(resource);
    const shown = (properties: Recorded) =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          withoutSecret(name, value, { recorded, substitutes, found, mixed }),
        ]),
      );
    return {
      ...resource,
      ...(inputs && { inputs: shown(inputs) }),
      ...(outputs && { outputs: shown(outputs) }),
    };
  });
  const outlines = JSON.stringify(resources.map(outlineOf));
  const hidden = [...mixed].filter((value) => !includesText(outlines, value));
  const marked = substitutes.marked.map(String);
  refuseLeft(resources, new Set([...found, ...hidden, ...marked]));
  return { ...state, deployment: { ...deployment, resources } };
}

interface RevealContext {
  /** The outline of the same resource. */
  readonly recorded: ConfigDocument | undefined;
  readonly substitutes: Substitutes;
  /** Takes each secret that is withheld. */
  readonly found: Set<string>;
  /** Takes what is withheld of inputs that are secret as a whole. Outlines may show it. */
  readonly mixed: Set<string>;
}

function withoutSecret(name: string, value: unknown, context: RevealContext): unknown {
  if (name === OUTLINE) {
    const given = outlineIn(value);
    const plain = given && context.substitutes.outline(given);
    return plain === undefined ? value : typeof value === "string" ? JSON.stringify(plain) : plain;
  }
  return revealed(name, value, context);
}

/** A value with its secrets withheld, wherever they are in it. */
function revealed(name: string, value: unknown, context: RevealContext): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => revealed(name, item, context));
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? (context.substitutes.hashes.get(value) ?? value) : value;
  }
  const plaintext = plaintextOf(value);
  if (plaintext !== undefined) {
    const withheld = withhold(name, JSON.parse(plaintext) as YamlValue, context);
    return { ...value, plaintext: JSON.stringify(withheld) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, revealed(key, item, context)]),
  );
}

function withhold(name: string, value: YamlValue, context: RevealContext): YamlValue {
  if (isMixed(name) && context.recorded !== undefined) {
    return shownInput(name, value, context.substitutes.outline(context.recorded), context.mixed);
  }
  if (Array.isArray(value)) {
    return value.map((item) => withhold(name, item, context));
  }
  if (isMapping(value)) {
    return mapMembers(value, (item, key) =>
      name === SERVICE_ACCOUNT && typeof item === "string"
        ? publicHalf(item, context)
        : withhold(key, item, context),
    );
  }
  if (typeof value !== "string" || isCertificate(value) || PUBLIC.includes(name)) {
    return value;
  }
  context.found.add(value);
  if (name === CONFIGURATION && value !== "") {
    return withheldText(value, context.recorded);
  }
  return USER_DATA.includes(name) && value !== ""
    ? withheldUserData(decodeUserData(value), context.substitutes.marked)
    : WITHHELD;
}

/** AWS publishes it, with `irsa`. */
function publicHalf(key: string, { found }: RevealContext): string {
  found.add(key);
  const pem = createPublicKey(Buffer.from(key, "base64").toString());
  return Buffer.from(pem.export({ type: "spki", format: "pem" })).toString("base64");
}

/** Certificates are public, in PEM or its base64. */
function isCertificate(text: string): boolean {
  const decoded = text.startsWith("LS0t") ? Buffer.from(text, "base64").toString("latin1") : text;
  return /^(?:-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*)+$/.test(decoded);
}

function refuseLeft(resources: readonly Recorded[], found: ReadonlySet<string>): void {
  const secrets = [...found].filter((secret) => secret.length >= SHORTEST_SECRET);
  const left = resources.flatMap((resource) => {
    const text = JSON.stringify(resource);
    return secrets
      .filter((secret) => includesText(text, secret))
      .map((secret) => ({ secret, place: placeOf(resource) }));
  });
  if (left.length > 0) {
    const places = new Set(left.map(({ place }) => place));
    throw new CommandFailure(
      `the state has ${new Set(left.map(({ secret }) => secret)).size} of its secrets in clear too, in ${[...places].join(", ")}, so nothing was written: mark them as secret where the program gives them`,
    );
  }
}

/** Providers of dynamic resources record all settings. */
function placeOf({ type, urn }: Recorded): string {
  return String(type).startsWith("pulumi:providers:")
    ? "the stack's settings"
    : `"${String(urn).replace(/^.*::/s, "")}"`;
}

/** Whether JSON has a text in one of its own. */
function includesText(json: string, text: string): boolean {
  return json.includes(JSON.stringify(text).slice(1, -1));
}
