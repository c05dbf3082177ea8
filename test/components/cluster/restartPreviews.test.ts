import { TalosCluster, type TalosClusterArgs } from "../../../components";
import { build } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

const INSTANCE = "aws:ec2/instance:Instance";

/**
 * What a preview shows as changed beside the machines that another instance type stops: the resources of which an
 * input is no longer known then. The AWS provider makes both public values of a stopped machine unknown, also
 * where the address stays (terraform-provider-aws PR 40710).
 *
 * @param restarts whether a machine of the name is stopped
 */
async function alsoChanged(
  args: Partial<TalosClusterArgs>,
  restarts: (name: string) => boolean = () => true,
): Promise<string[]> {
  const inputsOf = async (isStopped: (name: string) => boolean) => {
    const { graph } = await build(() => new TalosCluster("c", { ...standardCluster, ...args }), {
      preview: true,
      recorded: ({ type, name }) =>
        type === INSTANCE && isStopped(name) ? { publicIp: undefined, publicDns: undefined } : {},
    });
    return new Map(graph.resources.map(({ urn, inputs }) => [urn, JSON.stringify(inputs)]));
  };
  const before = await inputsOf(() => false);
  const after = await inputsOf(restarts);
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  return [...after]
    .filter(([urn, inputs]) => before.get(urn) !== inputs)
    .map(([urn]) => urn.split(/[:$]/).slice(-3).join(" ").replace("  ", " "))
    .sort();
}

const ofWorkers = (name: string) => name.includes("apps");

describe("a preview in which machines are stopped for another instance type", () => {
  const workerPools = { apps: { machineCount: 2 } };

  it.each<[string, Partial<TalosClusterArgs>]>([
    ["with fixed addresses", { controlPlane: { fixedAddresses: true } }],
    [
      "with fixed addresses, behind no load balancer",
      { exposure: "direct", controlPlane: { fixedAddresses: true } },
    ],
    [
      "without public addresses",
      {
        exposure: "internal",
        network: { zones: ["us-east-1a"], privateSubnets: true, nat: "single" },
        controlPlane: { subnets: "private" },
        workerPools: { apps: { machineCount: 2, subnets: "private" } },
      },
    ],
  ])("shows nothing else as changed: %s", async (_, args) => {
    expect(await alsoChanged(args)).toEqual([]);
  });

  it("shows one rule for each worker with a public address, and nothing of the control plane", async () => {
    expect(await alsoChanged({ workerPools }, ofWorkers)).toEqual([
      "SecurityGroupIngressRule c-apps-1-to-api",
      "SecurityGroupIngressRule c-apps-2-to-api",
    ]);
  });

  // Of these, the bootstrap, the kubeconfig, the upgrade of Kubernetes, its manifests and the first contacts see no
  // change in an address.
  it("shows what holds an address that goes", async () => {
    const ofEach = [1, 2, 3].flatMap((key) => [
      `ConfigurationApply c-control-plane-${key}`,
      `EtcdMember c-control-plane-${key}`,
      `FirstContact c-control-plane-${key}`,
      `SecurityGroupIngressRule c-control-plane-${key}-to-api`,
    ]);
    expect(await alsoChanged({})).toEqual(
      [
        ...ofEach,
        "MachineTurn c-control-plane-2-turn",
        "MachineTurn c-control-plane-3-turn",
        "ClientConfiguration c-client",
        "ClusterHealth c-health",
        "MachineBootstrap c-bootstrap",
        "ClusterKubeconfig c-kubeconfig",
        "KubernetesManifests c-manifests",
        "KubernetesUpgrade c-kubernetes",
      ].sort(),
    );
  });
});
