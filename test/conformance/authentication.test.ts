import { stringify } from "yaml";
import type { AwsLoginArgs } from "../../components/access/accessArgs";
import { planAccessPatches } from "../../components/access/planAccessPatches";
import { type KnownAccess, planAuthentication } from "../../components/access/planAuthentication";
import { authenticationErrors } from "../../provider/config/componentFiles/authenticationErrors";
import type { ConfigDocument } from "../../provider/config/machineConfig";
import {
  authenticationOraclesFingerprint,
  judgingMinors,
} from "../../scripts/ensureAuthenticationOracles";
import {
  type AuthenticationAnswer,
  type AuthenticationRequest,
  judgedByKubernetes,
  recordedAuthentication,
  type SeenUser,
} from "./support/authenticationCode";
import { recordCommand } from "./support/recording/recording";

const ENDPOINT = "https://k8s.sandbox.example.com:6443";
const AWS = "https://a1faa616-d595-447d-bdfd-64b774ab199c.tokens.sts.global.api.aws";
const DEV = "arn:aws:iam::123456789012:role/teams/Dev";
const ADMIN =
  "arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/eu-west-2/AWSReservedSSO_Admin_c95738f708c1c268";

const aws: AwsLoginArgs & { readonly issuerUrl: string } = {
  issuerUrl: AWS,
  roles: { [DEV]: ["deployers", 'a "name"'], [ADMIN]: ["system:masters"] },
  allowAdministrators: true,
};
const access: KnownAccess = {
  oidc: [
    {
      issuerUrl: "https://login.example.com",
      audiences: ["web", "cli"],
      usernameClaim: "email",
      groupsClaim: "groups",
      requiredClaims: { tenant: "example" },
    },
    {
      issuerUrl: "https://other.example.com/realms/a",
      audiences: ["k8s"],
      usernamePrefix: "",
      groupsClaim: "roles",
      groupsPrefix: "",
    },
  ],
  aws,
};

/** A token that is valid until the year 2100, with what else it says. */
const token = (iss: string, aud: string, claims: object) => ({
  iss,
  aud,
  iat: 1_700_000_000,
  exp: 4_102_444_800,
  ...claims,
});
const ofAws = (sub: string, more: object = {}, aud = ENDPOINT) =>
  token(AWS, aud, { sub, "https://sts.amazonaws.com/": { aws_account: "123456789012", ...more } });
const ofFirst = (claims: object) =>
  token("https://login.example.com", "web", {
    sub: "1",
    email: "anna@example.com",
    tenant: "example",
    ...claims,
  });
const ofOther = (claims: object) => token("https://other.example.com/realms/a", "k8s", claims);

/** Tokens, and whom an API server sees: a user, or words of why it refuses. */
const cases: readonly (readonly [
  what: string,
  token: Record<string, unknown>,
  seen: SeenUser | RegExp,
])[] = [
  [
    "a session of a named role",
    ofAws(DEV, { source_identity: "anna", identity_store_user_id: "265222f4" }),
    {
      name: `aws:${DEV}`,
      groups: ["deployers", 'a "name"'],
      extra: {
        "sts.amazonaws.com/source-identity": ["anna"],
        "sts.amazonaws.com/identity-store-user-id": ["265222f4"],
      },
    },
  ],
  [
    "one of which AWS says nothing else",
    ofAws(DEV),
    { name: `aws:${DEV}`, groups: ["deployers", 'a "name"'] },
  ],
  [
    "without AWS' own claims",
    token(AWS, ENDPOINT, { sub: DEV }),
    { name: `aws:${DEV}`, groups: ["deployers", 'a "name"'] },
  ],
  ["an administrator by name", ofAws(ADMIN), { name: `aws:${ADMIN}`, groups: ["system:masters"] }],
  [
    "another role of the account",
    ofAws("arn:aws:iam::123456789012:role/Other"),
    /doesn't name this role or user/,
  ],
  [
    "the same name without its path",
    ofAws("arn:aws:iam::123456789012:role/Dev"),
    /doesn't name this role or user/,
  ],
  [
    "a role of the name in another account",
    ofAws("arn:aws:iam::210987654321:role/teams/Dev"),
    /doesn't name this role/,
  ],
  [
    "a person on whose behalf a role acts",
    ofAws("anna@example.com", { subject_mode: "OriginIdentity" }),
    /doesn't name this role/,
  ],
  [
    "a token for another cluster",
    ofAws(DEV, {}, "https://k8s.production.example.com:6443"),
    /expected audience/,
  ],
  ["a token of yesterday", { ...ofAws(DEV), exp: 1_700_000_900 }, /token is expired/],
  [
    "another account's issuer",
    { ...ofAws(DEV), iss: AWS.replace("a1", "b2") },
    /no issuer of this token/,
  ],
  [
    "a person with groups",
    ofFirst({ groups: ["dev", "web"] }),
    { name: "oidc:anna@example.com", groups: ["oidc:dev", "oidc:web"] },
  ],
  [
    "a person with one group, by the other client",
    { ...ofFirst({ groups: "dev" }), aud: "cli" },
    { name: "oidc:anna@example.com", groups: ["oidc:dev"] },
  ],
  [
    "a person whose email nobody has verified",
    ofFirst({ email_verified: false }),
    /email not verified/,
  ],
  ["a person of another tenant", ofFirst({ tenant: "other" }), /value does not match/],
  ["names as they are", ofOther({ sub: "bob", roles: ["ops"] }), { name: "bob", groups: ["ops"] }],
  [
    "a group of Kubernetes' own",
    ofOther({ sub: "bob", roles: ["ops", "system:masters"] }),
    /groups must not begin with system:/,
  ],
  [
    "a name of Kubernetes' own",
    ofOther({ sub: "system:kube-controller-manager" }),
    /name must not begin with system:/,
  ],
];

