import fc from "fast-check";
import { birthChanges } from "../../../../provider/config/birth/birthSettings";
import {
  changeEffects,
  rebootPaths,
  restartedServices,
} from "../../../../provider/config/effects/changeEffects";
import { comparableOutlines } from "../../../../provider/config/effects/comparableOutlines";
import { ineffectiveChanges } from "../../../../provider/config/effects/ineffectiveChanges";
import { outlineDocuments } from "../../../../provider/config/effects/outline";
import { isInDocuments } from "../../../../provider/config/effects/sameForm";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { type ContractDefault } from "../../../../provider/config/releases/contractFeatures";
import { versionContracts } from "../../../../provider/config/releases/versionContract";
import { machineConfigurationInputs } from "../../resources/samples";
import { arbitraryOptions } from "../generate/arbitraryOptions";

const contracts = versionContracts.filter((name) => name !== "v1.14");
let inputs: MachineConfigInput;

beforeAll(async () => {
  inputs = {
    ...(await machineConfigurationInputs()),
    talosVersion: "v1.14.1",
    kubernetesVersion: "1.36.1",
    installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
  };
});

/** The outlines of a machine before and after its contract rises. */
function outlinesOf(
  contract: string,
  options: Partial<MachineConfigInput>,
  newDefaults: readonly ContractDefault[] = [],
): readonly [ConfigDocument, ConfigDocument] {
  const outline = (more: Partial<MachineConfigInput>) =>
    outlineDocuments(generateMachineConfig({ ...inputs, ...options, ...more }));
  return [
    outline({ versionContract: contract }),
    outline({ versionContract: "v1.14", contractDefaults: contract, newDefaults }),
  ];
}

describe("a configuration whose contract rises", () => {
  it.each(contracts)("from %s reboots nothing and tells of nothing, either way", (contract) => {
    fc.assert(
      fc.property(arbitraryOptions("v1.14"), (options) => {
        const [before, after] = outlinesOf(contract, options);
        for (const [one, other] of [
          [before, after],
          [after, before],
        ] as const) {
          expect(rebootPaths(one, other, 14)).toEqual([]);
          expect(birthChanges(one, other, 14)).toEqual([]);
          const ineffective = ineffectiveChanges(one, other, { isUpgraded: true, isSynced: true });
          expect(ineffective).toEqual([]);
        }
      }),
      { numRuns: 8 },
    );
  });

  it.each(["controlplane", "worker"] as const)("of a %s shows what it means otherwise", (type) => {
    const [before, after] = outlinesOf("v1.13", { machineType: type });
    expect([before, after].map(isInDocuments)).toEqual([false, true]);
    const paths = changeEffects(before, after, 14).map(({ path }) => path.join("."));
    const isControlPlane = type === "controlplane";
    expect(paths).toEqual(
      isControlPlane
        ? ["anonymous.enabled", "jwt"].map((key) => `KubeAuthenticationConfig.configuration.${key}`)
        : [],
    );
    expect(restartedServices(before, after, 14)).toEqual(isControlPlane ? ["the API server"] : []);
  });

  it("reboots for a default that it takes by name, and shows it", () => {
    const [before, after] = outlinesOf("v1.13", {}, ["workloadIsolation", "secureEphemeral"]);
    expect(rebootPaths(before, after, 14).map((path) => path.join("."))).toEqual([
      "SecurityProfileConfig.workloadIsolation",
      "VolumeConfig/EPHEMERAL.mount.secure",
    ]);
  });

  it("shows an option that changes beside it, in the form of fields", () => {
    const [before] = outlinesOf("v1.13", {});
    const [, after] = outlinesOf("v1.13", { sysctls: { "vm.max_map_count": "1" } });
    const [old, now] = comparableOutlines(before, after);
    expect(old.machine).not.toHaveProperty("sysctls");
    expect(now.machine).toHaveProperty("sysctls", { "vm.max_map_count": "1" });
  });
});
