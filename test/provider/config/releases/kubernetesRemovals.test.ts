import { existsSync } from "node:fs";
import { join } from "node:path";
import { admissionPlugins } from "../../../../provider/config/flags/admissionPlugins";
import type { KubernetesComponent } from "../../../../provider/config/flags/componentTable";
import { kubernetesRemovals } from "../../../../provider/config/releases/kubernetesRemovals";
import {
  moduleVersion,
  readKubernetesSource,
  readUpgradeChecks,
} from "../../../../scripts/kubernetesSource";
import { kubernetesSources, moduleCache, moduleFolder, upgradeChecks } from "../../talosSources";

/** Gates that talosctl refuses and Kubernetes takes. */
const stillTaken = new Map([
  // Talos refuses it from 1.32 on; Kubernetes has it until 1.34.
  ["AllowServiceLBStatusOnNonLB", [32, 33, 34]],
  // Kubernetes has it, with a value that can't be changed.
  ["DeclarativeValidationTakeover", [37]],
]);

/** What talosctl refuses and this package does not. */
const notRefused = ["UserNamespacesHostNetworkSupport"];

const minorOf = (release: string) => Number(release.split(".")[1]);

/** All that is removed up to a minor. */
function removedUpTo(minor: number, what: "featureGates" | "admissionPlugins"): readonly string[] {
  return [...kubernetesRemovals]
    .filter(([each]) => each <= minor)
    .flatMap(([, removals]) => removals[what] ?? []);
}

describe.each(kubernetesSources)("Kubernetes $release", (source) => {
  const minor = minorOf(source.release);
  const before = kubernetesSources.find(({ release }) => minorOf(release) === minor - 1);
  const kinds = ["featureGates", "admissionPlugins"] as const;

  it.each(kinds)("has none of the %s that are removed", (what) => {
    const there = removedUpTo(minor, what).filter(
      (name) => source[what].includes(name) && stillTaken.get(name)?.includes(minor) !== true,
    );
    expect(there).toEqual([]);
  });

  it.skipIf(before === undefined).each(kinds)(
    "has all %s of the release before but the removed ones",
    (what) => {
      const gone = before?.[what].filter((name) => !source[what].includes(name)) ?? [];
      expect(gone.filter((name) => !removedUpTo(minor, what).includes(name))).toEqual([]);
    },
  );

  it("has the admission plugins of the table", () => {
    const known = [...admissionPlugins].flatMap(([name, { since = 0, until = Infinity }]) =>
      minor >= since && minor <= until ? [name] : [],
    );
    expect(known.sort()).toEqual(source.admissionPlugins);
  });

  const modules = join(moduleCache, "k8s.io");
  const isThere = ["kubernetes", "apiserver", "component-base", "client-go"].every((module) =>
    existsSync(join(modules, moduleVersion(module, source.release))),
  );

  it.skipIf(!isThere)("is recorded as its code is", () => {
    expect(readKubernetesSource(modules, source.release)).toEqual(source);
  });
});

describe("the removals that talosctl checks", () => {
  const goKubernetes = moduleFolder(
    upgradeChecks.release,
    join("github.com/siderolabs", "go-kubernetes"),
  );

  it.skipIf(goKubernetes === undefined)("are recorded as its code is", () => {
    expect(readUpgradeChecks(goKubernetes ?? "", upgradeChecks.release)).toEqual(upgradeChecks);
  });

  it("go from Kubernetes 1.25 to 1.37", () => {
    expect(Object.keys(upgradeChecks.minors)).toEqual(
      Array.from({ length: 13 }, (_, index) => String(25 + index)),
    );
    expect(upgradeChecks.minors["37"]?.featureGates).toHaveLength(5);
    expect(upgradeChecks.minors["37"]?.flags.kubelet).toHaveLength(18);
    expect(upgradeChecks.minors["37"]?.apiResources).toHaveLength(2);
  });

  it.each(Object.entries(upgradeChecks.minors))("are all in the row of 1.%s", (minor, theirs) => {
    const ours = kubernetesRemovals.get(Number(minor)) ?? {};
    const missing = (all: readonly string[], some: readonly string[] = []) =>
      all.filter((name) => !some.includes(name) && !notRefused.includes(name));
    expect(missing(theirs.featureGates, ours.featureGates)).toEqual([]);
    expect(missing(theirs.apiResources, ours.apiResources)).toEqual([]);
    expect(missing(theirs.admissionPlugins, ours.admissionPlugins)).toEqual([]);
    for (const [component, flags = []] of Object.entries(theirs.flags)) {
      expect(missing(flags, ours.flags?.[component as KubernetesComponent])).toEqual([]);
    }
  });
});
