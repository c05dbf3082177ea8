import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../components";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import { makeClusterConfiguration } from "../../../components/cluster/makers/makeClusterConfiguration";
import { makeOwnPoolConfiguration } from "../../../components/cluster/makers/makePoolBasis";
import { planCluster } from "../../../components/cluster/plan/planCluster";
import type { Patch } from "../../../provider";
import { generateKeyOrToken } from "../../../provider/pki/rotation/generateKeyOrToken";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { referredType, resourceArguments } from "../../../provider/schema/packageSchema";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";
import { build, type Registered } from "../mockedGraph";
import { argumentCells } from "./argumentCells";
import { talos } from "./clusters";
import { standardCluster } from "./standardCluster";

/** Whether each contract tries all cells beside others: by `TALOS_ALL_CELLS`. */
const ALL = process.env.TALOS_ALL_CELLS !== undefined;

type Inputs = Parameters<typeof handler.check>[1];

const letIn = (protocol: string, ports: (number | string)[]): Patch => ({
  apiVersion: "v1alpha1",
  kind: "NetworkRuleConfig",
  name: `${protocol}-in`,
  portSelector: { ports, protocol },
  ingress: [{ subnet: "0.0.0.0/0" }, { subnet: "::/0" }],
});

/** A machine's own firewall that lets in whom the cluster needs, at their ports. */
const firewallPatches: Patch[] = [
  { apiVersion: "v1alpha1", kind: "NetworkDefaultActionConfig", ingress: "block" },
  letIn("tcp", [6443, "2379-2380", 10_250, 50_000, 50_001]),
  letIn("udp", [4789, 8472]),
];

/** What an argument may stand beside. */
const beside: Partial<TalosClusterArgs> = {
  addOns: { cilium: true },
  metrics: ["controllerManager", "scheduler", "etcd"],
  firewall: {
    monitoring: ["kubelet", "controlPlane", "nodeExporter"],
    monitoringFrom: { vpn: { cidr: "10.9.0.0/16" } },
  },
  patches: firewallPatches,
  workers: { patches: firewallPatches },
};

/** The dialects of a configuration with a Talos that has them. */
const RELEASES = {
  "v1.12": { talosVersion: "v1.12.1", kubernetesVersion: "v1.35.0" },
  "v1.13": { talosVersion: "v1.13.9", kubernetesVersion: "v1.35.0" },
  "v1.14": { talosVersion: "v1.14.1", kubernetesVersion: "v1.36.3" },
};

type Contract = keyof typeof RELEASES;

const CONTRACTS = Object.keys(RELEASES) as Contract[];

/** Cells that are no cluster in a contract, or beside the others, with what is refused. */
const NO_CLUSTER = {
  "v1.12": [
    "contractDefaults",
    "newDefaults",
    "controlPlane.etcdVolume",
    "machineConfiguration.secureEphemeral",
    "workers.machineConfiguration.secureEphemeral",
  ],
  "v1.13": ["contractDefaults", "newDefaults", "controlPlane.etcdVolume"],
  "v1.14": ["apiHealthCheck", "addOns.nvidiaDevicePlugin"],
  beside: [
    "metrics",
    "cni",
    "cniManifests",
    "machineConfiguration.features",
    "workers.machineConfiguration.features",
  ],
};

interface Cell {
  readonly path: string;
  readonly change: object;
}

const cells: readonly Cell[] = Object.entries(argumentCells).flatMap(
  ([path, { place, cells: ofType }]) =>
    Object.entries(ofType).flatMap(([name, tried]) =>
      tried.map(({ value, needs }) => ({
        path: path === "" ? name : `${path}.${name}`,
        change: merged(needs, place({ [name]: value })),
      })),
    ),
);

function merged(one: object, other: object): object {
  const into: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const former = into[key];
    into[key] = isMapping(former) && isMapping(value) ? merged(former, value) : value;
  }
  return into;
}

