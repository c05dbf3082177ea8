import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import type { ClusterJoin } from "../../../../components/cluster/join/clusterJoin";
import { JoinedWorkerPool } from "../../../../components/cluster/join/joinedWorkerPool";
import type { JoinedWorkerPoolArgs } from "../../../../components/cluster/join/joinedWorkerPoolArgs";
import { TalosCluster } from "../../../../components/cluster/talosCluster";
import { constructComponent } from "../../../../plugin/components";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { workerSecrets } from "../../../../provider/pki/workerSecrets";
import { build, type Graph, valueOf } from "../../mockedGraph";
import { APPLY, INSTANCE, talos } from "../clusters";
import { standardCluster } from "../standardCluster";

const CONFIGURATION = talos("MachineConfiguration");
const GROUP = "aws:autoscaling/group:Group";
const TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";
const HOOK = "aws:autoscaling/lifecycleHook:LifecycleHook";

const cluster: TalosClusterArgs = {
  ...standardCluster,
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
  workers: {
    machineConfiguration: { sysctls: { "vm.max_map_count": "262144" } },
    patches: [{ machine: { env: { A: "b" } } }],
  },
};
const fixed = { machineCount: 2, instanceType: "g6.xlarge", labels: { team: "ml" } } as const;

/** A cluster, and a pool beside it in the same program. */
const beside = (
  pool: Omit<JoinedWorkerPoolArgs, "cluster"> = fixed,
  change: Partial<TalosClusterArgs> = {},
) =>
  build(() => {
    const made = new TalosCluster("c", { ...cluster, ...change });
    return new JoinedWorkerPool("gpu", { ...pool, cluster: made.join } as JoinedWorkerPoolArgs);
  });

/** What a cluster's stack has as its output. */
async function handedOut(
  change: Partial<TalosClusterArgs> = {},
): Promise<pulumi.Unwrap<ClusterJoin>> {
  const { value } = await build(() => new TalosCluster("c", { ...cluster, ...change }));
  return JSON.parse(
    JSON.stringify(await valueOf(pulumi.output(value.join))),
  ) as pulumi.Unwrap<ClusterJoin>;
}

/** A pool in another stack, which reads it. */
const elsewhere = (told: unknown, pool: object = fixed, preview = false) =>
  build(
    () => {
      const cluster = pulumi.secret(told) as pulumi.Output<ClusterJoin>;
      const zones = ["us-east-1a", "us-east-1b"];
      return new JoinedWorkerPool("gpu", { ...fixed, zones, ...pool, cluster });
    },
    { preview },
  );

/** Both CAs that a worker trusts, in a stage. */
const rotatedTo = (stage: "accept" | "issue" | "drop") => ({
  talosCa: { to: 2, stage },
  kubernetesCa: { to: 2, stage },
});

