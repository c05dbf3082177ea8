import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DescribeInstanceCreditSpecificationsCommand,
  DescribeInstancesCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import * as pulumi from "@pulumi/pulumi";
import { TalosCluster, transformChild } from "../../components";
import type { SecretsBundle } from "../../provider";
import { secretValues } from "../provider/resources/samples";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { formsOf } from "./support/secretForms";

/** A child that a transformation saw, and those of its arguments that came as outputs. */
interface Seen {
  readonly type: string;
  readonly name: string;
  readonly outputs: readonly (readonly [string, pulumi.Output<unknown>])[];
}

type TagsInput = pulumi.Input<Record<string, pulumi.Input<string>>>;

interface StoredResource {
  readonly type: string;
  readonly urn: string;
  readonly outputs?: Record<string, unknown>;
}

// One cluster's life: each test goes on where the one before it ended.
describe("transformations of a cluster, by the real engine", () => {
  let world: EngineWorld;
  let seen: Seen[] = [];
  let configuration: pulumi.CustomResourceOptions = {};
  let tier = "one";

  const program = () => {
    seen = [];
    const cluster = new TalosCluster(
      "it",
      {
        environment: "it",
        domain: "example.com",
        talosVersion: "v1.12.1",
        versionContract: "v1.12",
        kubernetesVersion: "v1.35.0",
        operatorCidrs: ["203.0.113.0/24"],
        network: { zones: ["us-east-1a"] },
        dns: { createZone: true },
        controlPlane: { machineCount: 1, instanceType: "t3.large" },
      },
      {
        transformations: [
          ({ type, name, props, opts }) => {
            const outputs = Object.entries(props).flatMap(([key, value]) =>
              pulumi.Output.isInstance(value) ? [[key, value] as const] : [],
            );
            seen.push({ type, name, outputs });
            if (!("tags" in props)) {
              return { props: { ...props }, opts };
            }
            const given = pulumi.output(props.tags as TagsInput);
            const tags = given.apply((more) => ({ ...more, team: "platform" }));
            return { props: { ...props, tags }, opts };
          },
          transformChild("aws:ec2/instance:Instance", ({ props, opts }) => ({
            props: { ...props, monitoring: true, creditSpecification: { cpuCredits: "standard" } },
            opts: { ...opts, protect: false },
          })),
          transformChild("pulumi-nodejs:dynamic/talos:MachineConfiguration", ({ props, opts }) => ({
            props: { ...props, nodeLabels: { tier } },
            opts: { ...opts, ...configuration },
          })),
        ],
      },
    );
    return Promise.resolve({ kubeconfig: cluster.kubeconfig });
  };

  beforeAll(async () => {
    world = await startEngineWorld({ stack: "transformations", program, settings: "config: {}" });
  });

  afterAll(async () => {
    await world.close();
  });

  async function stored(): Promise<StoredResource[]> {
    const exported = await world.stack.exportStack();
    return (exported.deployment as { resources?: StoredResource[] }).resources ?? [];
  }

  it("reach every child in a preview, also Talos resources", async () => {
    await world.stack.preview(world.record);
    const types = new Set(seen.map(({ type }) => type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        "aws:ec2/vpc:Vpc",
        "aws:ec2/instance:Instance",
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
        "pulumi-nodejs:dynamic/talos:ConfigurationApply",
        "pulumi-nodejs:dynamic/talos:MachineSecrets",
        "talos-aws:index:Network",
      ]),
    );
  });

  it("change the resources, and the machine's configuration", async () => {
    await world.stack.up(world.record);
    const made = (await stored()).filter(({ type }) => !/^pulumi:(pulumi|providers):/.test(type));
    const names = (each: { type: string; name: string }) => `${each.type} ${each.name}`;
    const nameOf = ({ type, urn }: StoredResource) => `${type} ${urn.split("::").at(-1) ?? ""}`;
    // Each but for what reads: the component itself is one of them.
    expect(seen.map(names).sort()).toEqual(made.map(nameOf).sort());

    const untagged = made.filter(({ outputs }) => {
      const tags = outputs?.tags as Record<string, string> | undefined;
      return tags !== undefined && tags.team !== "platform";
    });
    expect(untagged.map(nameOf)).toEqual([]);
    const ec2 = new EC2Client({
      region: world.emulator.region,
      endpoint: world.emulator.url,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    });
    const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
    const [instance] = Reservations.flatMap(({ Instances = [] }) => Instances);
    const { InstanceCreditSpecifications: credits } = await ec2.send(
      new DescribeInstanceCreditSpecificationsCommand({
        InstanceIds: [instance?.InstanceId ?? ""],
      }),
    );
    ec2.destroy();
    expect(credits?.map(({ CpuCredits }) => CpuCredits)).toEqual(["standard"]);
    expect(instance?.Tags).toEqual(expect.arrayContaining([{ Key: "team", Value: "platform" }]));
    expect(instance?.Monitoring?.State).toBe("enabled");
    const [node] = world.emulator.nodes();
    expect(node?.machineConfiguration).toContain("tier: one");
  });

  it("cause no change afterwards, nor does a refresh", async () => {
    await world.stack.refresh(world.record);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  it("cause no change of a configuration with ignoreChanges", async () => {
    tier = "two";
    configuration = { ignoreChanges: ["nodeLabels"] };
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
    // The engine keeps the recorded outline, from which no machine is configured.
    configuration = { ignoreChanges: ["redactedConfiguration"] };
    await expect(world.stack.preview()).rejects.toThrow(/can't name "redactedConfiguration"/);
    configuration = {};
    const changed = await world.stack.preview(world.record);
    expect(changed.changeSummary.update).toBeGreaterThan(1);
    tier = "one";
  });

  it("keep secrets secret in the state and in the output", async () => {
    const secret = async (kind: string) => {
      const child = seen.find(({ type }) => type === `pulumi-nodejs:dynamic/talos:${kind}`);
      const all = (child?.outputs ?? []).map(async ([key, value]) =>
        (await pulumi.isSecret(value)) ? [key] : [],
      );
      return (await Promise.all(all)).flat();
    };
    expect(await secret("ClientConfiguration")).toContain("certificateAuthority");
    expect(await secret("ConfigurationApply")).toEqual(
      expect.arrayContaining(["credentials", "machineConfiguration"]),
    );
    const secrets = (await stored()).find(({ type }) => type.endsWith("talos:MachineSecrets"));
    const { plaintext } = secrets?.outputs?.secretsBundle as { plaintext: string };
    const forms = secretValues(JSON.parse(plaintext) as SecretsBundle).flatMap(formsOf);
    const files = readdirSync(world.stateDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = new Map(files.map((name) => [name, readFileSync(name, "utf8")]));
    texts.set("output and events", world.transcript());
    const leaks = [...texts].filter(([, text]) => forms.some((form) => text.includes(form)));
    expect(leaks.map(([name]) => name)).toEqual([]);
  });

  it("don't prevent the destruction", async () => {
    await world.stack.destroy(world.record);
    expect(world.emulator.nodes()).toEqual([]);
  });
});
