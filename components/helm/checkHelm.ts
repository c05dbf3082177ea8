import { joinPath } from "../../provider/schema";
import { problemAt, wholeNumber } from "../argumentChecks";
import { dnsLabelProblem } from "../endpoint/checkDns";
import { type PropertyProblem, within } from "../problems";
import { chartName, type ChartSource, chartSource } from "./chartSource";
import type { HelmReleaseArgs } from "./helmArgs";
import { namespaceOf } from "./planHelmRelease";

/** The longest name of a release, and how names look. Source: helm v3.20.2, `chartutil/validate_name.go`. */
const MOST_NAME = 53;
const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** One release by SemVer 2, also with the `v` that some projects write. Helm takes less as a range. */
const EXACT =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Charts that bring a pod network. */
const POD_NETWORKS: readonly string[] = [
  "antrea",
  "aws-vpc-cni",
  "calico",
  "cilium",
  "flannel",
  "kube-ovn",
  "kube-router",
  "tigera-operator",
];

/** A day: no step of a chart takes longer. */
const MOST_SECONDS = 86_400;

/** Helm releases by name. */
type Releases = Readonly<Record<string, HelmReleaseArgs>>;

/**
 * All problems of a cluster's Helm releases that are known before the cluster is. Nobody asks a repository: that does the
 * Kubernetes plugin, in previews of a cluster that exists.
 *
 * @param installed the arguments that install the same as a chart, by the chart's name
 */
export function checkHelm(
  releases: Releases,
  installed: ReadonlyMap<string, string>,
): PropertyProblem[] {
  return Object.entries(releases).flatMap(([name, release]) =>
    within(joinPath("helm", name), [
      ...problemAt("", nameProblem(name)),
      ...checkChart(release),
      ...problemAt("chart", conflictOf(release.chart, installed)),
      ...checkVersion(release),
      ...checkRepository(release),
      ...problemAt("namespace", dnsLabelProblem(namespaceOf(release))),
      ...wholeNumber("timeoutSeconds", release.timeoutSeconds, 1, MOST_SECONDS),
      ...problemAt(
        "waitForJobs",
        release.waitForJobs === true &&
          release.skipAwait === true &&
          "skipAwait waits for nothing, and so for no Job: leave out one of both",
      ),
      ...checkOrder(name, releases),
    ]),
  );
}

function nameProblem(name: string): string | undefined {
  if (name.length > MOST_NAME) {
    return `the name has ${name.length} characters, and Helm allows ${MOST_NAME}: take a shorter one`;
  }
  return NAME.test(name)
    ? undefined
    : `"${name}" can't name a release: Helm allows lower-case letters, digits, and "-" and "." between them`;
}

function checkChart({ chart, repository }: HelmReleaseArgs): PropertyProblem[] {
  const source = chartSource(chart);
  return source.from === "path" ? [] : problemAt("chart", chartProblem(chart, source, repository));
}

