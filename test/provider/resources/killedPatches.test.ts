import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { ServedResource } from "../../conformance/support/servedResource";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { machineConfigurationInputs } from "./samples";

const { service } = protocol.machine.MachineService;
const swappiness: Patch = { machine: { sysctls: { "vm.swappiness": "1" } } };

describe("a killed change of one machine's patches", () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.stop());

  it("is taken back by an ordinary up, and by none of another machine's", async () => {
    cluster = await SimulatedCluster.create();
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    await cluster.bootstrap(node, 1);
    const configuration = new ServedResource("MachineConfiguration");
    const machine = new ServedResource("ConfigurationApply");
    const inputs = await machineConfigurationInputs();
    const access = await machineAt(cluster, node.address);
    const counts = () =>
      (configuration.outputs.machineRevisions ?? {}) as Readonly<Record<string, number>>;
    const configure = (own: readonly Patch[]) =>
      configuration.up({ ...inputs, machinePatches: { one: own, other: [] } });
    const apply = (patches: readonly Patch[]) =>
      machine.up({
        ...access,
        machineId: "i-1",
        patches,
        mode: "auto",
        settledSeconds: 0,
        machineConfiguration: cluster.config("controlplane"),
        timeoutSeconds: 60,
        redactedConfiguration: "",
        machineRevision: counts().one,
      });
    expect(await configure([])).toBe("created");
    await apply([]);
    const before = node.node.machineConfiguration;

    // The run that is killed: the engine has recorded this, and nothing of what the machine got.
    expect(await configure([swappiness])).toBe("updated");
    const client = await cluster.client(node);
    const data = Buffer.from(cluster.config("controlplane", [swappiness]));
    await client.unary(service.ApplyConfiguration, { data, mode: "AUTO" });
    expect(node.node.machineConfiguration).not.toBe(before);

    expect(await configure([])).toBe("updated");
    expect(counts()).toEqual({ one: 2 });
    expect(await apply([])).toBe("updated");
    await eventually(() => node.node.machineConfiguration === before);
    expect(await configure([])).toBe("same");
    expect(await apply([])).toBe("same");
  });
});
