import { Provider } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { TalosCluster } from "../../components";
import { fullestCluster } from "./fullestCluster";
import { build, type Graph } from "./mockedGraph";

const made: pulumi.runtime.MockResourceArgs[] = [];

/** The plugin for Kubernetes can't be had everywhere: what stands in for it takes what it is given. */
const mocks: pulumi.runtime.Mocks = {
  call: () => ({}),
  newResource: (args) => {
    made.push(args);
    const inputs = args.inputs as Record<string, unknown>;
    const outputs = { kubeconfig: "of the cluster's stack" };
    return args.type === "pulumi:pulumi:StackReference"
      ? { id: args.name, state: { ...inputs, outputs, secretOutputNames: ["kubeconfig"] } }
      : { id: `${args.name}-id`, state: inputs };
  },
};

describe("examples/three-stacks/workload", () => {
  afterAll(() => pulumi.runtime.setAllConfig({}));

  it("deploys with the kubeconfig of the cluster's stack", async () => {
    pulumi.runtime.setAllConfig({ "workload:clusterStack": "organization/cluster/dev" });
    await pulumi.runtime.setMocks(mocks, "workload", "dev", false);
    const { name } = await import("../../examples/three-stacks/workload/index.js");
    await new Promise((resolve) => name.apply(resolve));
    const inputsOf = (type: string) =>
      made.find((resource) => resource.type === type)?.inputs as Record<string, unknown>;
    expect(inputsOf("pulumi:pulumi:StackReference")).toEqual({ name: "organization/cluster/dev" });
    const { kubeconfig } = inputsOf("pulumi:providers:kubernetes");
    expect(isRpcSecret(kubeconfig)).toBe(true);
    expect(unwrapRpcSecret(kubeconfig)).toBe("of the cluster's stack");
    const deployment = made.find(({ type }) => type === "kubernetes:apps/v1:Deployment");
    expect(deployment?.provider).toContain("pulumi:providers:kubernetes::cluster");
    expect(deployment?.inputs).toMatchObject({ metadata: { namespace: "hello" } });
  });
});

/** Parts of a cluster that are no condition for what runs in it: their types and names, and why. */
const besides: readonly (readonly [RegExp, string])[] = [
  [/^talos-aws:index:/, "a component, whose children count"],
  [/:ClientConfiguration .*-client$/, "the output talosconfig, for people"],
  [/:KubernetesManifests /, "Talos made them; this follows their changes"],
  [/^aws:s3.* \S+-etcd-backup$/, "holds snapshots"],
  [
    /^aws:cloudwatch\/logGroup:LogGroup \S+-audit-log$/,
    "takes records, and nothing waits for that",
  ],
  [/^aws:.*-apps(-\d)?-(ingress|https|lb)/, "an entrance for clients of a pool"],
];

/** The parts of a cluster that a Kubernetes provider does not wait for, and that do not outlive it. */
function apartFrom(graph: Graph): string[] {
  const provider = graph.named("pulumi:providers:kubernetes", "apps");
  expect(provider.secretInputs).toEqual(["kubeconfig"]);
  const before = new Set(graph.before(provider));
  expect([...before].map(({ type }) => type)).toContain(
    "pulumi-nodejs:dynamic/talos:ClusterHealth",
  );
  return graph.resources
    .filter(({ type }) => !/^(pulumi:providers:)?kubernetes/.test(type))
    .filter((each) => !before.has(each))
    .map(({ type, name }) => `${type} ${name}`)
    .filter((part) => !besides.some(([pattern]) => pattern.test(part)));
}

describe("examples/with-workload", () => {
  it("deploys when the cluster is healthy, and ends before any part of the cluster", async () => {
    const calls = { "aws:index/getRegion:getRegion": () => ({ region: "eu-central-1" }) };
    const { graph } = await build(() => import("../../examples/with-workload/index.js"), { calls });
    expect(apartFrom(graph)).toEqual([]);
    // A renewed kubeconfig then replaces no provider.
    expect(graph.named("pulumi:providers:kubernetes", "apps").inputs).toMatchObject({
      clusterIdentifier: "apps",
    });
    const all = graph.resources.filter(({ type }) => type.startsWith("kubernetes:"));
    const charts = all.filter(({ type }) => type === "kubernetes:helm.sh/v3:Release");
    expect(charts.map(({ inputs }) => inputs.namespace)).toEqual(["cert-manager", "podinfo"]);
    const made = all.filter((each) => !charts.includes(each));
    expect(made).toHaveLength(2);
    expect(made.map(({ provider }) => provider.split("::").slice(2, 4))).toEqual(
      made.map(() => ["pulumi:providers:kubernetes", "apps"]),
    );
  });

  it("would do so in the largest cluster", async () => {
    const { graph } = await build(() => {
      const { kubeconfigWhenHealthy: kubeconfig } = new TalosCluster("prod", fullestCluster);
      new Provider("apps", { kubeconfig });
    });
    expect(apartFrom(graph)).toEqual([]);
  });
});