function chartProblem(
  chart: string,
  source: ChartSource,
  repository: string | undefined,
): string | undefined {
  if (/[?#\s]|@(?!sha256:)|@.*@/.test(chart)) {
    // What is before an @ or in a query may be a secret.
    return "it has a user, a query or a space: write the address alone, and the user as repositoryUsername and repositoryPassword";
  }
  if (source.from === "registry") {
    if (source.digest !== undefined && !DIGEST.test(source.digest)) {
      return `"${chart}" ends in no digest: write @sha256: and 64 hexadecimal digits`;
    }
    return source.tag === undefined
      ? undefined
      : `"${chart}" has a tag: write the address without it, and the tag as version`;
  }
  if (/[/:]/.test(chart) || chart === "") {
    return `"${chart}" is no chart: write its name, with its repository's URL as repository; or an address that begins with oci://; or a path that begins with ./, ../ or /`;
  }
  return repository === undefined
    ? `"${chart}" is a name, and no repository has it: give the URL as repository, an address as oci://…/${chart}, or a path as ./${chart}`
    : undefined;
}

/** Why a chart can't be installed beside what the cluster has, or at all. */
function conflictOf(chart: string, installed: ReadonlyMap<string, string>): string | undefined {
  const name = chartName(chart);
  if (POD_NETWORKS.includes(name)) {
    return `"${name}" is a pod network, and charts come when nodes are Ready, which they become only with one. Set addOns.cilium or cniManifests, or give what helm template writes as one of manifests`;
  }
  const argument = installed.get(name);
  return argument === undefined
    ? undefined
    : `${argument} installs what "${name}" would install again, under other names or the same: leave out one of both. To go over to the chart, leave out ${argument} in one up, and add the release in the next`;
}

function checkVersion({ chart, version }: HelmReleaseArgs): PropertyProblem[] {
  const source = chartSource(chart);
  if (source.from === "path") {
    const reason = "the chart has its version in its Chart.yaml, which counts: leave it out here";
    return problemAt("version", version !== undefined && reason);
  }
  if (version === undefined) {
    const isPinned = source.from === "registry" && source.digest !== undefined;
    const reason =
      "it is missing, and the newest chart is another one each day: write one, as in 1.2.3";
    return problemAt("version", !isPinned && reason);
  }
  return problemAt(
    "version",
    !EXACT.test(version) &&
      `"${version}" is no exact version: write all of one, as in 1.2.3 or 1.2.3-rc.1, and no range`,
  );
}

function checkRepository(release: HelmReleaseArgs): PropertyProblem[] {
  const { chart, repository, repositoryUsername, repositoryPassword } = release;
  const source = chartSource(chart);
  return [
    ...problemAt("repository", repository !== undefined && repositoryProblem(repository, source)),
    ...(["repositoryUsername", "repositoryPassword"] as const).flatMap((property) =>
      problemAt(
        property,
        release[property] !== undefined &&
          source.from === "path" &&
          "nobody asks for it, because the chart is a path: leave it out",
      ),
    ),
    ...problemAt(
      repositoryUsername === undefined ? "repositoryUsername" : "repositoryPassword",
      (repositoryUsername === undefined) !== (repositoryPassword === undefined) &&
        "it is missing: a user and a password belong together",
    ),
  ];
}

function repositoryProblem(url: string, { from }: ReturnType<typeof chartSource>): string | false {
  if (from !== "repository") {
    return `the chart is ${from === "path" ? "a path" : "an address"}, so no repository is asked: leave it out`;
  }
  if (/[@?#]/.test(url)) {
    return "it has a user, a query or a fragment: write the URL alone, and the user as repositoryUsername and repositoryPassword";
  }
  if (url.startsWith("oci://")) {
    return `"${url}" is a registry: leave it out, and write the whole address as chart, ${url.replace(/\/*$/, "/")}<chart>`;
  }
  const isUrl = URL.canParse(url) && /^https?:\/\/[^/]/.test(url);
  return !isUrl && `"${url}" is no URL of a repository: write https://<host>/<path>`;
}

/** Names of other releases, without circles. */
function checkOrder(name: string, releases: Releases): PropertyProblem[] {
  const before = releases[name]?.dependsOn ?? [];
  return before.flatMap((other, index) => {
    const known = Object.keys(releases).filter((each) => each !== name);
    const reason =
      other in releases
        ? leadsTo(other, name, releases) &&
          `"${other}" waits for "${name}" itself, so none could be first: leave it out`
        : `"${other}" is no release of helm: take one of ${known.join(", ") || "none"}`;
    return problemAt(`dependsOn[${index}]`, reason);
  });
}

/** Whether a release is another one, or waits for it. */
function leadsTo(
  from: string,
  to: string,
  releases: Releases,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return (
    from === to ||
    (!seen.has(from) &&
      (releases[from]?.dependsOn ?? []).some((next) =>
        leadsTo(next, to, releases, new Set([...seen, from])),
      ))
  );
}
