import { authentication } from "../../generate/apiServerDefaults";
import { type ConfigDocument, mapMembers, type YamlValue } from "../../machineConfig";
import { flagName } from "../../releases/removedInKubernetes";
import { deniedFlagPrefixes } from "../deniedFlags";

/** What flags of the API server become. */
interface AuthenticationInstead {
  /** The flags that stay flags; undefined for none. */
  readonly flags: ConfigDocument | undefined;
  /** `configuration` of `KubeAuthenticationConfig`; undefined if no flag is about it. */
  readonly configuration: ConfigDocument | undefined;
  /** Flags that no document says, each with what to do. */
  readonly lost: readonly string[];
}

/**
 * The flags of the API server about who asks it, as `KubeAuthenticationConfig` says it. A patch of that
 * document replaces the whole configuration, so it has the rest of it too.
 *
 * Sources: types/k8s/authentication.go, Talos v1.14.1, which maps the flags; kubernetes.io,
 * "Authenticating": the prefix of user names is the issuer and "#" by default, but of the claim `email`.
 */
export function authenticationInstead(args: ConfigDocument): AuthenticationInstead {
  const names = Object.keys(args).map((name) => [name, flagName(name)] as const);
  const flag = (wanted: string): string | undefined => {
    const [given = ""] = names.find(([, name]) => name === wanted) ?? [];
    return textOf(args[given]);
  };
  const moved = names.filter(([, name]) => isDenied(name));
  const flags = mapMembers(args, (value, given) => (isDenied(flagName(given)) ? undefined : value));
  const issuer = flag("oidc-issuer-url");
  const anonymous = flag("anonymous-auth");
  return {
    flags: Object.keys(flags).length === 0 ? undefined : flags,
    configuration:
      issuer === undefined && anonymous === undefined
        ? undefined
        : {
            anonymous:
              anonymous === undefined
                ? (authentication.anonymous ?? {})
                : { enabled: anonymous === "true" },
            jwt: issuer === undefined ? [] : [issuerOf(issuer, flag)],
          },
    lost: moved
      .filter(([, name]) => !TRANSLATED.includes(name))
      .map(([given, name]) => `extraArgs.${given} ${ADVICE[name] ?? "has no document"}`),
  };
}

/** A flag's value as one text; several of them count together. */
function textOf(value: YamlValue | undefined): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === "string" || typeof each === "number" || typeof each === "boolean",
  );
  return texts.length === 0 ? undefined : texts.join(",");
}

const TRANSLATED: readonly string[] = [
  "anonymous-auth",
  "oidc-issuer-url",
  "oidc-client-id",
  "oidc-username-claim",
  "oidc-username-prefix",
  "oidc-groups-claim",
  "oidc-groups-prefix",
  "oidc-required-claim",
];

const ADVICE: Readonly<Record<string, string>> = {
  "oidc-ca-file":
    "is a text there: add its content as jwt[0].issuer.certificateAuthority of KubeAuthenticationConfig",
  "oidc-signing-algs": "has no document: all algorithms with public keys are accepted",
  "authentication-config":
    "is a document there: write the file's content in KubeAuthenticationConfig",
  "authorization-mode": "is a document for each mode there: KubeAuthorizerConfig",
  "authorization-config": "is a document for each authorizer there: KubeAuthorizerConfig",
};

function isDenied(name: string): boolean {
  return [...deniedFlagPrefixes.keys()].some((prefix) => name.startsWith(prefix));
}

function issuerOf(url: string, flag: (name: string) => string | undefined): ConfigDocument {
  const claim = flag("oidc-username-claim") ?? "sub";
  const usual = claim === "email" ? "" : `${url}#`;
  const prefix = flag("oidc-username-prefix") ?? usual;
  const groups = flag("oidc-groups-claim");
  const required = (flag("oidc-required-claim") ?? "").split(",").filter((pair) => pair !== "");
  return {
    issuer: { url, audiences: [flag("oidc-client-id") ?? ""] },
    claimMappings: {
      username: { claim, prefix: prefix === "-" ? "" : prefix },
      ...(groups === undefined
        ? {}
        : { groups: { claim: groups, prefix: flag("oidc-groups-prefix") ?? "" } }),
    },
    ...(required.length === 0
      ? {}
      : {
          claimValidationRules: required.map((pair) => {
            const [name = "", ...value] = pair.split("=");
            return { claim: name, requiredValue: value.join("=") };
          }),
        }),
  };
}
