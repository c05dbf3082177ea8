import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DescribeVpcsCommand, TerminateInstancesCommand } from "@aws-sdk/client-ec2";
import { DescribeLoadBalancersCommand } from "@aws-sdk/client-elastic-load-balancing-v2";
import { ListHostedZonesCommand } from "@aws-sdk/client-route-53";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { clusterAccess } from "../../cli/status/clusterAccess";
import { judgeStatus } from "../../cli/status/clusterStatus";
import { readStatus } from "../../cli/status/readStatus";
import { type Emulator, startEmulator } from "../../emulator";
import { program } from "../../environments/program";
import { openStack } from "../../scripts/openStack";
import { type Account, openAccount } from "../engine/support/account";
import { type AttachedPlugins, attachPlugins } from "../engine/support/attachPlugins";
import { engineFromEnvironment } from "../engine/support/engineFromEnvironment";
import { exportedOutputs } from "../engine/support/exportedOutputs";
import { judgingPlugin } from "../engine/support/judgingPlugin";
import { readLater } from "../engine/support/readLater";
import { makeSecretsKey } from "../engine/support/secretsKey";
import { stackFacts } from "../engine/support/stackFacts";

const root = join(__dirname, "../..");
const ENVIRONMENTS = ["local", "sandbox", "staging", "production"] as const;
type Environment = (typeof ENVIRONMENTS)[number];

/** What people are asked to fill in. */
const own = { "talos-aws:domain": "talos.internal", "talos-aws:operatorCidrs": ["127.0.0.0/8"] };
const isOwn = (name: Environment) => name !== "local";
const ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"];
const inEachZone = (text: string) => ZONES.map((zone) => text.replace("<zone>", zone));
const numbered = (text: string) =>
  ZONES.map((zone, index) => text.replace("<zone>", zone).replace("<n>", String(index + 1)));

/** What none of them has. */
const never = { volumesInClear: 0, machinesWithoutImdsV2: 0, openToTheWorld: [] };
const unprotected = { loadBalancerIsGuarded: false, guardedMachines: [], protectedNames: [] };
const sound = { ...never, leadsToItsLoadBalancer: true, longestApplySeconds: 600 };
const promises: Readonly<Record<Environment, object>> = {
  local: {
    ...sound,
    ...unprotected,
    endpoint: "https://k8s.local.talos.example:6443",
    zones: ["local.talos.example."],
    machines: numbered("local-control-plane-<n> t3.medium <zone> 20 GiB public"),
    pools: [],
    nodes: { all: 3, ready: 3, forWorkloads: 0 },
    subnets: inEachZone("public <zone>"),
    natGateways: 0,
    accessHours: 365 * 24,
  },
  sandbox: {
    ...sound,
    ...unprotected,
    endpoint: "https://k8s.sandbox.talos.internal:6443",
    zones: ["sandbox.talos.internal."],
    machines: ["sandbox-control-plane-1 t3.medium us-east-1a 30 GiB public"],
    pools: [],
    nodes: { all: 1, ready: 1, forWorkloads: 1 },
    subnets: ["public us-east-1a"],
    natGateways: 0,
    accessHours: 365 * 24,
  },
  staging: {
    ...sound,
    ...unprotected,
    endpoint: "https://k8s.staging.talos.internal:6443",
    zones: ["staging.talos.internal."],
    machines: [
      ...numbered("staging-control-plane-<n> t3.large <zone> 50 GiB public"),
      ...numbered("staging-general-<n> t3.large <zone> 50 GiB public").slice(0, 2),
    ],
    pools: [],
    nodes: { all: 5, ready: 5, forWorkloads: 2 },
    subnets: inEachZone("public <zone>"),
    natGateways: 0,
    accessHours: 90 * 24,
  },
  production: {
    ...sound,
    endpoint: "https://k8s.prod.talos.internal:6443",
    zones: ["prod.talos.internal."],
    machines: [
      ...inEachZone("prod-apps m6i.xlarge <zone> 50 GiB private"),
      ...numbered("prod-control-plane-<n> m6i.xlarge <zone> 100 GiB public"),
      ...numbered("prod-system-<n> m6i.large <zone> 50 GiB private"),
    ],
    pools: inEachZone("<zone>: 1 to 3, now 1"),
    nodes: { all: 9, ready: 9, forWorkloads: 6 },
    subnets: [...inEachZone("private <zone>"), ...inEachZone("public <zone>")],
    natGateways: 3,
    accessHours: 30 * 24,
    longestApplySeconds: 1200,
    loadBalancerIsGuarded: true,
    guardedMachines: numbered("prod-control-plane-<n>"),
    protectedNames: [
      "Bucket prod-etcd-backup",
      "Bucket prod-oidc",
      ...inEachZone("Eip prod-network-nat-<zone>"),
      ...inEachZone("Group prod-apps-<zone>"),
      ...numbered("Instance prod-control-plane-<n>"),
      ...numbered("Instance prod-system-<n>"),
      "LoadBalancer prod-api-lb",
      "LogGroup prod-audit-log",
      "LogGroup prod-network-flow-logs",
      "MachineSecrets prod-secrets",
      ...inEachZone("Subnet prod-network-private-<zone>"),
      ...inEachZone("Subnet prod-network-public-<zone>"),
      "Vpc prod-network-vpc",
      "Zone prod-dns-zone",
    ],
  },
};