function isMapping(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Makes the configurations of a cluster as the component does, without its machines. */
function makeConfigurations(name: string, args: TalosClusterArgs): void {
  const cluster = new pulumi.ComponentResource("talos-aws:index:TalosCluster", name);
  const plan = planCluster(chooseAddOns(args), () => pulumi.output("us-east-1"));
  const { clusterName, endpoint, ofWorkers } = makeClusterConfiguration(name, plan, cluster);
  const dependencies = { clusterName, endpoint, configuration: ofWorkers };
  for (const { name: pool, args: ofPool } of plan.machines.pools) {
    const scope = { args: plan, dependencies, child: { parent: cluster } };
    makeOwnPoolConfiguration(`${name}-${pool}`, ofPool, ofPool.machineCount, scope);
  }
}

it("has a cell for each argument", () => {
  for (const { type, cells: ofType } of Object.values(argumentCells)) {
    const token = `talos-aws:index:${type}`;
    const { properties = {} } =
      type === "TalosCluster"
        ? resourceArguments(token)
        : referredType({ $ref: `#/types/${token}` });
    expect(Object.keys(ofType).sort()).toEqual(Object.keys(properties).sort());
  }
  const empty = Object.entries(argumentCells).flatMap(([path, { cells: ofType }]) =>
    Object.entries(ofType)
      .filter(([, tried]) => tried.length === 0)
      .map(([name]) => (path === "" ? name : `${path}.${name}`)),
  );
  const inside = Object.keys(argumentCells).filter((path) => path !== "");
  expect(empty.sort()).toEqual(["talosVersion", "versionContract", ...inside].sort());
});

/** The minimal cluster of a contract. */
const minimal = (contract: Contract) => ({
  ...standardCluster,
  ...RELEASES[contract],
  versionContract: contract,
  clusterName: "demo",
  workerPools: { apps: { machineCount: 2, imageId: "ami-0123456789abcdef0" } },
});

/** As many as the engine's substitute keeps in memory without much garbage. */
const CLUSTERS_AT_ONCE = 8;

/**
 * Has the configurations of cells be judged by their own handler.
 *
 * @returns the cells that are no cluster, what is wrong with the others, and those whose configurations
 * differ from the minimal cluster's
 */
async function judge(tried: readonly Cell[], context: object, contract: Contract) {
  const judged = new Set<string>();
  const failures: unknown[] = [];
  const made = [{ path: "", change: {} }, ...tried].map((cell, index) => ({
    cell,
    name: `c${index}`,
    args: merged(merged(minimal(contract), context), cell.change) as TalosClusterArgs,
  }));
  const clusters = made.filter(
    ({ name, args }) => checkTalosCluster(name, chooseAddOns(args)).length === 0,
  );
  const changed = new Set<Cell>();
  for (let start = 0; start < clusters.length; start += CLUSTERS_AT_ONCE) {
    const some = clusters.slice(start, start + CLUSTERS_AT_ONCE);
    const configurations = await configurationsOf(some);
    for (const { name, inputs } of configurations) {
      const given = Object.entries(inputs).filter(([key]) => !key.startsWith("__"));
      const text = JSON.stringify(given);
      const cell = some.find((each) => name.startsWith(`${each.name}-`))?.cell;
      if (cell !== undefined && !judged.has(text)) {
        judged.add(text);
        changed.add(cell);
        const { failures: found } = await handler.check(undefined, inputs as unknown as Inputs);
        failures.push(...found.map(({ reason }) => [cell.path, name, reason]));
      }
    }
  }
  const refused = made.filter((each) => !clusters.includes(each)).map(({ cell }) => cell.path);
  return { refused: refused.sort(), failures, changed: tried.filter((cell) => changed.has(cell)) };
}

/** The configurations that the component makes for clusters. */
async function configurationsOf(
  clusters: readonly { readonly name: string; readonly args: TalosClusterArgs }[],
): Promise<Registered[]> {
  const secretsBundle = await sharedSecrets();
  const generated = await Promise.all([
    generateKeyOrToken("secretboxKey"),
    generateKeyOrToken("discoveryIdentity"),
  ]);
  const { graph } = await build(
    () => {
      for (const { name, args } of clusters) {
        makeConfigurations(name, args);
      }
    },
    {
      recorded: ({ type, name }) => {
        const value = name.includes("-secretbox-key-")
          ? generated[0]
          : name.includes("-discovery-identity-")
            ? generated[1]
            : undefined;
        return type === talos("MachineSecrets")
          ? { secretsBundle }
          : value === undefined
            ? undefined
            : { value };
      },
    },
  );
  return graph.ofType(talos("MachineConfiguration"));
}

describe("what an argument plans is no reason to refuse its own configuration", () => {
  let alone: Awaited<ReturnType<typeof judge>>;

  beforeAll(async () => {
    alone = await judge(cells, {}, "v1.14");
  });

  it("alone", () => {
    expect(alone.failures).toEqual([]);
    expect(alone.refused).toEqual([...NO_CLUSTER["v1.14"]].sort());
    expect(alone.changed.length).toBeGreaterThan(140);
  });

  // All cells by all contracts would take a minute of a processor, so the contracts share them.
  it.each(CONTRACTS)("beside Cilium, metrics and firewalls, by contract %s", async (contract) => {
    const share = CONTRACTS.indexOf(contract);
    const tried = ALL
      ? alone.changed
      : alone.changed.filter((_, index) => index % CONTRACTS.length === share);
    const { refused, failures } = await judge(tried, beside, contract);
    expect(failures).toEqual([]);
    const expected = new Set([...NO_CLUSTER[contract], ...NO_CLUSTER.beside]);
    expect(refused.filter((path) => !expected.has(path))).toEqual([]);
  });
});
