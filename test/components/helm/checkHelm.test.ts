import * as pulumi from "@pulumi/pulumi";
import type { HelmReleaseArgs, TalosClusterArgs } from "../../../components";
import { ADD_ONS } from "../../../components/addOns/registry";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import { standardCluster } from "../cluster/standardCluster";

const repository = "https://charts.example.com";
const web: HelmReleaseArgs = { chart: "web", repository, version: "1.2.3" };
const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

const problems = (
  helm: Readonly<Record<string, HelmReleaseArgs>>,
  change: Partial<TalosClusterArgs> = {},
) =>
  checkTalosCluster("c", chooseAddOns({ ...standardCluster, ...change, helm }))
    .filter(({ property }) => property.startsWith("helm"))
    .map(({ property, reason }) => `${property}: ${reason}`);

describe("Helm releases", () => {
  it.each<[string, HelmReleaseArgs]>([
    ["a name in a repository", web],
    ["a version with v, a pre-release and build", { ...web, version: "v1.2.3-rc.1+b.5" }],
    ["an address", { chart: "oci://registry.example.com:5000/charts/web", version: "1.2.3" }],
    ["a digest", { chart: `oci://registry.example.com/web@${digest}` }],
    ["a digest with its version", { chart: `oci://ghcr.io/web@${digest}`, version: "1.2.3" }],
    ["a folder", { chart: "./charts/web" }],
    ["a folder above", { chart: "../web" }],
    ["an archive", { chart: "/charts/web-1.2.3.tgz", values: { a: { b: [1] } } }],
    ["a repository in the network", { ...web, repository: "http://charts.internal:8080/stable" }],
    [
      "with a password that is known later",
      { ...web, repositoryUsername: "ci", repositoryPassword: pulumi.secret("hunter2") },
    ],
    ["values that are known later", { ...web, values: pulumi.output({ a: 1 }) }],
  ])("take %s", (_name, release) => {
    expect(problems({ web: release })).toEqual([]);
  });

  it("may have a name as long as Helm allows, also with dots", () => {
    expect(problems({ ["a".repeat(53)]: web, "a.b-c.1": web })).toEqual([]);
  });

  it.each<[string, string, HelmReleaseArgs, readonly RegExp[]]>([
    ["a long name", "a".repeat(54), web, [/has 54 characters, and Helm allows 53/]],
    ["capitals", "Web", web, [/^helm\.Web: "Web" can't name a release/]],
    ["a dot at the end", "web.", web, [/can't name a release/]],
    [
      "a name that no repository has, and no version",
      "web",
      { chart: "web" },
      [
        /\.chart: "web" is a name, and no repository has it.*oci:\/\/…\/web/,
        /\.version: .*missing/,
      ],
    ],
    [
      "a name of this computer's repositories",
      "web",
      { chart: "bitnami/web", version: "1.2.3" },
      [/"bitnami\/web" is no chart/],
    ],
    ["a range", "web", { ...web, version: "^1.2.0" }, [/"\^1\.2\.0" is no exact version/]],
    ["a part of a version", "web", { ...web, version: "1.2" }, [/"1\.2" is no exact version/]],
    ["the newest", "web", { ...web, version: "latest" }, [/"latest" is no exact version/]],
    ["a tag", "web", { chart: "oci://a.example/web:1.2.3", version: "1.2.3" }, [/has a tag/]],
    ["half a digest", "web", { chart: "oci://a.example/web@sha256:12" }, [/ends in no digest/]],
    ["no digest", "web", { chart: "oci://a.example/web" }, [/\.version: it is missing/]],
    ["a version of a folder", "web", { chart: "./web", version: "1.2.3" }, [/in its Chart\.yaml/]],
    [
      "a repository of a folder",
      "web",
      { chart: "./web", repository, repositoryUsername: "a", repositoryPassword: "b" },
      [/\.repository: the chart is a path/, /Username: nobody asks/, /Password: nobody asks/],
    ],
    [
      "a registry as repository",
      "web",
      { ...web, repository: "oci://ghcr.io/charts" },
      [/write the whole address as chart, oci:\/\/ghcr\.io\/charts\/<chart>/],
    ],
    ["no URL", "web", { ...web, repository: "charts.example.com" }, [/is no URL of a repository/]],
    [
      "a user without a password",
      "web",
      { ...web, repositoryUsername: "ci" },
      [/repositoryPassword: it is missing/],
    ],
    ["a namespace", "web", { ...web, namespace: "My_Shop" }, [/\.namespace: "My_Shop" can't be/]],
    ["no time", "web", { ...web, timeoutSeconds: 0 }, [/\.timeoutSeconds: 0 is not allowed/]],
    [
      "Jobs that nothing waits for",
      "web",
      { ...web, waitForJobs: true, skipAwait: true },
      [/skipAwait waits for nothing/],
    ],
    ["another release", "web", { ...web, dependsOn: ["wep"] }, [/"wep" is no release of helm/]],
    ["itself", "web", { ...web, dependsOn: ["web"] }, [/"web" waits for "web" itself/]],
  ])("can't have %s", (_name, name, release, expected) => {
    const found = problems({ [name]: release });
    expect(found).toHaveLength(expected.length);
    expected.forEach((reason, index) => expect(found[index]).toMatch(reason));
  });

  it("quotes no address with a user or a query, which may be secrets", () => {
    for (const secret of ["https://ci:hunter2@a.example", "https://a.example/?key=hunter2"]) {
      const found = [
        ...problems({ web: { ...web, repository: secret } }),
        ...problems({ web: { chart: secret, version: "1.2.3" } }),
        ...problems({
          web: { chart: secret.replace("https", "oci").replace("?", "@"), version: "1.2.3" },
        }),
      ];
      expect(found.length).toBeGreaterThan(2);
      expect(found.join()).not.toContain("hunter2");
    }
  });

  it("name others that wait for each other", () => {
    const helm = {
      a: { ...web, dependsOn: ["b"] },
      b: { ...web, dependsOn: ["c"] },
      c: { ...web, dependsOn: ["a"] },
      d: { ...web, dependsOn: ["a"] },
    };
    expect(problems(helm).map((problem) => problem.replace(/: .*/, ""))).toEqual([
      "helm.a.dependsOn[0]",
      "helm.b.dependsOn[0]",
      "helm.c.dependsOn[0]",
    ]);
    expect(problems({ "a-b": { ...web, version: "1" } })[0]).toMatch(/^helm\["a-b"\]\.version: /);
  });

  it("can't bring what an add-on has installed, whatever the chart's address is", () => {
    for (const [name, { charts = [] }] of Object.entries(ADD_ONS)) {
      for (const chart of charts) {
        const addOns = {
          [name]: { manifest: "kind: List", url: "https://example.com/fleet.git", path: "a" },
        };
        for (const release of [
          { ...web, chart },
          { chart: `oci://example.com/${chart}`, version: "1.2.3" },
          { chart: `./charts/${chart}-1.2.3.tgz` },
        ]) {
          expect(problems({ mine: release }, { addOns })).toEqual([
            expect.stringContaining(`addOns.${name} installs what "${chart}" would install again`),
          ]);
          expect(problems({ mine: release })).toEqual([]);
        }
      }
    }
    // The metrics server brings the approver.
    const approver = { web: { ...web, chart: "kubelet-csr-approver" } };
    expect(problems(approver, { addOns: { metricsServer: true } })).toHaveLength(1);
  });

  it("can't be a pod network, with which alone nodes become Ready", () => {
    for (const chart of ["cilium", "tigera-operator", "flannel"]) {
      for (const change of [{}, { addOns: { cilium: true } }, { cni: "none" as const }]) {
        expect(problems({ network: { ...web, chart } }, change)).toEqual([
          expect.stringMatching(/is a pod network.*addOns\.cilium or cniManifests.*manifests/),
        ]);
      }
    }
  });
});
