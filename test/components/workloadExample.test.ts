import * as pulumi from "@pulumi/pulumi";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";

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
