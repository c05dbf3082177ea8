import { PartialUpdateError } from "../../../provider/engine/handler";
import { kubernetesManifestsHandler } from "../../../provider/resources/kubernetesManifests";
import { machineConfigurationHandler } from "../../../provider/resources/machineConfigurationHandler";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { machineConfigurationInputs } from "./samples";

type Options = Partial<Parameters<typeof machineConfigurationHandler.check>[1]>;
type Inputs = Parameters<typeof kubernetesManifestsHandler.check>[1];

const credentials = { ca: "", crt: "", key: "" };

async function checked(options: Options, olds?: Partial<Inputs>) {
  const given = { ...(await machineConfigurationInputs()), ...options };
  const { inputs } = await machineConfigurationHandler.check(undefined, given);
  const redactedConfiguration = JSON.stringify(inputs.redactedConfiguration);
  const news = { nodes: ["10.0.0.1"], credentials, redactedConfiguration, timeoutSeconds: 60 };
  return kubernetesManifestsHandler.check(olds, news);
}

const changesOf = async (before: Options, after: Options) => {
  const { inputs: olds } = await checked(before);
  const { inputs, warnings } = await checked(after, olds);
  const { manifests = {} } = olds;
  const { changes } = kubernetesManifestsHandler.diff("manifests", { manifests }, inputs);
  return { changes, warnings };
};

const inline = (...names: readonly string[]) => ({
  inlineManifests: names.map((name) => ({
    name,
    contents: `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`,
  })),
});

describe("KubernetesManifests", () => {
  it.each<[string, Options, Options]>([
    ["another Kubernetes", { kubernetesVersion: "1.34.0" }, { kubernetesVersion: "1.35.0" }],
    ["another Talos", { talosVersion: "v1.12.0" }, { talosVersion: "v1.12.1" }],
    ["flags of kube-proxy", {}, { patches: [{ cluster: { proxy: { extraArgs: { v: "4" } } } }] }],
    ["a manifest more", inline("a"), inline("a", "b")],
  ])("is updated for %s, and deletes nothing", async (_, before, after) => {
    expect(await changesOf(before, after)).toEqual({ changes: true, warnings: [] });
  });

  it.each<[string, Options, Options]>([
    ["a label of the machines", {}, { nodeLabels: { tier: "a" } }],
    ["the manifests in another order", inline("a", "b"), inline("b", "a")],
    [
      "flags of the API server",
      {},
      { patches: [{ cluster: { apiServer: { extraArgs: { v: "4" } } } }] },
    ],
  ])("is not updated for %s", async (_, before, after) => {
    expect((await changesOf(before, after)).changes).toBe(false);
  });

  it.each<[string, Options, Options, string]>([
    ["no kube-proxy", {}, { kubeProxy: false }, "kube-proxy"],
    ["no CoreDNS", {}, { patches: [{ cluster: { coreDNS: { disabled: true } } }] }, "CoreDNS"],
    ["another pod network", {}, { cni: { name: "none" } }, "the pod network flannel"],
    ["a manifest less", inline("a", "b"), inline("b"), 'the inline manifest "a"'],
    [
      "another URL",
      { extraManifests: ["https://example.com/v1.yaml"] },
      { extraManifests: ["https://example.com/v2.yaml"] },
      "manifests that are no longer in cluster.extraManifests",
    ],
  ])("names in a preview the objects that are deleted with %s", async (_, before, after, what) => {
    expect(await changesOf(before, after)).toEqual({
      changes: true,
      warnings: [`${what}: its objects are deleted from the cluster, except namespaces`],
    });
  });

  it("records only short values and hashes", async () => {
    const contents = `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: ${"x".repeat(10_000)}}}`;
    const { inputs } = await checked({ inlineManifests: [{ name: "a", contents }] });
    expect(inputs.manifests?.["cluster.inlineManifests.a"]).toMatch(/^sha256:[0-9a-f]{16}$/);
    expect(JSON.stringify(inputs.manifests).length).toBeLessThan(2_000);
  });

  steppingIt("is updated again after a failed update, also if the change is reverted", async () => {
    const { inputs } = await checked({});
    const nobody = { ...inputs, nodes: ["127.0.0.1"], timeoutSeconds: 2 };
    const failure: unknown = await kubernetesManifestsHandler
      .update("manifests", { manifests: { talos: "v1.0.0" } }, nobody, silent)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialUpdateError);
    expect(failure).toMatchObject({ properties: {} });
    expect(kubernetesManifestsHandler.diff("manifests", {}, inputs).changes).toBe(true);
  });

  it("is not changed by a refresh", () => {
    const diff = kubernetesManifestsHandler.diff(
      "manifests",
      { manifests: { a: "1" } },
      {} as Inputs,
    );
    expect(diff.changes).toBe(false);
  });
});
