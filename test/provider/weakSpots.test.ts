import { configurationApplyHandler } from "../../provider/resources/configurationApply/configurationApplyHandler";
import { machineBootstrapHandler } from "../../provider/resources/machineBootstrap";
import { machineConfigurationHandler } from "../../provider/resources/machineConfigurationHandler";
import { SimulatedCluster } from "../emulator/talos/simulatedCluster";
import { machineAt } from "./lifecycle/deliveries";
import { silent } from "./progress";
import { expectNoSecrets, machineConfigurationInputs } from "./resources/samples";
import { steppingIt } from "./steppingClock";

/** What users of other providers have met, each as a thing that can't happen here. */
describe("a weak spot of other providers", () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });
  afterEach(() => cluster.stop());

  it("an imposter gets no update, another machine causes a replacement, the state is small", async () => {
    const node = await cluster.add();
    const inputsOf = async (swappiness: string) => {
      const machineConfiguration = cluster.config("controlplane", [
        { machine: { sysctls: { "vm.swappiness": swappiness } } },
      ]);
      const { inputs } = await configurationApplyHandler.check(undefined, {
        ...(await machineAt(cluster, node.address)),
        machineId: "i-0123456789abcdef0",
        machineConfiguration,
        patches: [],
        mode: "auto",
        timeoutSeconds: 20,
        configurationHash: "",
        redactedConfiguration: "",
      });
      return inputs;
    };
    const { id, state } = await configurationApplyHandler.create(await inputsOf("1"), silent);
    // Others keep 26 KB for each machine, the cluster's secrets among them.
    expect(JSON.stringify(state).length).toBeLessThan(13_000);
    expectNoSecrets(state, cluster.secrets);
    const imposter = await cluster.faults.inject({ kind: "imposter", machine: node.address });
    await expect(
      configurationApplyHandler.update(id, state, await inputsOf("2"), silent),
    ).rejects.toThrow(/not issued by the CA of this cluster/);
    expect(imposter.observed.connections).toBeGreaterThan(0);
    expect(imposter.observed.receivedBytes).toBe(0);

    const other = { ...(await inputsOf("1")), machineId: "i-0fedcba9876543210" };
    expect(configurationApplyHandler.diff(id, state, other)).toEqual({
      changes: true,
      replaces: ["machineId"],
    });
  });

  steppingIt("an already bootstrapped etcd needs no call, and is a success", async (stepping) => {
    const node = await cluster.add(cluster.config("controlplane"));
    await cluster.bootstrap(node, 1);
    const machine = await machineAt(cluster, node.address);
    await machineBootstrapHandler.create({ ...machine, peers: [], timeoutSeconds: 600 }, silent);
    expect(node.node.bootstrapCalls).toBe(1);
    expect(stepping.skippedMs).toBe(0);
  });

  it('kubernetesVersion "banana" is refused in the preview', async () => {
    const given = { ...(await machineConfigurationInputs()), kubernetesVersion: "banana" };
    const { failures } = await machineConfigurationHandler.check(undefined, given);
    expect(failures).toEqual([expect.objectContaining({ property: "kubernetesVersion" })]);
    expect(failures[0]?.reason).toContain('"banana"');
  });

  it("the installer is AWS', in the requested version", async () => {
    const given = { ...(await machineConfigurationInputs()), talosVersion: "v1.12.1" };
    const { inputs } = await machineConfigurationHandler.check(undefined, given);
    expect(inputs.installerImage).toMatch(/\/aws-installer\/[0-9a-f]{64}:v1\.12\.1$/);
  });
});
