import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as aws from "@pulumi/aws";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { program } from "../../environments/program";
import { checkPolicies } from "../../policies";
import { readEvents } from "../../preview/readEvents";
import {
  ClientConfiguration,
  ConfigurationApply,
  MachineConfiguration,
  MachineSecrets,
} from "../../provider";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { type LanguageHost, nodeHostFolder, startLanguageHost } from "./support/languageHost";
import { readStack } from "./support/readStack";

const root = join(__dirname, "../..");

const production = readFileSync(join(root, "environments/Pulumi.production.yaml"), "utf8")
  .replace("domain: example.com", "domain: talos.internal")
  .replace("- 192.0.2.0/24", "- 127.0.0.0/8");

describe("production under the policies", () => {
  const path = process.env.PATH;
  const leaked = "-----BEGIN PRIVATE KEY-----";
  let folder: string;
  let pack: string;
  let host: LanguageHost;
  let world: EngineWorld;
  /**
   * What is made that breaks policies: nothing, something beside the cluster, or it without the cluster, or
   * machines without the cluster.
   */
  let broken: "nothing" | "beside" | "alone" | "machines" = "nothing";

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/pack-"));
    pack = join(folder, "pack");
    cpSync(join(root, "examples/policy-pack"), pack, { recursive: true });
    // A pack is a package of its own, with the other one installed.
    mkdirSync(join(pack, "node_modules"));
    symlinkSync(root, join(pack, "node_modules/pulumi-talos-aws"));
    host = await startLanguageHost();
    process.env.PATH = [nodeHostFolder(host), path].join(delimiter);
    world = await startEngineWorld({
      stack: "production",
      settings: production,
      program: async () => {
        if (broken === "machines") {
          twoControlPlaneMachines();
          return {};
        }
        return {
          ...(broken === "alone" ? {} : await program()),
          ...(broken === "nothing" ? {} : { ...openTalosApi(), leaked }),
        };
      },
    });
  });

  afterAll(async () => {
    await world.close();
    host.close();
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Previews, with the pack or without, and judges what the engine tells of it. */
  async function preview(stack = world.stack, policyPacks: string[] = []) {
    const events: EngineEvent[] = [];
    const { stdout } = await stack.preview({ policyPacks, onEvent: (event) => events.push(event) });
    const itself = readStack(events);
    const resources = [...(itself === undefined ? [] : [itself]), ...readEvents(events)];
    return { stdout, violations: checkPolicies(resources) };
  }

  it("keeps them all with the shipped settings", async () => {
    const { stdout, violations } = await preview(world.stack, [pack]);
    expect(stdout).toMatch(/talos-aws@v\S+ \(local: .*\)/);
    expect(violations).toEqual([]);
  });

  it("reports missing protection, an open port and a plain secret in the preview", async () => {
    broken = "beside";
    const stack = await world.withSettings(`${production}\n  talos-aws:protect: false\n`);
    const { violations } = await preview(stack).finally(() => world.withSettings(production));
    const isUnprotected = ({ rule }: { readonly rule: string }) => rule === "protected-production";
    expect(violations.filter(isUnprotected).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["prod-secrets", "prod-control-plane-1", "prod-api-lb"]),
    );
    const others = violations.filter((violation) => !isUnprotected(violation));
    expect(others.map(({ rule, subject }) => [rule, subject])).toEqual([
      ["closed-talos-api", "world"],
      ["no-plain-secrets", "talos-aws-production"],
    ]);
    expect(JSON.stringify(violations)).not.toContain(leaked);
  });

  it("is stopped by the pack for what machines are configured with, and for their number", async () => {
    broken = "machines";
    const refused = world.stack.preview({ policyPacks: [pack] });
    await expect(refused).rejects.toThrow(
      /odd-control-planes[^]*its cluster has 2 control plane machines/,
    );
    await expect(refused).rejects.toThrow(
      /pinned-versions[^]*machine-1: cluster\.extraManifests has "https:\/\/example\.com\/main\/all\.yaml"/,
    );
  });

  it("is stopped by the pack before it opens a port", async () => {
    broken = "alone";
    await expect(world.stack.up({ policyPacks: [pack] })).rejects.toThrow(
      /\[mandatory\] +closed-talos-api[^]*world: it opens the Talos API to "0\.0\.0\.0\/0"/,
    );
    const { deployment } = (await world.stack.exportStack()) as Exported;
    expect(deployment.resources.map(({ type }) => type)).toEqual([
      "pulumi:pulumi:Stack",
      "pulumi:providers:aws",
      "aws:ec2/securityGroup:SecurityGroup",
    ]);
  });
});

interface Exported {
  readonly deployment: { readonly resources: readonly { readonly type: string }[] };
}

/** Of one cluster, with a manifest that can change at any time. */
function twoControlPlaneMachines(): void {
  const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
    versionContract: "v1.12",
  });
  const cluster = { clusterName: "it", secretsBundle };
  const { machineConfiguration, redactedConfiguration } = new MachineConfiguration("machines", {
    ...cluster,
    endpoint: "https://10.0.0.1:6443",
    platform: "metal",
    versionContract,
    talosVersion: "v1.12.1",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/sda",
    machineType: "controlplane",
    patches: [{ cluster: { extraManifests: ["https://example.com/main/all.yaml"] } }],
  });
  const { credentials } = new ClientConfiguration("access", {
    ...cluster,
    endpoints: ["10.0.0.1"],
  });
  for (const index of [1, 2]) {
    const machine = { machineId: `i-${index}`, node: `10.0.0.${index}`, credentials };
    new ConfigurationApply(`machine-${index}`, {
      ...machine,
      machineConfiguration,
      redactedConfiguration,
    });
  }
}

function openTalosApi() {
  const group = new aws.ec2.SecurityGroup("open", { description: "open" });
  const { id } = new aws.vpc.SecurityGroupIngressRule("world", {
    securityGroupId: group.id,
    cidrIpv4: "0.0.0.0/0",
    ipProtocol: "tcp",
    fromPort: 50_000,
    toPort: 50_000,
  });
  return { id };
}
