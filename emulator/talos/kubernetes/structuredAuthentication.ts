import { type ConfigDocument, isMapping, type YamlValue } from "../../../provider/config";
import { textAt, textsAt, valueAt } from "../config/yamlPath";
import { type CelMap, type CelValue, compileCel } from "./celExpression";
import type { ClientIdentity } from "./serviceAccountToken";

/** The claims of a token. */
export type Claims = Readonly<Record<string, CelValue>>;

/** An authenticator of an AuthenticationConfiguration, `jwt` in it. */
export type JwtAuthenticator = ConfigDocument;

/** The authenticators of a configuration, in its order. */
export function authenticatorsIn(
  configuration: YamlValue | undefined,
): readonly JwtAuthenticator[] {
  const list = valueAt(configuration, "jwt");
  return Array.isArray(list) ? list.filter(isMapping) : [];
}

/** URL of the issuer whose tokens it judges. */
export function issuerOf(authenticator: JwtAuthenticator): string {
  return textAt(authenticator, "issuer", "url") ?? "";
}

/**
 * The user whom an authenticator sees in claims that its issuer has signed.
 *
 * Source: Kubernetes v1.35, `apiserver/plugin/pkg/authenticator/token/oidc/oidc.go`, `AuthenticateToken`; go-oidc v3,
 * `Verify`. A test compares it with that code.
 *
 * @throws Error with why it is nobody
 */
export function userIn(authenticator: JwtAuthenticator, claims: Claims, now: Date): ClientIdentity {
  const { exp, aud } = claims;
  const accepted = textsAt(authenticator, "issuer", "audiences");
  const audiences = textsOf(aud);
  if (!accepted.some((each) => audiences.includes(each))) {
    throw new Error(`expected audience in ${JSON.stringify(accepted)}`);
  }
  if (typeof exp !== "number" || exp * 1_000 <= now.getTime()) {
    throw new Error("token is expired");
  }
  const mapped = (name: string) => valueAt(authenticator, "claimMappings", name);
  const user = {
    name: usernameIn(mapped("username"), claims),
    groups: groupsIn(mapped("groups"), claims),
    extra: extraIn(mapped("extra"), claims),
  };
  for (const rule of rulesAt(authenticator, "claimValidationRules")) {
    const { claim } = rule;
    requireTrue(
      rule,
      typeof claim === "string"
        ? claims[claim] === rule.requiredValue
        : evaluated(rule, { claims: claims }) === true,
    );
  }
  for (const rule of rulesAt(authenticator, "userValidationRules")) {
    const seen = { username: user.name, groups: user.groups };
    requireTrue(rule, evaluated(rule, { user: seen }) === true);
  }
  const { name, groups, extra } = user;
  return { name, groups, ...(Object.keys(extra).length > 0 && { extra }) };
}

function usernameIn(mapping: YamlValue | undefined, claims: Claims): string {
  const claim = textAt(mapping, "claim");
  if (claim === "email" && "email_verified" in claims && claims.email_verified !== true) {
    throw new Error("oidc: email not verified");
  }
  const value = claim === undefined ? evaluated(mapping, { claims: claims }) : claims[claim];
  if (typeof value !== "string" || value === "") {
    throw new Error(`oidc: the claims have no name of a user`);
  }
  return `${textAt(mapping, "prefix") ?? ""}${value}`;
}

function groupsIn(mapping: YamlValue | undefined, claims: Claims): readonly string[] {
  const claim = textAt(mapping, "claim");
  const prefix = textAt(mapping, "prefix") ?? "";
  if (claim !== undefined) {
    return textsOf(claims[claim]).map((group) => `${prefix}${group}`);
  }
  return textAt(mapping, "expression") === undefined
    ? []
    : textsOf(evaluated(mapping, { claims: claims }));
}

/** Kubernetes leaves out what is empty. */
function extraIn(
  mappings: YamlValue | undefined,
  claims: Claims,
): Readonly<Record<string, readonly string[]>> {
  const all = (Array.isArray(mappings) ? mappings : []).map((mapping) => {
    const expression = textAt(mapping, "valueExpression") ?? "";
    const value = compileCel(expression)({ claims: claims });
    return [textAt(mapping, "key") ?? "", textsOf(value).filter((text) => text !== "")] as const;
  });
  return Object.fromEntries(all.filter(([, texts]) => texts.length > 0));
}

function rulesAt(authenticator: JwtAuthenticator, name: string): readonly ConfigDocument[] {
  const rules = authenticator[name];
  return Array.isArray(rules) ? rules.filter(isMapping) : [];
}

function requireTrue(rule: ConfigDocument, isTrue: boolean): void {
  if (!isTrue) {
    throw new Error(textAt(rule, "message") ?? "oidc: required claim value does not match");
  }
}

function evaluated(mapping: YamlValue | undefined, variables: Readonly<Record<string, CelMap>>) {
  return compileCel(textAt(mapping, "expression") ?? "")(variables);
}

/** A text, or a list of them. */
function textsOf(value: CelValue | undefined): readonly string[] {
  return [value ?? []].flat().filter((each) => typeof each === "string");
}
