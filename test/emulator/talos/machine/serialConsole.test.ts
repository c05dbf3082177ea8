import { SerialConsole } from "../../../../emulator/talos/machine/serialConsole";
import { maintenanceOutput } from "../../../../provider/console/maintenanceOutput";
import { fingerprintAt } from "../../../provider/api/fingerprintAt";
import { eventually, SimulatedCluster, type SimulatedNode } from "../simulatedCluster";

describe("a simulated machine's serial console", () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create({ timeSyncMs: 100 });
  });
  afterEach(() => cluster.stop());

  const textOf = ({ node }: SimulatedNode) => node.console.output.toString();
  const printed = (machine: SimulatedNode) => maintenanceOutput(textOf(machine)).fingerprints;

  it.each([
    ["v1.12.1", "MaintenanceServiceController"],
    ["v1.13.9", "MaintenanceServiceInformController"],
    ["v1.14.1", "MaintenanceServiceInformController"],
  ])("shows each certificate of Talos %s in maintenance mode", async (version, controller) => {
    cluster.talosVersion = version;
    const machine = await cluster.add();
    const first = await fingerprintAt(machine.address);
    await eventually(() => printed(machine).length === 2);
    const second = await fingerprintAt(machine.address);
    expect(printed(machine)).toEqual([first, second]);
    const talos = textOf(machine)
      .split("\r\n")
      .filter((line) => line.includes(controller))
      .map((line) => line.replace(/^\[ +\d+\.\d{6}\] /, ""));
    const fields = `{"component": "controller-runtime", "controller": "runtime.${controller}"}`;
    const issued = (fingerprint: string) =>
      `[talos] server certificate issued ${fields.replace("}", `, "fingerprint": "${fingerprint}"}`)}`;
    const apply = `[talos]  talosctl apply-config --insecure --nodes ${machine.privateAddress}`;
    expect(talos).toEqual([
      `[talos] this machine is reachable at: ${fields}`,
      `[talos]  ${machine.privateAddress} ${fields}`,
      issued(first),
      `[talos] upload configuration using talosctl: ${fields}`,
      `${apply} --file <config.yaml> ${fields}`,
      `[talos] optionally with node fingerprint check: ${fields}`,
      `${apply} --cert-fingerprint '${first}' --file <config.yaml> ${fields}`,
      issued(second),
    ]);
  });

  it("shows firmware, kernels and configurations, in order", async () => {
    const machine = await cluster.add(cluster.config("controlplane"));
    expect(textOf(machine)).toMatch(
      // eslint-disable-next-line no-control-regex -- a terminal gets them
      /^\u001b\[2J\u001b\[01;01H\u001b\[=3h.*\[ {4}0\.000000\] Linux version .*\r\n\[ {4}0\.000000\] Command line: .* console=ttyS0 /,
    );
    expect(maintenanceOutput(textOf(machine))).toEqual({ fingerprints: [], hasLeft: false });
  });

  it("keeps the last 64 KB", () => {
    const console = new SerialConsole();
    const at = new Date(12_000);
    const line = { facility: "user", priority: "info", at, text: "x".repeat(1_000) } as const;
    for (let count = 0; count < 200; count += 1) {
      console.print(line, new Date(0));
    }
    console.print({ ...line, text: "last" }, new Date(0));
    expect(console.output).toHaveLength(64 * 1024);
    expect(console.output.toString()).toMatch(/\[ {3}12\.000000\] last\r\n$/);
  });
});
