import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type HelmReleaseArgs, TalosCluster, type TalosClusterArgs } from "../../../components";
import { KUBERNETES_PLUGIN_VERSION } from "../../../components/helm/makeHelm";
import { standardCluster } from "../cluster/standardCluster";
import { build } from "../mockedGraph";

const RELEASE = "kubernetes:helm.sh/v3:Release";
const PROVIDER = "pulumi:providers:kubernetes";

const repository = "https://charts.example.com";
const web: HelmReleaseArgs = { chart: "web", repository, version: "1.2.3" };

const made = (helm: TalosClusterArgs["helm"], preview = true) =>
  build(() => new TalosCluster("c", { ...standardCluster, ...(helm && { helm }) }), { preview });

describe("a cluster's Helm releases", () => {
  it("are by the plugin that npm's newest SDK is of, which programs need not have", () => {
    const root = join(__dirname, "../../..");
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    ) as Record<string, Record<string, string>>;
    expect(devDependencies?.["@pulumi/kubernetes"]).toBe(KUBERNETES_PLUGIN_VERSION);
    expect(dependencies).not.toHaveProperty("@pulumi/kubernetes");
    const guide = readFileSync(join(root, "docs/guides/add-ons.md"), "utf8");
    expect(guide).toContain(`plugin install resource kubernetes ${KUBERNETES_PLUGIN_VERSION} `);
  });

  it("come with no resource where there are none", async () => {
    const [none, empty] = [await made(undefined), await made({})];
    expect(empty.graph.identities()).toEqual(none.graph.identities());
    expect(none.graph.resources.filter(({ type }) => type.includes("kubernetes"))).toEqual([]);
  });

  it("have what the plugin takes, by its names, and nothing that wasn't asked for", async () => {
    const { graph } = await made({
      web,
      all: {
        chart: "oci://registry.example.com/all",
        version: "1.2.3",
        repositoryUsername: "ci",
        repositoryPassword: "hunter2",
        namespace: "all",
        createNamespace: false,
        values: { image: { tag: "v1" }, replicas: 2 },
        timeoutSeconds: 600,
        atomic: true,
        waitForJobs: true,
        skipCrds: true,
      },
    });
    expect(graph.named(RELEASE, "c-helm-web").inputs).toEqual({
      name: "web",
      chart: "web",
      version: "1.2.3",
      repositoryOpts: { repo: repository },
      namespace: "default",
      createNamespace: true,
      maxHistory: 10,
    });
    const all = graph.named(RELEASE, "c-helm-all");
    expect(all.inputs).toEqual({
      name: "all",
      chart: "oci://registry.example.com/all",
      version: "1.2.3",
      repositoryOpts: { username: "ci", password: "hunter2" },
      namespace: "all",
      createNamespace: false,
      values: { image: { tag: "v1" }, replicas: 2 },
      timeout: 600,
      atomic: true,
      waitForJobs: true,
      skipCrds: true,
      maxHistory: 10,
    });
    expect(all.secretInputs).toEqual(["repositoryOpts"]);
    expect(all.deleteBeforeReplace).toBe(true);
    expect(all.deletedWith).toBe("");
  });

  it("keep secrets in their values", async () => {
    const { graph } = await made({
      web: { ...web, values: { user: "admin", password: pulumi.secret("hunter2") } },
      whole: { ...web, values: pulumi.secret({ password: "hunter2" }) },
    });
    for (const { secretInputs } of graph.ofType(RELEASE)) {
      expect(secretInputs).toEqual(["values"]);
    }
  });

  it("come after the cluster's health, by one provider that another kubeconfig doesn't replace", async () => {
    const { graph } = await made({ web });
    const provider = graph.named(PROVIDER, "c-helm");
    expect(provider.secretInputs).toEqual(["kubeconfig"]);
    expect(provider.inputs).toMatchObject({ clusterIdentifier: "k8s.sandbox.example.com" });
    expect(graph.before(provider).map(({ name }) => name)).toContain("c-health");
    const release = graph.named(RELEASE, "c-helm-web");
    expect(release.provider.split("::").slice(2, 4)).toEqual([
      `talos-aws:index:TalosCluster$${PROVIDER}`,
      "c-helm",
    ]);
  });

  it("wait for those that they depend on, in any order", async () => {
    const { graph } = await made({
      late: { ...web, dependsOn: ["middle"] },
      middle: { ...web, dependsOn: ["early"] },
      early: web,
    });
    const before = (name: string) =>
      graph
        .before(graph.named(RELEASE, `c-helm-${name}`))
        .filter(({ type }) => type === RELEASE)
        .map((each) => each.name);
    expect(before("early")).toEqual([]);
    expect(before("middle")).toEqual(["c-helm-early"]);
    expect(before("late").sort()).toEqual(["c-helm-early", "c-helm-middle"]);
  });
});
