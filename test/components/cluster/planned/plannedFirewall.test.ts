import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import { planCluster } from "../../../../components/cluster/plan/planCluster";
import { plannedSettingsOf } from "../../../../components/cluster/planned/plannedSettings";
import type { MachineType, Patch } from "../../../../provider";
import { machineConfigurationHandler as handler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../../provider/resources/samples";
import { valueOf } from "../../mockedGraph";
import { standardCluster } from "../standardCluster";

const VPC = "10.0.0.0/16";
const OPERATORS = "203.0.113.0/24";

const BLOCK: Patch = {
  apiVersion: "v1alpha1",
  kind: "NetworkDefaultActionConfig",
  ingress: "block",
};

/** Networks that may come in at the ports of a machine, by the name of the rule. */
type Openings = Readonly<Record<string, readonly string[]>>;

const PORTS: Readonly<Record<string, readonly [port: number | string, protocol: "tcp" | "udp"]>> = {
  apid: [50000, "tcp"],
  api: [6443, "tcp"],
  etcd: ["2379-2380", "tcp"],
  kubelet: [10250, "tcp"],
  trustd: [50001, "tcp"],
  cni: [4789, "udp"],
};

/** Rules of a firewall that lets in everybody who has to come in, with other networks at some ports. */
function rules(others: Openings, names = Object.keys(PORTS)): Patch[] {
  return names.map((name): Patch => {
    const [port = 0, protocol = "tcp"] = PORTS[name] ?? [];
    const networks = others[name] ?? (name === "apid" ? [VPC, OPERATORS] : [VPC]);
    return {
      apiVersion: "v1alpha1",
      kind: "NetworkRuleConfig",
      name: `${name}-ingress`,
      portSelector: { ports: [port], protocol },
      ingress: networks.map((network) => {
        const [subnet = "", except] = network.split(" but ");
        return { subnet, ...(except !== undefined && { except }) };
      }),
    };
  });
}

async function refusals(
  patches: Patch[],
  {
    role = "controlplane",
    ofMachine = false,
    args = {},
  }: {
    readonly role?: MachineType;
    readonly ofMachine?: boolean;
    readonly args?: Partial<TalosClusterArgs>;
  } = {},
) {
  const given = await machineConfigurationInputs();
  const planned = plannedSettingsOf({
    args: planCluster(chooseAddOns({ ...standardCluster, ...args }), () => pulumi.output("")),
    role,
    clusterName: pulumi.output(given.clusterName),
    endpoint: pulumi.output(given.endpoint),
  });
  const { failures } = await handler.check(undefined, {
    ...given,
    machineType: role,
    plannedSettings: await valueOf(planned),
    controlPlaneCount: 3,
    ...(ofMachine ? { machinePatches: { "1": patches } } : { patches }),
  });
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

const closed = (port: string, network: string, use: string) =>
  `NetworkRuleConfig: ${port} is closed to ${network} or a part of it (${use}): add {subnet: ${network}} to the rule of this port, and leave the rest to the security groups, which let in no others`;

describe("a machine's own firewall that opens a port to others than those who come in", () => {
  it.each<readonly [string, Openings, string]>([
    [
      "another network for kubelet",
      { kubelet: ["192.168.0.0/16"] },
      closed("10250/tcp", VPC, "kubelet: API servers"),
    ],
    [
      "half of the machines",
      { kubelet: ["10.0.0.0/17"] },
      closed("10250/tcp", VPC, "kubelet: API servers"),
    ],
    [
      "all but some machines",
      { etcd: [`${VPC} but 10.0.64.0/24`] },
      closed("2379-2380/tcp", VPC, "etcd: its clients and members"),
    ],
    ["no operator", { apid: [VPC] }, closed("50000/tcp", OPERATORS, "Talos API: operators")],
    [
      "operators, but not the load balancer that they come by",
      { api: [OPERATORS] },
      closed("6443/tcp", VPC, "Kubernetes API: load balancer"),
    ],
  ])("is refused: %s", async (_, others, message) => {
    expect(await refusals([BLOCK, ...rules(others)])).toEqual([`patches: ${message}`]);
    expect(await refusals([BLOCK, ...rules(others)], { ofMachine: true })).toEqual([
      `machinePatches["1"]: ${message}`,
    ]);
  });

  it("is refused where only rules close ports, and of workers", async () => {
    const message = closed("10250/tcp", VPC, "kubelet: API servers");
    const narrow = { kubelet: ["10.0.5.0/24"] };
    expect(await refusals(rules(narrow, ["kubelet"]))).toEqual([`patches: ${message}`]);
    const ofWorker = [BLOCK, ...rules(narrow, ["kubelet", "apid", "cni"])];
    expect(await refusals(ofWorker, { role: "worker" })).toEqual([`patches: ${message}`]);
  });

  it.each<readonly [string, Openings, Partial<TalosClusterArgs>]>([
    ["those who come in", {}, {}],
    ["more than those", { api: ["0.0.0.0/0"], kubelet: ["10.0.0.0/8"] }, {}],
    ["them in parts", { kubelet: ["10.0.0.0/17", "10.0.128.0/17"] }, {}],
    // KubeSpan carries what machines say to each other.
    ["machines by KubeSpan", { kubelet: ["192.168.0.0/16"] }, { kubeSpan: true }],
  ])("is accepted with %s", async (_, others, args) => {
    const patches = [BLOCK, ...rules(others)];
    const found = await refusals(patches, { args });
    expect(found.filter((each) => each.includes("NetworkRuleConfig"))).toEqual([]);
  });
});
