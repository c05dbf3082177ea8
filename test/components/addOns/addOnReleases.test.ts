import { type Releases, releaseFor } from "../../../components/addOns/common/releases";
import { podIdentityWebhook } from "../../../components/addOns/podIdentityWebhook";
import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from "../../../components/addOns/registry";
import { supportedKubernetes } from "../../../provider/config/releases/supportTable";

/** Every Kubernetes minor that a Talos minor of the support table runs. */
const supported = ["v1.10", "v1.11", "v1.12", "v1.13", "v1.14"].flatMap(
  (talosVersion) => supportedKubernetes(talosVersion) ?? [],
);
const oldest = Math.min(...supported.map(({ oldestMinor }) => oldestMinor));
const newest = Math.max(...supported.map(({ newestMinor }) => newestMinor));
const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);

const releases: readonly (readonly [string, Releases])[] = [
  ...ADD_ON_NAMES.map((name) => [name, ADD_ONS[name].releases] as const),
  ["the webhook of irsa", podIdentityWebhook.releases] as const,
].flatMap(([name, given]) => (given === undefined ? [] : [[name, given] as const]));
const withKubernetes = ADD_ON_NAMES.filter((name) => ADD_ONS[name].isReleasedWithKubernetes);
const of = (addOn: AddOnName): Releases => {
  const given = ADD_ONS[addOn].releases;
  if (given === undefined) {
    throw new Error(`${addOn} has no releases`);
  }
  return given;
};

describe("the releases of add-ons", () => {
  it("exist for all Talos minors in the support table", () => {
    expect(supported).toHaveLength(5);
    expect(supportedKubernetes("v1.15")).toBeUndefined();
  });

  it.each(releases)("cover every Kubernetes minor that a supported Talos runs: %s", (_, given) => {
    const firsts = given.map(({ oldestMinor }) => oldestMinor);
    expect(firsts).toEqual([...new Set(firsts)].sort((one, other) => other - one));
    expect(firsts.at(-1)).toBeLessThanOrEqual(oldest);
    for (const { version } of given) {
      expect(version).toMatch(/^v\d+\.\d+\.\d+$/);
    }
  });

  it.each(withKubernetes)("fit only one minor: %s", (addOn) => {
    const [{ oldestMinor: last }] = of(addOn);
    for (const minor of minors) {
      const expected = Math.min(minor, last);
      expect(releaseFor(of(addOn), `v1.${minor}.0`)).toMatch(new RegExp(`^v1\\.${expected}\\.`));
    }
  });

  it("reach the newest minor, but for what is not published", () => {
    expect(withKubernetes.map((addOn) => [addOn, of(addOn)[0].oldestMinor])).toEqual([
      ["cloudController", newest],
      ["clusterAutoscaler", newest - 1],
    ]);
  });

  it.each(releases)("are never newer for an older Kubernetes: %s", (_, given) => {
    const numbers = minors.map((minor) =>
      releaseFor(given, `v1.${minor}.0`).replace("v", "").split(".").map(Number),
    );
    const ascending = numbers.toSorted((one, other) => {
      const index = one.findIndex((part, place) => part !== other[place]);
      return (one[index] ?? 0) - (other[index] ?? 0);
    });
    expect(numbers).toEqual(ascending);
  });

  it("are published as one file per version", () => {
    const published = ADD_ON_NAMES.flatMap((name) => ADD_ONS[name].publishedManifest ?? []);
    expect(published.length).toBeGreaterThan(1);
    for (const urlOf of published) {
      expect(new URL(urlOf("v1.2.3")).pathname.split("/")).toContain("v1.2.3");
    }
  });
});
