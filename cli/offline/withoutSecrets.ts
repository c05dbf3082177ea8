import { createPublicKey } from "node:crypto";
import type { Deployment } from "@pulumi/pulumi/automation";
import { decodeUserData, withheldUserData } from "../../components/machines/userData";
import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../provider/config/machineConfig";
import { plainOutline, withheldHash, withheldText } from "../../provider/config/withheld";
import { WITHHELD } from "../../provider/pki/withheld";
import { CommandFailure } from "../commandFailure";

/** The mark of a secret in a state. Source: pulumi v3.230.0, sdk/go/common/resource/sig. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

const CONFIGURATION = "machineConfiguration";
const OUTLINE = "redactedConfiguration";
const HASHES: readonly string[] = ["machineConfigurationHash", "configurationHash"];
const USER_DATA: readonly string[] = ["userData", "userDataBase64"];
/** What of a bundle is no secret: the cluster's id is in outlines. */
const PUBLIC: readonly string[] = ["id"];
/** Properties that are secret as a whole because they may contain secrets. Outlines show what of them is none. */
const MIXED: readonly string[] = ["inlineManifests", "patches"];
const SERVICE_ACCOUNT = "k8sserviceaccount";

/** Shorter texts occur everywhere. */
const SHORTEST_SECRET = 12;

type Properties = Readonly<Record<string, unknown>>;

/**
 * A state without any secret, from which a preview shows the same changes, but for those of secrets: it compares
 * configurations by their outlines. Certificates and what else is public stay.
 *
 * @param state with its secrets in clear
 * @throws CommandFailure if one would be left
 */
export function withoutSecrets(state: Deployment): Deployment {
  const deployment = state.deployment as { readonly resources?: readonly Properties[] };
  const found = new Set<string>();
  const mixed = new Set<string>();
  const hashes = new Map((deployment.resources ?? []).flatMap(hashesIn));
  const resources = (deployment.resources ?? []).map((resource) => {
    const { inputs, outputs } = resource as Record<"inputs" | "outputs", Properties | undefined>;
    const recorded = outlineIn(inputs?.[OUTLINE] ?? outputs?.[OUTLINE]);
    const shown = (properties: Properties) =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          withoutSecret(name, value, {
            ...{ recorded, hashes },
            found: MIXED.includes(name) ? mixed : found,
          }),
        ]),
      );
    return {
      ...resource,
      ...(inputs && { inputs: shown(inputs) }),
      ...(outputs && { outputs: shown(outputs) }),
    };
  });
  const outlines = JSON.stringify(resources.flatMap(outlinesOf));
  const hidden = [...mixed].filter((value) => !includesText(outlines, value));
  refuseLeft(JSON.stringify(resources), new Set([...found, ...hidden]));
  return { ...state, deployment: { ...deployment, resources } };
}

/** What outlines show of a resource, whose secrets are marks in them. */
function outlinesOf({ inputs, outputs }: Properties): unknown[] {
  return [inputs, outputs].map((properties) =>
    outlineIn((properties as Properties | undefined)?.[OUTLINE]),
  );
}

/** The hashes of a resource's configuration, each with what stands for it. Other resources have them too. */
function hashesIn(resource: Properties): [string, string][] {
  const { inputs, outputs } = resource as Record<"inputs" | "outputs", Properties | undefined>;
  const outline = outlineIn(inputs?.[OUTLINE] ?? outputs?.[OUTLINE]);
  if (outline === undefined) {
    return [];
  }
  const withheld = withheldHash(plainOutline(outline));
  return [inputs, outputs].flatMap((properties) =>
    HASHES.flatMap((name): [string, string][] => {
      const hash = properties?.[name];
      return typeof hash === "string" && hash !== "" ? [[hash, withheld]] : [];
    }),
  );
}

interface Surroundings {
  /** The outline of the same resource. */
  readonly recorded: ConfigDocument | undefined;
  readonly hashes: ReadonlyMap<string, string>;
  /** Takes each secret that is withheld. */
  readonly found: Set<string>;
}

function withoutSecret(name: string, value: unknown, around: Surroundings): unknown {
  if (name === OUTLINE) {
    const given = outlineIn(value);
    const plain = given && plainOutline(given);
    return plain === undefined ? value : typeof value === "string" ? JSON.stringify(plain) : plain;
  }
  return revealed(name, value, around);
}

/** An outline, which older releases have as a text. */
function outlineIn(outline: unknown): ConfigDocument | undefined {
  const isText = typeof outline === "string" && outline.startsWith("{");
  const value = (isText ? JSON.parse(outline) : outline) as YamlValue | undefined;
  return isMapping(value) ? value : undefined;
}

/** A value with its secrets withheld, wherever they are in it. */
function revealed(name: string, value: unknown, around: Surroundings): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => revealed(name, item, around));
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? (around.hashes.get(value) ?? value) : value;
  }
  const { [SIGNATURE]: signature, plaintext } = value as Properties;
  if (signature !== undefined && typeof plaintext === "string") {
    const withheld = withhold(name, JSON.parse(plaintext), around);
    return { ...value, plaintext: JSON.stringify(withheld) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, revealed(key, item, around)]),
  );
}

function withhold(name: string, value: unknown, around: Surroundings): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withhold(name, item, around));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        name === SERVICE_ACCOUNT && typeof item === "string"
          ? publicHalf(item, around)
          : withhold(key, item, around),
      ]),
    );
  }
  if (typeof value !== "string" || isCertificate(value) || PUBLIC.includes(name)) {
    return value;
  }
  around.found.add(value);
  if (name === CONFIGURATION && value !== "") {
    return withheldText(value, around.recorded);
  }
  return USER_DATA.includes(name) && value !== ""
    ? withheldUserData(decodeUserData(value))
    : WITHHELD;
}

/** AWS publishes it, with `irsa`. */
function publicHalf(key: string, { found }: Surroundings): string {
  found.add(key);
  const pem = createPublicKey(Buffer.from(key, "base64").toString());
  return Buffer.from(pem.export({ type: "spki", format: "pem" })).toString("base64");
}

/** Certificates are public, in PEM or its base64. */
function isCertificate(text: string): boolean {
  const decoded = text.startsWith("LS0t") ? Buffer.from(text, "base64").toString("latin1") : text;
  return /^(?:-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*)+$/.test(decoded);
}

function refuseLeft(text: string, found: ReadonlySet<string>): void {
  const left = [...found].filter(
    (secret) => secret.length >= SHORTEST_SECRET && includesText(text, secret),
  );
  if (left.length > 0) {
    throw new CommandFailure(
      `the state has ${left.length} of its secrets in clear too, so nothing was written: mark them as secret where the program gives them`,
    );
  }
}

/** Whether JSON has a text in one of its own. */
function includesText(json: string, text: string): boolean {
  return json.includes(JSON.stringify(text).slice(1, -1));
}
