import type * as pulumi from "@pulumi/pulumi";
import { talosMinor } from "../../provider/config";
import { problemAt } from "../argumentChecks";
import { dnsLabelProblem } from "../endpoint/checkDns";
import { judge, type PropertyProblem, within } from "../problems";
import type { AwsLoginArgs, ClusterAccessArgs, GroupRoleArgs, OidcIssuerArgs } from "./accessArgs";
import { AWS_USER_PREFIX, hasIssuers, OIDC_PREFIX, RESERVED_PREFIX } from "./planAuthentication";

/** The first Kubernetes minor whose API servers read a file of authenticators by default. */
const FIRST_MINOR = 30;

/** The group that may do everything, before any rule is asked. */
const ADMINISTRATORS = "system:masters";

/** The most authenticators that Kubernetes takes (k8s.io/apiserver v0.37.2, `validation.go`). */
const MOST_ISSUERS = 64;

/** What of a cluster decides about its logins. */
export interface AccessScope {
  readonly kubernetesVersion: pulumi.Input<string>;
  /** Issuers of the cluster's own tokens: a URL, or how one begins. */
  readonly ownIssuers: readonly string[];
}

/** All problems of how people log in. */
export function checkAccess(
  access: ClusterAccessArgs,
  { kubernetesVersion, ownIssuers }: AccessScope,
): PropertyProblem[] {
  const { oidc = [], aws, groups = {} } = access;
  const minor = typeof kubernetesVersion === "string" ? talosMinor(kubernetesVersion) : undefined;
  const isTooOld = hasIssuers(access) && minor !== undefined && minor < FIRST_MINOR;
  const urls = (url: pulumi.Input<string>) =>
    judge("issuerUrl", url, (known) => issuerProblem(known, ownIssuers)).problems;
  return [
    ...problemAt(
      oidc.length > 0 ? "oidc" : "aws",
      isTooOld &&
        `API servers of Kubernetes v1.${minor} don't read such issuers: take v1.${FIRST_MINOR} or newer`,
    ),
    ...oidc.flatMap((issuer, index) =>
      within(`oidc[${index}]`, [...urls(issuer.issuerUrl), ...checkIssuer(issuer)]),
    ),
    ...(aws === undefined ? [] : within("aws", [...urls(aws.issuerUrl), ...checkAws(aws)])),
    ...checkTogether(oidc, aws),
    ...Object.entries(groups).flatMap(([name, role]) =>
      checkGroup(name, role, aws?.allowAdministrators),
    ),
  ];
}

function issuerProblem(url: string, ownIssuers: readonly string[]): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // What is before an @, or in a query, may be a secret.
  if (/[@?#]/.test(url)) {
    return "it has a user, a query or a fragment: write https://<host>, as the issuer's tokens name it";
  }
  if (parsed?.protocol !== "https:") {
    return `"${url}" is no URL of an issuer: write https://<host>, as its tokens name it`;
  }
  return ownIssuers.some((own) => url.startsWith(own))
    ? `"${url}" is the cluster's own issuer, for service accounts, whose tokens it accepts anyway: leave it out`
    : undefined;
}

function checkIssuer(issuer: OidcIssuerArgs): PropertyProblem[] {
  const { audiences, certificateAuthority, usernameClaim, usernamePrefix } = issuer;
  const { groupsClaim, groupsPrefix, requiredClaims = {} } = issuer;
  const isNoCertificate =
    typeof certificateAuthority === "string" &&
    !certificateAuthority.includes("-----BEGIN CERTIFICATE-----");
  return [
    ...checkAudiences(audiences),
    ...problemAt("usernameClaim", usernameClaim === "" && "it is empty: name a claim, such as sub"),
    ...problemAt("groupsClaim", groupsClaim === "" && "it is empty: name a claim, such as groups"),
    ...Object.entries({ usernamePrefix, groupsPrefix }).flatMap(([property, prefix]) =>
      problemAt(
        property,
        prefix?.startsWith(RESERVED_PREFIX) === true &&
          `"${prefix}" begins with ${RESERVED_PREFIX}, which are Kubernetes' own names: take another one`,
      ),
    ),
    ...problemAt(
      "usernamePrefix",
      usernamePrefix === AWS_USER_PREFIX &&
        `"${AWS_USER_PREFIX}" is for the users of access.aws: take another one`,
    ),
    ...problemAt(
      "groupsPrefix",
      groupsPrefix !== undefined &&
        groupsClaim === undefined &&
        "there are no groups to put it before: give groupsClaim too, or leave it out",
    ),
    ...problemAt(
      "certificateAuthority",
      isNoCertificate && "it contains no certificate: give the CA's certificate in PEM",
    ),
    ...Object.entries(requiredClaims).flatMap(([claim, value]) =>
      problemAt(
        `requiredClaims["${claim}"]`,
        (claim === "" || value === "") &&
          "claim and value can't be empty: name both, or leave it out",
      ),
    ),
  ];
}

