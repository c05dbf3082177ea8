import type { Path } from "../path";
import { checkExpression } from "./celErrors";
import type { FileView } from "./fieldErrors";
import { checkSubdomain } from "./kubernetesNames";

/** Domains whose keys are Kubernetes' own. */
const OWN_DOMAIN = /(?:^|\.)(?:kubernetes|k8s)\.io$/;

/**
 * Checks how the claims of a token become a user. Source: k8s.io/apiserver v0.37.2, `validateClaimMappings`
 * in pkg/apis/apiserver/validation.
 */
export function checkMappings(view: FileView, authenticator: Path): void {
  const mappings = [...authenticator, "claimMappings"];
  const before = view.errors.length;
  checkPrefixed(view, [...mappings, "username"], { isRequired: true });
  const isNamed = view.errors.length === before;
  checkPrefixed(view, [...mappings, "groups"], { isRequired: false });
  const uid = [...mappings, "uid"];
  if (view.text(...uid, "claim") !== "" && view.text(...uid, "expression") !== "") {
    view.invalid(uid, "claim and expression can't both be set", "");
  } else if (view.text(...uid, "expression") !== "") {
    checkExpression(view, [...uid, "expression"], "claims");
  }
  checkExtra(view, [...mappings, "extra"]);
  if (isNamed) {
    checkEmail(view, authenticator);
  }
}

function checkPrefixed(
  view: FileView,
  path: Path,
  { isRequired }: { readonly isRequired: boolean },
): void {
  const [claim, expression] = ["claim", "expression"].map((key) => view.text(...path, key));
  const prefix = [...path, "prefix"];
  const hasPrefix = view.get(...prefix) !== undefined;
  if (claim !== "" && expression !== "") {
    view.invalid(path, "claim and expression can't both be set", "");
  } else if (claim === "" && expression === "") {
    if (isRequired) {
      view.required(path, "claim or expression is required");
    }
  } else if (expression !== "") {
    if (hasPrefix) {
      view.invalid(prefix, "may not be specified when expression is set");
    }
    checkExpression(view, [...path, "expression"], "claims");
  } else if (!hasPrefix) {
    view.required(
      prefix,
      "prefix is required when claim is set. It can be set to an empty string to disable prefixing",
    );
  }
}

function checkExtra(view: FileView, path: Path): void {
  const seen = new Set<string>();
  for (const mapping of view.items(...path)) {
    const where = [...mapping, "key"];
    const key = view.text(...where);
    const domain = key.split("/")[0] ?? "";
    checkPrefixedPath(view, where);
    if (key !== key.toLowerCase()) {
      view.invalid(where, "must be lowercase");
    }
    if (OWN_DOMAIN.test(domain)) {
      view.invalid(
        where,
        "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use",
      );
    }
    if (seen.has(key)) {
      view.duplicate(where);
      continue;
    }
    seen.add(key);
    const expression = [...mapping, "valueExpression"];
    if (view.text(...expression) === "") {
      view.required(expression);
    } else {
      checkExpression(view, expression, "claims");
    }
  }
}

/** Source: `IsDomainPrefixedPath` of k8s.io/apimachinery. */
function checkPrefixedPath(view: FileView, path: Path): void {
  const key = view.text(...path);
  const [domain = "", ...rest] = key.split("/");
  if (key === "") {
    view.required(path);
  } else if (rest.length === 0 || domain === "" || rest.join("/") === "") {
    view.invalid(path, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    for (const detail of checkSubdomain(domain)) {
      view.invalid(path, detail, domain);
    }
  }
}

/** A user named by an email address has to have verified it. */
function checkEmail(view: FileView, authenticator: Path): void {
  const username = [...authenticator, "claimMappings", "username", "expression"];
  const uses = (path: Path, claim: string) => view.text(...path).includes(`claims.${claim}`);
  const places = [
    username,
    ...view
      .items(...authenticator, "claimMappings", "extra")
      .map((path) => [...path, "valueExpression"]),
    ...view.items(...authenticator, "claimValidationRules").map((path) => [...path, "expression"]),
  ];
  const isVerified = places.some(
    (path) => uses(path, "email_verified") || uses(path, "?email_verified"),
  );
  const usesEmail = /claims\.\??email(?!\w)/.test(view.text(...username));
  if (usesEmail && !isVerified) {
    view.invalid(
      username,
      "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression",
    );
  }
}
