import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { checkExpression } from "./celErrors";
import { checkMappings } from "./claimMappings";
import { FileView, type FieldError } from "./fieldErrors";

/**
 * What kube-apiserver refuses in an AuthenticationConfiguration that it could decode. Source:
 * k8s.io/apiserver v0.30.0 to v0.37.2, `ValidateAuthenticationConfiguration` in
 * pkg/apis/apiserver/validation.
 */
export function authenticationErrors(content: YamlValue, minor: number): FieldError[] {
  const view = new FileView(content, minor);
  const all = view.items("jwt");
  if (all.length > 64) {
    view.tooMany(["jwt"], 64);
    return view.errors;
  }
  const seen = { url: new Set<string>(), discoveryURL: new Set<string>() };
  for (const authenticator of all) {
    checkIssuer(view, [...authenticator, "issuer"]);
    checkClaimRules(view, [...authenticator, "claimValidationRules"]);
    checkMappings(view, authenticator);
    checkUserRules(view, [...authenticator, "userValidationRules"]);
    for (const [key, urls] of Object.entries(seen)) {
      const path = [...authenticator, "issuer", key];
      const url = view.text(...path);
      if (urls.has(url) && (url !== "" || key === "url")) {
        view.duplicate(path, url);
      }
      urls.add(url);
    }
  }
  const isOff = view.get("anonymous", "enabled") !== true && view.isMapping("anonymous");
  if (isOff && view.isFilled("anonymous", "conditions")) {
    view.invalid(
      ["anonymous", "conditions"],
      "enabled should be set to true when conditions are defined",
      view.items("anonymous", "conditions").map((path) => ({ Path: view.text(...path, "path") })),
    );
  }
  return view.errors;
}

function checkIssuer(view: FileView, issuer: Path): void {
  const [url, discovery] = ["url", "discoveryURL"].map((key) => view.text(...issuer, key));
  if (url === "") {
    view.required([...issuer, "url"]);
  } else {
    checkUrl(view, [...issuer, "url"]);
  }
  if (discovery !== undefined && discovery !== "") {
    if (url !== "" && withoutSlashes(url ?? "") === withoutSlashes(discovery)) {
      view.invalid([...issuer, "discoveryURL"], "discoveryURL must be different from URL");
    }
    checkUrl(view, [...issuer, "discoveryURL"]);
  }
  checkAudiences(view, issuer);
  const authority = view.text(...issuer, "certificateAuthority");
  if (authority !== "" && !authority.includes("-----BEGIN CERTIFICATE-----")) {
    view.invalid(
      [...issuer, "certificateAuthority"],
      "data does not contain any valid RSA or ECDSA certificates",
      "<omitted>",
    );
  }
  if (!["", "controlplane", "cluster"].includes(view.text(...issuer, "egressSelectorType"))) {
    view.invalid(
      [...issuer, "egressSelectorType"],
      "egress selector must be either controlplane or cluster",
    );
  }
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, "");
}

function checkUrl(view: FileView, path: Path): void {
  const url = view.text(...path);
  const [, scheme = ""] = /^([A-Za-z][\w+.-]*):/.exec(url) ?? [];
  const [beforeFragment = "", ...fragment] = url.split("#");
  const [beforeQuery = "", ...query] = beforeFragment.split("?");
  if (scheme.toLowerCase() !== "https") {
    view.invalid(path, "URL scheme must be https");
  }
  if (/^[\w+.-]*:?\/\/[^/]*@/.test(beforeQuery)) {
    view.invalid(path, "URL must not contain a username or password");
  }
  if (query.join("?") !== "") {
    view.invalid(path, "URL must not contain a query");
  }
  if (fragment.join("#") !== "") {
    view.invalid(path, "URL must not contain a fragment");
  }
}

function checkAudiences(view: FileView, issuer: Path): void {
  const path = [...issuer, "audiences"];
  const audiences = view.items(...path);
  if (audiences.length === 0) {
    const jwt = `${String(issuer[0])}[${String(issuer[1])}].issuer.audiences`;
    view.required(path, `at least one ${jwt} is required`);
    return;
  }
  const seen = new Set<string>();
  for (const audience of audiences) {
    const text = view.text(...audience);
    if (text === "") {
      view.required(audience);
    }
    view.once(audience, seen, text);
  }
  const policy = view.text(...issuer, "audienceMatchPolicy");
  const where = [...issuer, "audienceMatchPolicy"];
  if (audiences.length > 1 && policy !== "MatchAny") {
    view.invalid(where, "audienceMatchPolicy must be MatchAny for multiple audiences");
  }
  if (audiences.length === 1 && !["", "MatchAny"].includes(policy)) {
    view.invalid(where, "audienceMatchPolicy must be empty or MatchAny for single audience");
  }
}

function checkClaimRules(view: FileView, path: Path): void {
  const [claims, expressions] = [new Set<string>(), new Set<string>()];
  for (const rule of view.items(...path)) {
    const [claim = "", expression = "", message = "", required = ""] = [
      "claim",
      "expression",
      "message",
      "requiredValue",
    ].map((key) => view.text(...rule, key));
    if (claim !== "" && expression !== "") {
      view.invalid(rule, "claim and expression can't both be set", claim);
    } else if (claim === "" && expression === "") {
      view.required(rule, "claim or expression is required");
    } else if (claim !== "") {
      if (message !== "") {
        view.invalid([...rule, "message"], "may not be specified when claim is set");
      }
      view.once([...rule, "claim"], claims, claim);
    } else {
      if (required !== "") {
        view.invalid([...rule, "requiredValue"], "may not be specified when expression is set");
      }
      checkOnce(view, [...rule, "expression"], expressions, "claims");
    }
  }
}

function checkUserRules(view: FileView, path: Path): void {
  const expressions = new Set<string>();
  for (const rule of view.items(...path)) {
    const where = [...rule, "expression"];
    if (view.text(...where) === "") {
      view.required(where);
    } else {
      checkOnce(view, where, expressions, "user");
    }
  }
}

function checkOnce(view: FileView, path: Path, seen: Set<string>, variable: string): void {
  const expression = view.text(...path);
  if (seen.has(expression)) {
    view.duplicate(path);
  } else {
    seen.add(expression);
    checkExpression(view, path, variable);
  }
}