// One life of all of them: each test goes on where the one before it ended.
describe("the four environments, side by side in one account", () => {
  let emulator: Emulator;
  let account: Account;
  let folder: string;
  let secretsProvider: string;
  const stacks = new Map<Environment, Stack>();
  const plugins = new Map<Environment, Promise<AttachedPlugins>>();
  /** Their states once they are up. */
  const exports = new Map<Environment, Deployment>();
  const transcripts = new Map<Environment, string[]>();

  beforeAll(async () => {
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/four-"));
    emulator = await startEmulator({
      timings: { bootMs: 200, rebootMs: 200, shutdownMs: 200, joinMs: 200 },
    });
    account = openAccount(emulator);
    secretsProvider = await makeSecretsKey(emulator);
  });

  afterAll(async () => {
    account.close();
    await Promise.all([...plugins.values()].map(async (each) => (await each).close()));
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Of its own, as several come up at once. */
  async function pluginsOf(stack: Environment) {
    const started = plugins.get(stack) ?? attachPlugins(join(folder, stack), emulator.environment);
    plugins.set(stack, started);
    return (await started).environment;
  }

  /** As it is shipped, with settings changed. */
  async function open(stack: Environment, changes: Record<string, unknown> = {}): Promise<Stack> {
    const text = await readFile(join(root, `environments/Pulumi.${stack}.yaml`), "utf8");
    const { config } = parse(text) as { config: Record<string, unknown> };
    return readLater(
      await openStack({
        stack,
        program,
        engine: await engineFromEnvironment(),
        stateDir: join(folder, stack),
        environment: { ...emulator.environment, ...(await pluginsOf(stack)) },
        pluginDirs: (await judgingPlugin()).pluginDirs,
        secretsProvider,
        settings: stringify({ config: { ...config, ...changes } }),
      }),
    );
  }

  const stackOf = (name: Environment): Stack => {
    const stack = stacks.get(name);
    if (stack === undefined) {
      throw new Error(`${name} isn't up`);
    }
    return stack;
  };

  const exportOf = (name: Environment): Deployment => {
    const exported = exports.get(name);
    if (exported === undefined) {
      throw new Error(`${name} isn't up`);
    }
    return exported;
  };

  /** The longest time that a machine was given to run its configuration, by what was told of it. */
  function longestApplySeconds(name: Environment): number {
    const told = transcripts.get(name)?.join("") ?? "";
    const left = [...told.matchAll(/to run its configuration.* s of (\d+) s\)/g)].map(
      ([, seconds]) => Number(seconds),
    );
    // The wait begins a few seconds after the operation.
    return Math.round(Math.max(...left) / 100) * 100;
  }

  it("preview with the shipped settings, and report placeholders", async () => {
    const counts = { sandbox: 1, staging: 5, production: 6 };
    const shipped = Object.entries(counts) as [keyof typeof counts, number][];
    await Promise.all(
      shipped.map(async ([name, machines]) => {
        const { changeSummary, stdout } = await (await open(name)).preview();
        expect(Object.keys(changeSummary)).toEqual(["create"]);
        expect(stdout.match(/aws:ec2:Instance /g)).toHaveLength(machines);
        expect(stdout).toContain("placeholder");
      }),
    );
  });

  it("are created all at once", async () => {
    await Promise.all(
      ENVIRONMENTS.map(async (name) => {
        const parts: string[] = [];
        const stack = await open(name, isOwn(name) ? own : {});
        stacks.set(name, stack);
        transcripts.set(name, parts);
        await stack.up({ onOutput: (text) => parts.push(text) });
        exports.set(name, await stack.exportStack());
      }),
    );
    expect(emulator.nodes()).toHaveLength(3 + 1 + 5 + 9);
    const bootstraps = emulator.nodes().map(({ bootstrapCalls }) => bootstrapCalls);
    expect(bootstraps.filter((calls) => calls === 1)).toHaveLength(4);
  });

  it.each(ENVIRONMENTS)(
    "keep what the preset %s promises",
    async (name) => {
      const facts = await stackFacts(account, exportOf(name));
      const all = { ...facts, longestApplySeconds: longestApplySeconds(name) };
      expect(all).toEqual(promises[name]);
    },
    60_000,
  );

  it("let `status` find machines of groups, which no state records", async () => {
    const outputs = exportedOutputs(exportOf("production"));
    const values = Object.fromEntries(
      Object.entries(outputs).map(([name, { value }]) => [name, value as unknown] as const),
    );
    const access = clusterAccess("production", values);
    expect(access.machines).toHaveLength(6);
    const status = await readStatus("production", access);
    expect(judgeStatus(status)).toBe("healthy");
    const found = status.machines.slice(6);
    expect(found.map(({ zone }) => zone).sort()).toEqual(ZONES);
    for (const machine of found) {
      expect(machine).toMatchObject({
        name: expect.stringMatching(/^ip-10-/) as unknown,
        role: "worker",
        instanceId: expect.stringMatching(/^i-/) as unknown,
        node: { isReady: true },
        problems: [],
      });
    }
  });

  it("share no network, no zone and no load balancer", () => {
    const shared = ENVIRONMENTS.flatMap((name) => {
      const { vpcId, loadBalancerDnsName } = exportedOutputs(exportOf(name));
      return [vpcId?.value as unknown, loadBalancerDnsName?.value as unknown];
    });
    expect(new Set(shared).size).toBe(2 * ENVIRONMENTS.length);
  });

  it("protect production in Pulumi and in EC2", async () => {
    await expect(stackOf("production").destroy()).rejects.toThrow(/protect/);
    const guarded = emulator.nodes().find(({ bootstrapCalls, machineConfiguration = "" }) => {
      return bootstrapCalls === 1 && machineConfiguration.includes("k8s.prod.talos.internal");
    });
    await expect(
      account.ec2.send(new TerminateInstancesCommand({ InstanceIds: [guarded?.instanceId ?? ""] })),
    ).rejects.toThrow(/disableApiTermination/);
    expect(emulator.nodes()).toHaveLength(18);
  });

  it("are destroyed as their settings allow, and leave nothing behind", async () => {
    const destroy = async (name: Environment) => {
      if (name === "production") {
        const unguarded = await open(name, { ...own, "talos-aws:protect": false });
        await unguarded.up();
      }
      await stackOf(name).destroy();
    };
    await Promise.all(ENVIRONMENTS.map(destroy));
    const [{ Vpcs = [] }, { LoadBalancers }, { HostedZones }] = await Promise.all([
      account.ec2.send(new DescribeVpcsCommand({})),
      account.loadBalancing.send(new DescribeLoadBalancersCommand({})),
      account.route53.send(new ListHostedZonesCommand({})),
    ]);
    expect(Vpcs.filter(({ IsDefault }) => IsDefault !== true)).toEqual([]);
    expect([LoadBalancers, HostedZones, emulator.nodes()]).toEqual([[], [], []]);
  });
});
