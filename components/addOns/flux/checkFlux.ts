import { quoteUrl } from "../../../provider/config";
import { problemAt } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import { checkAddOnPods } from "../common/checkAddOnPods";
import { checkFluxKeys } from "./checkFluxKeys";
import type { FluxAddOn } from "./fluxAddOn";

/** The release of Flux that first knew `deletionPolicy`. */
const OLDEST_MINOR = 5;

/** A duration, as the definitions of Flux take it (`spec.interval`). */
const DURATION = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/;

/** A version in a range, with `x` or `*` for parts that don't matter. */
const VERSION = String.raw`v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?`;

/** A range of versions, as github.com/Masterminds/semver v3 reads it. */
const RANGE = rangePattern();

/** All problems of Flux' arguments. */
export function checkFlux(addOn: FluxAddOn): PropertyProblem[] {
  const { url, path, interval, version } = addOn;
  const problems = checkAddOnPods(addOn, { containers: [] });
  const [, minor] = /^v2\.(\d+)\./.exec(version ?? "") ?? [];
  const isTooOld =
    version !== undefined && problems.length === 0 && !(Number(minor) >= OLDEST_MINOR);
  const isNoDuration =
    interval !== undefined && (!DURATION.test(interval) || !/[1-9]/.test(interval));
  return [
    ...problems,
    ...problemAt(
      "version",
      isTooOld && `"${version}" can't leave objects in the cluster: give v2.5.0 or later, below v3`,
    ),
    ...problemAt("url", urlProblem(url)),
    ...problemAt("path", pathProblem(path)),
    ...checkReference(addOn),
    ...problemAt(
      "interval",
      isNoDuration && `"${interval}" is no duration: write it as in "1m" or "1m30s"`,
    ),
    ...checkFluxKeys(addOn),
  ];
}

/** What is wrong with a repository's URL. Its user name or query may be a secret, so they aren't quoted. */
function urlProblem(url: string): string | undefined {
  const [, user, host = "", path = ""] = /^([\w.-]+@)?([\w.-]+):(?!\/\/)([^@]+)$/.exec(url) ?? [];
  if (path !== "") {
    const start = path.startsWith("/") ? "" : "/";
    return `${quoteUrl(url)} is short for SSH, which Flux doesn't take: write "ssh://${user ?? "git@"}${host}${start}${path}"`;
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const shown = quoteUrl(url.replace(/[?#].*$/s, "…"));
  if (parsed === undefined || !["ssh:", "https:"].includes(parsed.protocol)) {
    return `${shown} is no URL of a repository with ssh or https: write it as in "ssh://git@github.com/example/fleet"; what is fetched gets every right in the cluster`;
  }
  if (parsed.password !== "" || (parsed.protocol === "https:" && parsed.username !== "")) {
    return `${shown} has credentials in it, which everybody sees who reads the cluster: give them as key`;
  }
  if (parsed.search !== "" || parsed.hash !== "") {
    return `${shown} goes on with a query or a fragment, which no repository has: leave it out, and give credentials as key`;
  }
  return parsed.hostname === "" || /^\/*$/.test(parsed.pathname)
    ? `${shown} names no repository: write it as in "ssh://git@github.com/example/fleet"`
    : undefined;
}

function pathProblem(path: string): string | undefined {
  const steps = path.replace(/^\.\//, "").split("/");
  if (path.startsWith("/") || steps.includes("..")) {
    return `"${path}" leads out of the repository: write the folder from its root, as in "clusters/production"`;
  }
  return path === ""
    ? `no folder is named: write it from the repository's root, as in "clusters/production", or "." for the root`
    : undefined;
}

/** Flux takes one of branch, tag and semver, and would silently prefer another than the user means. */
function checkReference(addOn: FluxAddOn): PropertyProblem[] {
  const { branch, tag, semver } = addOn;
  const given = Object.entries({ branch, tag, semver }).filter(([, value]) => value !== undefined);
  const [first, ...others] = given.map(([property]) => property);
  return [
    ...others.map((property) => ({
      property,
      reason: `it excludes ${first ?? ""}: leave out one or the other`,
    })),
    ...Object.entries({ branch, tag }).flatMap(([property, name]) =>
      problemAt(property, name !== undefined && referenceProblem(name)),
    ),
    ...problemAt(
      "semver",
      semver !== undefined &&
        !RANGE.test(semver) &&
        `"${semver}" is no range of versions: write it as in ">=1.2.0 <2.0.0", "~1.2" or "1.x"`,
    ),
  ];
}

/** Source: git-check-ref-format(1). */
function referenceProblem(name: string): string | undefined {
  if (name.startsWith("refs/")) {
    const short = name.replace(/^refs\/[^/]*\//, "");
    return `"${name}" is a whole reference: write "${short}"`;
  }
  const isWrong =
    name === "" ||
    /[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|(?:^|\/)\.|^[-/]|[/.]$|\.lock(?:\/|$)/u.test(name);
  return isWrong ? `"${name}" is no name that Git takes` : undefined;
}

function rangePattern(): RegExp {
  const comparator = String.raw`(?:=|==|!=|>|<|>=|=>|<=|=<|~|~>|\^)?\s*${VERSION}`;
  const hyphen = String.raw`${VERSION}\s+-\s+${VERSION}`;
  const part = String.raw`(?:${hyphen}|${comparator}(?:(?:\s*,\s*|\s+)${comparator})*)`;
  return new RegExp(String.raw`^\s*${part}(?:\s*\|\|\s*${part})*\s*$`);
}
