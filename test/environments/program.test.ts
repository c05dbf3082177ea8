import * as pulumi from "@pulumi/pulumi";
import type { MockInstance } from "vitest";
import { TalosCluster } from "../../components";
import entryPoint from "../../environments/index";
import { program } from "../../environments/program";
import { schematic } from "../../provider";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { fullestCluster } from "../components/fullestCluster";
import { build, type Calls, type Graph, valueOf } from "../components/mockedGraph";
import { configOf, STACKS } from "./settingsFile";

type Outputs = Record<string, unknown>;

/** Runs the program of a stack with its shipped settings, some of them changed. */
function run(
  stack: string,
  changes: Record<string, string> = {},
  preview = true,
  calls: Calls = {},
): Promise<{ value: Outputs; graph: Graph }> {
  return build<Outputs>(
    () => {
      const named = { "talos-aws:preset": stack };
      pulumi.runtime.setAllConfig({ ...configOf(stack), ...named, ...changes });
      return program();
    },
    { preview, calls },
  );
}

const own = { "talos-aws:domain": "acme.io", "talos-aws:operatorCidrs": `["8.8.8.8/32"]` };
const INSTANCE = "aws:ec2/instance:Instance";
const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";

describe("the program", () => {
  let warn: MockInstance;
  beforeEach(() => {
    warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  });
  afterEach(() => {
    warn.mockRestore();
    pulumi.runtime.setAllConfig({});
  });

  it("is exported by the entry point", () => {
    expect(entryPoint).toBe(program);
  });

  it("boots your own image if extensions are requested", async () => {
    const asked: unknown[] = [];
    const setting = JSON.stringify({ systemExtensions: ["siderolabs/iscsi-tools"] });
    const changes = { ...own, "talos-aws:machineConfiguration": setting };
    await run("sandbox", changes, true, {
      "aws:ec2/getAmi:getAmi": ({ owners, filters }) => {
        asked.push([owners, (filters as { values: string[] }[])[0]?.values]);
        return { id: "ami-1" };
      },
    });
    const { id } = schematic({ systemExtensions: ["siderolabs/iscsi-tools"] });
    expect(asked).toEqual([[["self"], [`talos-${NEWEST_RELEASES.talosVersion}-${id}-amd64`]]]);
  });

  it.each([
    ["local", "local", 3, {}],
    ["sandbox", "sandbox", 1, {}],
    ["staging", "staging", 3, { general: 2 }],
    ["production", "prod", 3, { system: 3 }],
  ])("creates the environment %s from its settings", async (stack, name, machines, pools) => {
    const { value, graph } = await run(stack);
    const named = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}-${prefix}-${index + 1}`);
    expect(
      graph
        .ofType(INSTANCE)
        .map((instance) => instance.name)
        .sort(),
    ).toEqual(
      Object.entries({ "control-plane": machines, ...pools }).flatMap(([key, count]) =>
        named(key, count),
      ),
    );
    const domain = stack === "local" ? "talos.example" : "example.com";
    expect(await valueOf(value.endpoint as pulumi.Output<string>)).toBe(
      `https://k8s.${name}.${domain}:6443`,
    );
  });

  it("keeps the promises of production", async () => {
    const { graph } = await run("production");
    const controlPlane = graph
      .ofType(INSTANCE)
      .filter(({ name }) => name.includes("control-plane"));
    const subnets = controlPlane.map(({ dependencies }) =>
      dependencies.find((urn) => urn.includes("$aws:ec2/subnet:Subnet::")),
    );
    expect(subnets.map((urn) => urn?.split("::").at(-1))).toEqual(
      ["a", "b", "c"].map((zone) => `prod-network-public-us-east-1${zone}`),
    );
    for (const { inputs, protect } of controlPlane) {
      expect(inputs).toMatchObject({
        disableApiTermination: true,
        metadataOptions: { httpTokens: "required" },
        rootBlockDevice: { encrypted: true, volumeSize: 100 },
      });
      expect(protect).toBe(true);
    }
    const [balancer] = graph.ofType("aws:lb/loadBalancer:LoadBalancer");
    expect(balancer?.inputs).toMatchObject({ enableDeletionProtection: true });
    const groups = graph.ofType("aws:autoscaling/group:Group");
    const total = (size: string) =>
      groups.reduce((sum, { inputs }) => sum + Number(inputs[size]), 0);
    expect([total("minSize"), total("maxSize")]).toEqual([3, 9]);
    const client = graph.named("pulumi-nodejs:dynamic/talos:ClientConfiguration", "prod-client");
    expect(client.inputs).toMatchObject({ lifetimeHours: 720 });
    expect(graph.named(APPLY, "prod-control-plane-1").inputs).toMatchObject({
      timeoutSeconds: 1200,
    });
  });

  it("allows workloads on the control plane of a sandbox, which has no workers", async () => {
    const configuration = (name: string) =>
      ["pulumi-nodejs:dynamic/talos:MachineConfiguration", `${name}-control-plane`] as const;
    const { graph } = await run("sandbox");
    expect(graph.named(...configuration("sandbox")).inputs).toMatchObject({
      allowSchedulingOnControlPlanes: true,
    });
    const staging = await run("staging");
    expect(staging.graph.named(...configuration("staging")).inputs).not.toHaveProperty(
      "allowSchedulingOnControlPlanes",
    );
  });

  it("installs the add-ons in the settings, with everything they need", async () => {
    const { graph } = await run("staging", { "talos-aws:addOns": `{"metricsServer":true}` });
    const type = "pulumi-nodejs:dynamic/talos:MachineConfiguration";
    const { inputs } = graph.named(type, "staging-control-plane");
    expect(inputs).toMatchObject({
      extraManifests: [
        expect.stringContaining("kubelet-serving-cert-approver"),
        expect.stringContaining("metrics-server"),
      ],
      kubeletExtraArgs: { "rotate-server-certificates": "true" },
    });
    expect(graph.named(type, "staging-general").inputs).toMatchObject({
      kubeletExtraArgs: { "rotate-server-certificates": "true" },
    });
  });

  it("never writes a kubeconfig or talosconfig in clear", async () => {
    const { value } = await run("local");
    for (const key of ["kubeconfig", "talosconfig"]) {
      expect(await pulumi.isSecret(value[key] as pulumi.Output<string>)).toBe(true);
    }
  });

  it("passes on patches as secrets, also those of one machine", async () => {
    const { graph } = await run("local", {
      "talos-aws:patches": `["machine: {}"]`,
      "talos-aws:controlPlane": `{"machines":{"2":{"patches":[{"debug":true}]}}}`,
    });
    const role = graph.named(
      "pulumi-nodejs:dynamic/talos:MachineConfiguration",
      "local-control-plane",
    );
    expect(role.inputs).toMatchObject({ patches: ["machine: {}"] });
    expect(role.secretInputs).toContain("patches");
    const second = graph.named(APPLY, "local-control-plane-2");
    expect(second.inputs).toMatchObject({ patches: [{ debug: true }] });
    expect(second.secretInputs).toContain("patches");
    expect(graph.named(APPLY, "local-control-plane-1").inputs).toMatchObject({ patches: [] });
  });

  it("passes on values of charts as secrets where their setting has one", async () => {
    const helm = `{"web":{"chart":"./web","values":{"password":"hunter2"}},"other":{"chart":"./other"}}`;
    const secretInputs = async () => {
      const { graph } = await run("local", { "talos-aws:helm": helm });
      const release = graph.named("kubernetes:helm.sh/v3:Release", "local-helm-web");
      expect(release.inputs.values).toEqual({ password: "hunter2" });
      return release.secretInputs;
    };
    expect(await secretInputs()).toEqual([]);
    vi.stubEnv("PULUMI_CONFIG_SECRET_KEYS", JSON.stringify(["talos-aws:helm"]));
    try {
      expect(await secretInputs()).toEqual(["values"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each(STACKS.filter((stack) => stack !== "local"))(
    "warns about placeholders in a preview of %s and rejects an update with them",
    async (stack) => {
      await run(stack);
      expect(warn).toHaveBeenCalledWith(
        expect.stringMatching(/domain: "example.com" is a placeholder/),
      );
      const update = run(stack, {}, false);
      await expect(update).rejects.toThrow(/operatorCidrs\[0\]: "192.0.2.0\/24" is a placeholder/);
      await expect(update).rejects.toBeInstanceOf(pulumi.RunError);
    },
  );

  it("updates without a warning once they are replaced", async () => {
    const { graph } = await run("sandbox", own, false);
    expect(graph.ofType(INSTANCE)).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
    await expect(run("local", {}, false)).resolves.toBeDefined();
    expect(warn).not.toHaveBeenCalled();
  });

  it("adopts a hosted zone of the account if it creates none", async () => {
    const adopt = { ...own, "talos-aws:dns": "{}" };
    const { graph } = await run("sandbox", adopt, false);
    expect(graph.ofType("aws:route53/zone:Zone")).toEqual([]);
    expect(graph.named("aws:route53/record:Record", "sandbox-dns-alias").inputs).toMatchObject({
      zoneId: "Z0FOUND",
    });
  });

  it("reports everything that it can't find at once, beside what looks for it", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    const miss = (details: string) => () => {
      // As the engine hands on what a provider says.
      throw Object.assign(new Error(), { details });
    };
    const adopt = { ...own, "talos-aws:dns": "{}", "talos-aws:talosVersion": "v1.14.99" };
    await run("sandbox", adopt, true, {
      "aws:ec2/getAmi:getAmi": miss("your query returned no results"),
      "aws:route53/getZone:getZone": miss("no such zone"),
    });
    const lines = told.mock.calls.map(([line]) => line);
    told.mockRestore();
    expect(lines.sort()).toEqual([
      expect.stringMatching(/^can't find the public hosted zone "acme.io"/),
      expect.stringMatching(/^no image "talos-v1.14.99-us-east-1-amd64"/),
    ]);
  });

  it("finds an image by its owner and name", async () => {
    const controlPlane = JSON.stringify({ imageOwner: "self", imageName: "mine" });
    const { graph } = await run("local", { "talos-aws:controlPlane": controlPlane }, true, {
      "aws:ec2/getAmi:getAmi": ({ owners, filters }) => ({ id: JSON.stringify([owners, filters]) }),
    });
    expect(graph.ofType(INSTANCE)[0]?.inputs.ami).toBe(
      '[["self"],[{"name":"name","values":["mine"]}]]',
    );
  });

  it("hands out no output that the cluster can't have, because Pulumi warns of it", async () => {
    const { value } = await run("local", { "talos-aws:exposure": "direct" });
    expect(value).toHaveProperty("endpoint");
    expect(value).not.toHaveProperty("accessKubeconfig");
    expect(value).not.toHaveProperty("issuerUrl");
    expect(value).not.toHaveProperty("loadBalancerDnsName");
  });

  it("hands out all outputs of the cluster, and its users' kubeconfigs", async () => {
    const { value: cluster } = await build(() => new TalosCluster("demo", fullestCluster));
    const outputs = Object.entries(cluster).flatMap(([name, output]) =>
      pulumi.Output.isInstance(output) && name !== "urn" ? [name] : [],
    );
    expect(outputs).toContain("kubeconfigWhenHealthy");
    const kubeconfigs = `{"anna":{"groups":["operators"],"lifetimeHours":24}}`;
    const oidc = { issuerUrl: "https://login.example.com", audiences: ["kubernetes"] };
    const { value, graph } = await run("local", {
      "talos-aws:access": JSON.stringify({ oidc: [oidc] }),
      "talos-aws:irsa": "true",
      "talos-aws:kubeconfigs": kubeconfigs,
    });
    expect(Object.keys(value).sort()).toEqual([...outputs, "kubeconfigs"].sort());
    expect(Object.keys(value.kubeconfigs as object)).toEqual(["anna"]);
    const ofUser = graph.named(
      "pulumi-nodejs:dynamic/talos:UserKubeconfig",
      "local-kubeconfig-anna",
    );
    expect(ofUser.inputs).toMatchObject({ user: "anna", groups: ["operators"], lifetimeHours: 24 });
  });

  it("rejects wrong settings before it creates anything, without a stack trace", async () => {
    const wrong = run("sandbox", { "talos-aws:domian": "acme.io", "talos-aws:protect": "often" });
    await expect(wrong).rejects.toThrow(/domian: .* did you mean "domain"\?\n.*protect: /);
    await expect(wrong).rejects.toBeInstanceOf(pulumi.RunError);
  });
});
