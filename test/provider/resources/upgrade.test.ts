import { NOT_MADE_YET } from "../../../provider/config/effects/outline";
import { placeholderBundle } from "../../../provider/render/renderUnknown";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { machineConfigurationHandler } from "../../../provider/resources/machineConfigurationHandler";

/**
 * What releases of this package have recorded in stacks. A difference here is a change that every
 * user sees in the first preview after an upgrade, on every machine: only where Talos itself would
 * refuse or misread what was recorded, or where it shows what may be a secret, may a recording change.
 */
describe("the first preview after an upgrade of this package", () => {
  const secretsBundle = placeholderBundle(Buffer.alloc(32, 7).toString("base64"));
  const releases = [
    ["v1.10", "v1.10.6", "v1.33.0"],
    ["v1.11", "v1.11.6", "v1.34.0"],
    ["v1.12", "v1.12.1", "v1.35.0"],
    ["v1.13", "v1.13.9", "v1.35.0"],
  ] as const;
  const cases = releases.flatMap((release) =>
    (["controlplane", "worker"] as const).map((machineType) => [...release, machineType] as const),
  );

  it.each(cases)(
    "shows no change with contract %s, Talos %s, Kubernetes %s, for a %s",
    async (versionContract, talosVersion, kubernetesVersion, machineType) => {
      const given = {
        clusterName: "demo",
        endpoint: "https://k8s.demo.example.com:6443",
        machineType,
        secretsBundle,
        platform: "aws" as const,
        talosVersion,
        versionContract,
        kubernetesVersion,
        installDisk: "/dev/nvme0n1",
        nodeLabels: { team: "platform" },
        nodeTaints: machineType === "worker" ? { dedicated: "gpu:NoSchedule" } : {},
        sysctls: { "net.core.somaxconn": "65535" },
        certSans: ["talos.example.com"],
        patches: [{ machine: { kubelet: { extraArgs: { v: "2" } } } }],
        machineConfiguration: "",
        machineConfigurationHash: "",
        redactedConfiguration: "",
        installerImage: "",
      };
      const role = await machineConfigurationHandler.check(undefined, given);
      expect(role.failures).toEqual([]);
      const { machineConfiguration, machineConfigurationHash, installerImage } = role.inputs;
      const machine = await configurationApplyHandler.check(undefined, {
        machineId: "i-0123456789abcdef0",
        node: "192.0.2.1",
        endpoint: "192.0.2.1",
        credentials: { ca: "", crt: "", key: "" },
        machineConfiguration,
        redactedConfiguration: "",
        patches: ["machine: {env: {GREETING: hello}}"],
        mode: "auto",
        timeoutSeconds: 600,
      });
      expect(machine.failures).toEqual([]);
      const { configurationHash, redactedConfiguration } = machine.inputs;
      expect(JSON.stringify(redactedConfiguration)).not.toContain(NOT_MADE_YET);
      expect({
        machineConfigurationHash,
        installerImage,
        configurationHash,
        redactedConfiguration,
      }).toMatchSnapshot();
    },
  );
});