function checkAudiences(audiences: OidcIssuerArgs["audiences"]): PropertyProblem[] {
  if (!Array.isArray(audiences)) {
    return [];
  }
  const property = "audiences";
  const known = audiences.filter((each) => typeof each === "string");
  const twice = known.find((each, index) => known.indexOf(each) !== index);
  if (audiences.length === 0 || known.includes("")) {
    const reason = "name each client that tokens are for: tokens for others must not count here";
    return [{ property, reason }];
  }
  return problemAt(property, twice !== undefined && `"${twice}" is there twice`);
}

/** The ARN of a role or user as tokens have it. */
const PRINCIPAL = /^arn:aws[a-z-]*:iam::\d{12}:(?:role|user)\/[\w+=,.@/-]+$/;
const SESSION = /^arn:aws[a-z-]*:sts::\d{12}:assumed-role\//;

function checkAws({ roles, allowAdministrators = false }: AwsLoginArgs): PropertyProblem[] {
  const entries = Object.entries(roles);
  return entries.length === 0
    ? [{ property: "roles", reason: "it is empty, so nobody could log in: name a role" }]
    : entries.flatMap(([arn, groups]) => {
        const property = `roles["${arn}"]`;
        const reasons = [
          ...(PRINCIPAL.test(arn) ? [] : [principalProblem(arn)]),
          ...(groups.length === 0
            ? ["it has no groups, so it could do nothing: name some, or leave it out"]
            : []),
          ...groups.flatMap((group) => groupProblem(group, allowAdministrators) ?? []),
        ];
        return reasons.map((reason) => ({ property, reason }));
      });
}

function principalProblem(arn: string): string {
  return SESSION.test(arn)
    ? "this is a session: write the role's own ARN with its path, arn:aws:iam::<account>:role/…, which tokens have (aws iam get-role)"
    : "this is no ARN of an IAM role or user, arn:aws:iam::<account>:role/…, with its path and without wildcards";
}

/** Kubernetes refuses the same issuer twice, and two persons must not have one name. */
function checkTogether(
  oidc: readonly OidcIssuerArgs[],
  aws: AwsLoginArgs | undefined,
): PropertyProblem[] {
  const urls = [...oidc.map(({ issuerUrl }) => issuerUrl), aws?.issuerUrl].map((url) =>
    // Others are compared when they are known.
    typeof url === "string" ? url : undefined,
  );
  const prefixes = oidc.map(({ usernamePrefix = OIDC_PREFIX }) => usernamePrefix);
  const isRepeated = <Value>(value: Value, index: number, values: readonly Value[]) =>
    value !== undefined && values.indexOf(value) !== index;
  return [
    ...problemAt(
      "oidc",
      oidc.length + (aws === undefined ? 0 : 1) > MOST_ISSUERS &&
        `Kubernetes takes at most ${MOST_ISSUERS} issuers`,
    ),
    ...urls.flatMap((url, index) =>
      problemAt(
        index < oidc.length ? `oidc[${index}].issuerUrl` : "aws.issuerUrl",
        url !== undefined &&
          isRepeated(url, index, urls) &&
          `"${url}" is there twice, and Kubernetes takes an issuer once: join them`,
      ),
    ),
    ...prefixes.flatMap((prefix, index) =>
      problemAt(
        `oidc[${index}].usernamePrefix`,
        isRepeated(prefix, index, prefixes) &&
          `another issuer has "${prefix}" too, so a person there could have the name of one here: take another one`,
      ),
    ),
  ];
}

function checkGroup(
  name: string,
  { clusterRole, namespaces }: GroupRoleArgs,
  allowAdministrators = false,
): PropertyProblem[] {
  const property = `groups["${name}"]`;
  const problem = groupProblem(name, allowAdministrators);
  const isRole = clusterRole !== "" && !/[/%]/.test(clusterRole) && !/^\.{1,2}$/.test(clusterRole);
  return [
    ...problemAt(property, problem),
    ...problemAt(
      `${property}.clusterRole`,
      !isRole &&
        `"${clusterRole}" is no name of a cluster role: write one such as view, edit or admin`,
    ),
    ...problemAt(
      `${property}.namespaces`,
      namespaces?.length === 0 &&
        "it is empty: name some, or leave it out, and the role counts everywhere",
    ),
    ...(namespaces ?? []).flatMap((namespace, index) =>
      problemAt(`${property}.namespaces[${index}]`, dnsLabelProblem(namespace)),
    ),
  ];
}

function groupProblem(group: string, allowAdministrators: boolean): string | undefined {
  if (group === ADMINISTRATORS) {
    return allowAdministrators
      ? undefined
      : `"${ADMINISTRATORS}" may do everything, whatever the cluster's rules say: bind a group of your own to a role, or set aws.allowAdministrators`;
  }
  if (group.trim() !== group || group === "" || /\p{Cc}/u.test(group)) {
    return `"${group}" is no name of a group: write some characters, without space around them`;
  }
  return group.startsWith(RESERVED_PREFIX)
    ? `"${group}" is one of Kubernetes' own groups, whose names begin with ${RESERVED_PREFIX}: take another name`
    : undefined;
}
