import * as pulumi from "@pulumi/pulumi";
import { MachineConfiguration } from "../../../provider";
import type { ConfigurationOutline } from "../../../provider/render/renderConfiguration";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { serve } from "../../../provider/serve";
import { valueOf } from "../../components/mockedGraph";
import { sharedSecrets } from "../pki/sharedSecrets";
import { machineConfigurationInputs } from "./samples";

const options = {
  hostname: "node-1",
  sysctls: { "vm.max_map_count": "262144" },
  registryMirrors: { "docker.io": ["https://mirror.example.com"] },
  userVolumes: [{ name: "data", minSize: "10GiB", encryption: [{ static: { passphrase: "p" } }] }],
  patches: [
    { machine: { files: [{ path: "/var/a", content: "x".repeat(500), op: "create" as const }] } },
    { cluster: { inlineManifests: [{ name: "a", contents: "kind: Secret" }] } },
  ],
};

const older = { talosVersion: "v1.10.6", versionContract: "v1.10", kubernetesVersion: "1.33.0" };

/** A resource whose state is this one. */
async function recordedAs(
  state: Record<string, unknown>,
  preview: boolean,
): Promise<MachineConfiguration> {
  await pulumi.runtime.setMocks(
    { newResource: () => ({ id: "it", state }), call: () => ({}) },
    "talos-aws",
    "test",
    preview,
  );
  const { machineConfiguration, redactedConfiguration, ...inputs } =
    await machineConfigurationInputs();
  return new MachineConfiguration("it", { ...inputs, secretsBundle: await sharedSecrets() });
}

const rendered = async (more: object) => {
  const given = { ...(await machineConfigurationInputs()), ...more };
  const { inputs, failures } = await handler.check(undefined, given);
  expect(failures).toEqual([]);
  return inputs;
};

it("is not in the state of a dynamic resource", async () => {
  const served = serve("MachineConfiguration");
  const { inputs } = await served.check({}, { ...(await machineConfigurationInputs()) });
  expect(inputs).toHaveProperty("redactedConfiguration.machine");
  const { id, outs } = await served.create(inputs);
  expect(Object.keys(outs).sort()).toEqual([
    "installerImage",
    "machineConfiguration",
    "machineConfigurationHash",
  ]);
  expect(outs).toEqual((await served.update(id, outs, inputs)).outs);
});

it.each([
  ["a control plane machine", { ...options }, false],
  ["a worker", { ...options, machineType: "worker" }, false],
  ["an older Talos", older, false],
  ["a preview without changes", { ...options }, true],
])("is that of the text: %s", async (_, more, preview) => {
  const { machineConfiguration, redactedConfiguration } = await rendered(more);
  const text = pulumi.secret(machineConfiguration);
  const resource = await recordedAs({ machineConfiguration: text }, preview);
  const outline = resource.redactedConfiguration;
  expect(await valueOf(outline)).toEqual(redactedConfiguration);
  expect(await pulumi.isSecret(outline)).toBe(false);
  expect(resource.redactedConfiguration).toBe(outline);
});

it.each([false, true])("is the recorded one of an older release, preview: %s", async (preview) => {
  const recorded: ConfigurationOutline = { machine: { type: "worker" } };
  const state = { machineConfiguration: "machine: {}", redactedConfiguration: recorded };
  const { redactedConfiguration } = await recordedAs(state, preview);
  expect(await valueOf(redactedConfiguration)).toEqual(recorded);
});
