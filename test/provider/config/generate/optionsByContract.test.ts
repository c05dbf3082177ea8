import { problemsOf } from "./expectGenerated";

const CONTRACT = "v1.14";

test("ranges of services are as many as those of pods", () => {
  const ranges = { podCidrs: ["10.10.0.0/16", "fd10::/56"], serviceCidrs: ["10.96.0.0/16"] };
  expect(problemsOf({ versionContract: "v1.13", ...ranges })).toEqual([]);
  expect(problemsOf({ versionContract: CONTRACT, ...ranges })).toContain(
    "serviceCidrs: has 1 and podCidrs 2: from contract v1.14 on, Talos takes one range of each, or two of each",
  );
});

test("names of manifests are judged by the contract", () => {
  const inlineManifests = ["Not_One", "extra-manifest-1", "ns"].map((name) => ({
    name,
    contents: "",
  }));
  expect(problemsOf({ versionContract: "v1.13", inlineManifests })).toEqual([]);
  expect(
    problemsOf({ versionContract: CONTRACT, inlineManifests }).filter(
      (problem) => !problem.startsWith("versionContract"),
    ),
  ).toEqual([
    'inlineManifests[0].name: "Not_One" is not a name that Talos takes: small letters, digits, "-" and ".", starting and ending with a letter or digit',
    'inlineManifests[1].name: "extra-manifest-1" is the name of a manifest that another option makes: choose another',
  ]);
});

test("how volumes are mounted needs a Talos that can", () => {
  const userVolumes = [
    { name: "a", minSize: "1GiB", secure: false },
    { name: "b", volumeType: "directory", secure: true },
  ] as const;
  expect(problemsOf({ talosVersion: "v1.12.1", secureEphemeral: false, userVolumes })).toEqual([
    "secureEphemeral: needs Talos v1.13, which is the first with this setting: leave it out",
    "userVolumes[0].secure: needs Talos v1.13, which is the first with this setting: leave it out",
    "userVolumes[1].secure: needs Talos v1.14, which is the first with this setting for directories: leave it out",
  ]);
  expect(problemsOf({ talosVersion: "v1.14.1", secureEphemeral: false, userVolumes })).toEqual([]);
});