/** The configuration as API servers read it: the file of older contracts, and what Talos makes of the document. */
function configOf(known: KnownAccess, contract: string): string {
  const [patch = {}] = planAccessPatches(
    planAuthentication(known, ENDPOINT),
    contract,
    {},
  ) as readonly ConfigDocument[];
  const { machine, configuration } = patch as Record<string, Record<string, unknown>>;
  if (configuration === undefined) {
    const [file] = machine?.files as readonly Record<string, string>[];
    return file?.content ?? "";
  }
  const kind = {
    apiVersion: "apiserver.config.k8s.io/v1beta1",
    kind: "AuthenticationConfiguration",
  };
  return stringify({ ...configuration, ...kind });
}

const tokens = cases.map(([, claims]) => claims);
const requests: readonly AuthenticationRequest[] = [
  { config: configOf(access, "v1.12"), tokens },
  { config: configOf(access, "v1.14"), tokens },
  { config: configOf({ oidc: [], aws }, "v1.13"), disallowedIssuers: [AWS], tokens: [] },
  {
    config: configOf({ oidc: [], aws: { ...aws, issuerUrl: "http://a.example" } }, "v1.13"),
    tokens: [],
  },
];

describe("people's tokens, as Kubernetes' own code judges them", () => {
  let answers: readonly Readonly<Record<string, AuthenticationAnswer>>[];
  beforeAll(async () => {
    answers = await judgedByKubernetes(requests);
  });

  it.each(judgingMinors)("are those of the named roles and persons alone, with %s", (minor) => {
    // Talos v1.14, which has the document, runs Kubernetes v1.32 and newer.
    for (const answer of answers.slice(0, minor === "v1.30" ? 1 : 2)) {
      expect(answer[minor]?.refused).toBeUndefined();
      expect(answer[minor]?.users).toHaveLength(cases.length);
      cases.forEach(([what, , seen], index) => {
        const user = answer[minor]?.users?.[index];
        if (seen instanceof RegExp) {
          expect(user?.refused, what).toMatch(seen);
          expect(user?.name, what).toBeUndefined();
        } else {
          expect(user, what).toEqual(seen);
        }
      });
    }
  });

  it.each(judgingMinors)("have no issuer that the checks refuse, with %s", (minor) => {
    expect(answers[2]?.[minor]?.refused).toContain("URL must not overlap with disallowed issuers");
    expect(answers[3]?.[minor]?.refused).toContain("URL scheme must be https");
  });

  it("pass what a preview asks of the same file", () => {
    const jwt = [...planAuthentication(access, ENDPOINT)];
    expect([30, 37].flatMap((minor) => authenticationErrors({ jwt }, minor))).toEqual([]);
  });

  it("were judged by programs of the current sources", () => {
    const stale = `other programs answered it: record anew with ${recordCommand}`;
    expect(recordedAuthentication().oracles, stale).toBe(authenticationOraclesFingerprint());
  });
});
