import { cloudController } from "../../../../components/addOns/cloudController";
import { releaseFor } from "../../../../components/addOns/common/releases";
import { talosImages } from "../../../../emulator/aws/amis";
import table from "../../../../provider/config/gen/kubernetesComponents.json";
import { NEWEST_ACCEPTED_MINOR } from "../../../../provider/config/releases/acceptedTalos";
import {
  FORMER_RELEASES,
  NEWEST_RELEASES,
} from "../../../../provider/config/releases/newestReleases";
import { supportedKubernetes } from "../../../../provider/config/releases/supportTable";
import { talosMinor } from "../../../../provider/config/releases/talosMinor";

const both = [
  ["newest", NEWEST_RELEASES, NEWEST_ACCEPTED_MINOR],
  ["former", FORMER_RELEASES, NEWEST_ACCEPTED_MINOR - 1],
] as const;

describe.each(both)("the %s releases", (_name, releases, minor) => {
  const { talosVersion, versionContract, kubernetesVersion } = releases;

  test("are of one minor of Talos", () => {
    expect(talosMinor(talosVersion)).toBe(minor);
    expect(versionContract).toBe(`v1.${minor}`);
  });

  test("have the newest Kubernetes of that Talos, as it was read", () => {
    const newest = String(supportedKubernetes(talosVersion)?.newestMinor);
    expect(Object.entries(table.releases)).toContainEqual([newest, kubernetesVersion]);
  });

  test("have images of both architectures in the embedded cloud", () => {
    const images = talosImages().map(({ name }) => name);
    for (const architecture of ["amd64", "arm64"]) {
      expect(images).toContain(`talos-${talosVersion}-eu-central-1-${architecture}`);
    }
  });
});

test("the cloud controller is of the newest Kubernetes", () => {
  const { isReleasedWithKubernetes, releases } = cloudController;
  expect(isReleasedWithKubernetes).toBe(true);
  const minorOf = (release: string) => release.split(".").slice(0, 2).join(".");
  const { kubernetesVersion } = NEWEST_RELEASES;
  expect(releases && minorOf(releaseFor(releases, kubernetesVersion))).toBe(
    minorOf(kubernetesVersion),
  );
});