/** What is refused of a pool before anything is made. */
function refusalOf(cluster: pulumi.Input<ClusterJoin>, pool: object): string {
  try {
    new JoinedWorkerPool("gpu", { ...fixed, ...pool, cluster });
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

/** What a pool is made by, without what says which parts a preview hides: of another stack, more. */
const inputsOf = (graph: Graph) =>
  (
    [
      [CONFIGURATION, "gpu"],
      [INSTANCE, "gpu-2"],
      [APPLY, "gpu-2"],
    ] as const
  ).map(([type, name]) => {
    const { inputs } = graph.named(type, name);
    const others = Object.entries(inputs).filter(
      ([key]) => key !== "markedValues" && !key.startsWith("__"),
    );
    return Object.fromEntries(others);
  });

describe("JoinedWorkerPool", () => {
  it("makes the same of a cluster in its program and of one in another stack", async () => {
    const [here, there] = [await beside(), await elsewhere(await handedOut())];
    expect(inputsOf(there.graph)).toEqual(inputsOf(here.graph));
    const { inputs, secretInputs } = there.graph.named(CONFIGURATION, "gpu");
    expect(inputs).toMatchObject({
      clusterName: "c",
      machineType: "worker",
      talosVersion: "v1.12.1",
      kubernetesVersion: "v1.35.0",
      endpoint: "https://k8s.sandbox.example.com:6443",
      nodeLabels: { team: "ml" },
      sysctls: { "vm.max_map_count": "262144" },
      patches: [{ machine: { env: { A: "b" } } }],
    });
    // What is left out stays so: an engine would hand on null.
    expect(Object.values(inputs)).not.toContain(null);
    expect(secretInputs).toEqual(expect.arrayContaining(["secretsBundle", "patches"]));
    expect(there.graph.named(INSTANCE, "gpu-1").inputs).toMatchObject({
      instanceType: "g6.xlarge",
      subnetId: "c-network-public-us-east-1a-id",
      vpcSecurityGroupIds: ["c-firewall-worker-id"],
      tags: { "kubernetes.io/cluster/c": "owned", Name: "gpu-1" },
    });
    expect(there.graph.named(INSTANCE, "gpu-1").secretInputs).toEqual(["userDataBase64"]);
    expect(there.graph.named(APPLY, "gpu-1").inputs).toMatchObject({
      drain: { controlPlanes: ["198.51.100.1", "198.51.100.2", "198.51.100.3"], removeNode: true },
    });
    expect(there.graph.named(APPLY, "gpu-1").secretInputs).toContain("credentials");
    expect((await valueOf(there.value.nodes)).map(({ name, pool }) => [name, pool])).toEqual([
      ["gpu-1", "gpu"],
      ["gpu-2", "gpu"],
    ]);
  });

  it("hands out no key of a CA, and what is secret as secret", async () => {
    const { value } = await build(() => new TalosCluster("c", cluster));
    const { administration, configuration, patches } = value.join;
    const secret = [configuration.secretsBundle, patches, administration?.credentials];
    for (const each of [...secret, administration?.kubernetes]) {
      expect(await pulumi.isSecret(pulumi.output(each))).toBe(true);
    }
    const { administration: _administration, ...told } = await handedOut();
    const bundle = JSON.stringify(told);
    expect(bundle).not.toMatch(/"key":"(?!Y29udHJvbC1wbGFuZXMt)/);
    expect(bundle).not.toContain('"secretbox"');
  });

  it("hands out one secret to programs in other languages, which lose secrets inside a value", async () => {
    const { value } = await build(() =>
      constructComponent("c", "talos-aws:index:TalosCluster", { ...cluster }, {}),
    );
    const { state } = value;
    const { join } = state as { readonly join: unknown };
    expect(pulumi.Output.isInstance(join)).toBe(true);
    expect(await pulumi.isSecret(join as pulumi.Output<unknown>)).toBe(true);
    expect(await valueOf(join as pulumi.Output<unknown>)).toMatchObject({
      clusterName: "c",
      patches: [{ machine: { env: { A: "b" } } }],
    });
  });

  it("follows the control plane in one program, and goes with the cluster", async () => {
    const { graph } = await beside();
    const apply = graph.named(APPLY, "gpu-1");
    const before = graph.before(apply).map(({ name, type }) => `${type} ${name}`);
    expect(before).toEqual(
      expect.arrayContaining([1, 2, 3].map((key) => `${APPLY} c-control-plane-${key}`)),
    );
    expect(apply.deletedWith).toMatch(/MachineSecrets::c-secrets$/);
    const other = await elsewhere(await handedOut());
    expect(other.graph.named(APPLY, "gpu-1").deletedWith).toBe("");
  });

  it.each<[string, Partial<TalosClusterArgs>]>([
    ["accepts new CAs", { rotation: rotatedTo("accept") }],
    ["has them issued", { rotation: rotatedTo("issue") }],
    ["drops the old ones", { rotation: rotatedTo("drop") }],
    ["takes another Talos", { talosVersion: "v1.12.4" }],
  ])(
    "follows a cluster in another stack that %s, as the cluster's own pools",
    async (_, change) => {
      const made = await build(
        () => new TalosCluster("c", { ...cluster, workerPools: { apps: fixed }, ...change }),
      );
      const told: unknown = JSON.parse(
        JSON.stringify(await valueOf(pulumi.output(made.value.join))),
      );
      const joined = await elsewhere(told);
      const [own = {}, theirs = {}] = [
        made.graph.named(CONFIGURATION, "c-apps"),
        joined.graph.named(CONFIGURATION, "gpu"),
      ].map(({ inputs }) =>
        Object.fromEntries(
          ["acceptedAuthorities", "nodeAnnotations", "nodeLabels", "talosVersion"].map((name) => [
            name,
            inputs[name],
          ]),
        ),
      );
      expect(theirs).toEqual(own);
      const bundleOf = (graph: Graph, name: string) =>
        JSON.parse(String(graph.named(CONFIGURATION, name).inputs.secretsBundle)) as SecretsBundle;
      expect(bundleOf(joined.graph, "gpu")).toEqual(workerSecrets(bundleOf(made.graph, "c-apps")));
      // Its preview shows the same change, because only this differs.
      const before = await elsewhere(await handedOut({ workerPools: { apps: fixed } }));
      expect(before.graph.named(CONFIGURATION, "gpu").inputs).not.toEqual(
        joined.graph.named(CONFIGURATION, "gpu").inputs,
      );
    },
  );

  it("makes groups without the cluster's administration", async () => {
    const { administration: _administration, ...told } = await handedOut();
    const pool = {
      subnets: "private",
      autoScaling: { minSize: 0, maxSize: 3 },
      machineCount: undefined,
    };
    const { graph, value } = await elsewhere(told, pool);
    const said = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    onTestFinished(() => said.mockRestore());
    await elsewhere(told, fixed, true);
    expect(JSON.stringify(said.mock.calls.map(([text]) => text))).toMatch(
      /it has no administration, by which later changes/,
    );

    expect(graph.named(TEMPLATE, "gpu").secretInputs).toEqual(["userData"]);
    expect(graph.named(GROUP, "gpu-us-east-1a").inputs).toMatchObject({
      vpcZoneIdentifiers: ["c-network-private-us-east-1a-id"],
    });
    expect(Object.keys(await valueOf(value.autoScalingGroupNames))).toEqual([
      "us-east-1a",
      "us-east-1b",
    ]);
  });

  it("works with the cluster's add-ons, where it knows them", async () => {
    const pool = { subnets: "private" as const, autoScaling: { minSize: 0, maxSize: 3 } };
    const addOns = { cloudController: true, nodeTerminationHandler: true } as const;
    const workerPools = { web: { machineCount: 1 } };
    const { graph } = await beside(pool, { addOns, workerPools });
    expect(graph.named(HOOK, "gpu-us-east-1a-drain").inputs).toMatchObject({
      heartbeatTimeout: 180,
    });
    const { inputs } = graph.named(GROUP, "gpu-us-east-1a");
    expect(JSON.stringify(inputs.tags)).toContain("k8s.io/cluster-autoscaler/enabled");
  });

  it("lists all that is wrong at once", async () => {
    const { value } = await build(() => new TalosCluster("c", cluster));
    expect(
      refusalOf(value.join, {
        machineCount: -1,
        subnets: "private",
        zones: ["us-east-1f"],
        labels: { "node-role.kubernetes.io/x": "" },
        rootVolumeSizeGib: 1,
      }),
    ).toMatch(
      /zones\[0\]: the cluster's network has no private subnet in "us-east-1f": it has "us-east-1a", "us-east-1b"[^]*labels[^]*rootVolumeSizeGib[^]*machineCount: a pool can't have -1 machines/,
    );
    const autoScaling = { minSize: 0, maxSize: 1 };
    expect(refusalOf(value.join, { machineCount: undefined, autoScaling })).toMatch(
      /subnets: the Kubernetes API allows only known addresses/,
    );
    const { administration: _administration, ...rest } = value.join;
    expect(refusalOf(rest, {})).toMatch(/cluster: it has no administration/);
    expect(refusalOf(pulumi.output(value.join) as pulumi.Output<ClusterJoin>, {})).toMatch(
      /zones: they decide which machines exist, and those of a cluster in another stack are known too late/,
    );
  });
});

describe("workerSecrets", () => {
  it("renders the same configuration of a worker", async () => {
    const whole = await generateSecretsBundle({ versionContract: "v1.14" });
    const input = {
      clusterName: "c",
      endpoint: "https://k8s.example.com:6443",
      machineType: "worker" as const,
      versionContract: "v1.14",
      kubernetesVersion: "v1.37.2",
      installDisk: "/dev/sda",
      installerImage: "factory.talos.dev/aws-installer/0:v1.14.1",
    } as const;
    const textOf = (secretsBundle: typeof whole) =>
      encodeDocuments(generateMachineConfig({ ...input, secretsBundle }));
    expect(textOf(workerSecrets(whole))).toBe(textOf(whole));
    expect(decodeDocuments(textOf(whole)).length).toBeGreaterThan(1);
  });
});
