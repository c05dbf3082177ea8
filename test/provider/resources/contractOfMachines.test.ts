import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { machineConfigurationHandler } from "../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "./samples";

type Options = Partial<Parameters<typeof machineConfigurationHandler.check>[1]>;
type RoleInputs = Parameters<typeof machineConfigurationHandler.check>[0];
type MachineInputs = Parameters<typeof configurationApplyHandler.check>[0];

const talosVersion = "v1.14.1";
const risen: Options = { talosVersion, versionContract: "v1.14", contractDefaults: "v1.13" };
const former: Options = { talosVersion, versionContract: "v1.13" };

async function role(options: Options, olds?: RoleInputs) {
  const inputs = { ...(await machineConfigurationInputs()), ...options };
  return machineConfigurationHandler.check(olds, inputs);
}

async function machine(options: Options, olds?: MachineInputs) {
  const { inputs, failures } = await role(options);
  expect(failures).toEqual([]);
  return configurationApplyHandler.check(olds, {
    machineId: "i-1",
    node: "127.0.0.1",
    endpoint: "127.0.0.1",
    credentials: { caCertificate: "", certificate: "", key: "" } as never,
    machineConfiguration: inputs.machineConfiguration,
    patches: [],
    mode: "auto",
    timeoutSeconds: 20,
    redactedConfiguration: "",
    manifestsFollow: true,
    maintenanceFingerprints: [],
  });
}

describe("a machine whose contract rises", () => {
  it("is judged without a warning, in both directions", async () => {
    const { inputs: before } = await machine(former);
    const { inputs: after, ...there } = await machine(risen, before);
    expect(there).toMatchObject({ failures: [], warnings: [] });
    const { failures, warnings } = await machine(former, after);
    expect({ failures, warnings }).toEqual({ failures: [], warnings: [] });
  });

  it("is refused while it runs an older Talos, also beside its upgrade", async () => {
    const { inputs: before } = await machine({ ...former, talosVersion: "v1.13.9" });
    const { failures } = await machine(risen, before);
    expect(failures).toEqual([
      {
        property: "versionContract",
        reason:
          "the machine runs Talos v1.13.9, and settings in documents need v1.14: set versionContract back, upgrade the machines with talosVersion, and change versionContract in an update after that",
      },
    ]);
    // The upgrade alone, and the way back of both in order, are as before.
    expect((await machine(former, before)).failures).toEqual([]);
    const { inputs: after } = await machine(risen);
    const back = await machine({ ...former, talosVersion: "v1.13.9" }, after);
    expect(back.failures.map(({ reason }) => reason).join()).toContain(
      `Talos v1.13.9 can't read the documents of version contract "v1.14"`,
    );
  });
});

describe("a role's configuration whose contract rises", () => {
  it("tells what changes, and of new defaults only those that count in it", async () => {
    const { inputs: olds } = await role(former);
    const { warnings, failures } = await role(risen, olds);
    expect(failures).toEqual([]);
    expect(warnings?.join("\n")).toMatch(
      /mean the same[^]*--authentication-config[^]*kube-proxy[^]*stay secureEphemeral, filesystemTrim, workloadIsolation, openHealthChecks, encryptedSecretsOnly/,
    );
    const worker = { machineType: "worker" as const };
    const { inputs: ofWorker } = await role({ ...former, ...worker });
    const told = (await role({ ...risen, ...worker }, ofWorker)).warnings ?? [];
    expect(told.join("\n")).toContain("stay secureEphemeral, filesystemTrim, workloadIsolation.");
    expect(told).toHaveLength(2);
  });

  it("tells of a default that an option says already by nothing", async () => {
    const isSaid = { secureEphemeral: true };
    const { inputs: olds } = await role({ ...former, ...isSaid });
    const { warnings } = await role({ ...risen, ...isSaid }, olds);
    expect(warnings?.join("\n")).not.toContain("secureEphemeral");
  });

  it("tells nothing of a change between older contracts, which MachineSecrets may allow", async () => {
    const { inputs: olds } = await role({ talosVersion, versionContract: "v1.11" });
    const { failures, warnings } = await role(former, olds);
    expect({ failures, warnings }).toEqual({ failures: [], warnings: [] });
  });

  it("tells nothing in the run after, or of a new cluster", async () => {
    const { inputs: olds } = await role(risen);
    expect((await role(risen, olds)).warnings).toEqual([]);
    expect((await role(risen)).warnings).toEqual([]);
  });
});
