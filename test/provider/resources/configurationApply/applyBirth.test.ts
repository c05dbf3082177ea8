import type { BirthValues } from "../../../../provider/config/birth/birthSettings";
import type { Patch } from "../../../../provider/config/patches/patch";
import { configurationApplyHandler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { machineConfigurationHandler } from "../../../../provider/resources/machineConfigurationHandler";
import { unknownValue } from "../samples";
import { machineConfigurationInputs } from "../samples";

type Options = Partial<Parameters<typeof machineConfigurationHandler.check>[1]>;
type Recorded = Parameters<typeof configurationApplyHandler.check>[0];

/** How a machine's configuration is judged after that of `olds`. */
async function judge(
  olds: Recorded,
  options: Options,
  more: {
    readonly patches?: Patch[];
    readonly acceptedChanges?: Record<string, string>;
    readonly machineId?: string;
  } = {},
) {
  const role = { ...(await machineConfigurationInputs()), ...options };
  const { inputs: rendered, failures: problems } = await machineConfigurationHandler.check(
    undefined,
    role,
  );
  expect(problems).toEqual([]);
  const { inputs, failures, warnings } = await configurationApplyHandler.check(olds, {
    machineId: "i-1",
    node: "127.0.0.1",
    endpoint: "127.0.0.1",
    credentials: { caCertificate: "", certificate: "", key: "" } as never,
    machineConfiguration: rendered.machineConfiguration,
    patches: [],
    mode: "auto",
    timeoutSeconds: 20,
    redactedConfiguration: "",
    maintenanceFingerprints: [],
    ...more,
  });
  return { inputs, failures, warnings };
}

async function machine(options: Options = {}, patches: Patch[] = []) {
  const { inputs, failures } = await judge(undefined, options, { patches });
  expect(failures).toEqual([]);
  return inputs;
}

const range = ["10.200.0.0/16"];
const encryption = {
  apiVersion: "v1alpha1",
  kind: "VolumeConfig",
  name: "EPHEMERAL",
  encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
};

describe("a running machine refuses another value of what it has from its birth", () => {
  it.each<[string, Options, Patch[], string]>([
    ["the range of pods, by an option", { podCidrs: range }, [], "cluster.network.podSubnets"],
    [
      "the range of pods, by a patch of the role",
      { patches: [{ cluster: { network: { podSubnets: range } } }] },
      [],
      "cluster.network.podSubnets",
    ],
    [
      "the range of services, by a patch of the machine",
      {},
      [{ cluster: { network: { serviceSubnets: range } } }],
      "cluster.network.serviceSubnets",
    ],
    ["the domain", { dnsDomain: "k8s.example" }, [], "cluster.network.dnsDomain"],
    ["the pod network, by an option", { cni: { name: "none" } }, [], "cluster.network.cni"],
    [
      "the pod network, by a patch",
      {},
      ["cluster: {network: {cni: {name: none}}}"],
      "cluster.network.cni",
    ],
    ["the cluster's name", { clusterName: "other" }, [], "cluster.clusterName"],
    ["the endpoint", { endpoint: "https://o:6443" }, [], "cluster.controlPlane.endpoint"],
    [
      "encryption, by an option",
      { diskEncryption: { ephemeral: [{ nodeId: {} }] } },
      [],
      "VolumeConfig/EPHEMERAL.encryption.provider",
    ],
    [
      "encryption, by a patch",
      { patches: [encryption] },
      [],
      "VolumeConfig/EPHEMERAL.encryption.provider",
    ],
    [
      "encryption, in the machine's section",
      {},
      [
        "machine: {systemDiskEncryption: {state: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}}}",
      ],
      "machine.systemDiskEncryption.state.provider",
    ],
  ])("%s", async (_, options, patches, path) => {
    const { failures } = await judge(await machine(), options, { patches });
    expect(failures.map(({ property }) => property)).toEqual([path]);
    expect(failures[0]?.reason).toContain("on a machine that runs");
    const entry = /set acceptedChanges to (\{.*\})$/.exec(failures[0]?.reason ?? "")?.[1] ?? "";
    const acceptedChanges = JSON.parse(entry) as Record<string, string>;
    const accepted = await judge(await machine(), options, { patches, acceptedChanges });
    expect(accepted.failures).toEqual([]);
    expect(accepted.warnings?.[0]).toContain(`${path} changes from`);
  });

  it("also where it stands in a document, and accepts it by the name of the setting", async () => {
    const documents = { versionContract: "v1.14", talosVersion: "v1.14.1" };
    const former = await machine(documents);
    const next = { ...documents, podCidrs: range };
    const { failures } = await judge(former, next);
    expect(failures.map(({ property }) => property)).toEqual(["KubeNetworkConfig.podSubnets"]);
    const acceptedChanges = { "cluster.network.podSubnets": "10.200.0.0/16" };
    expect((await judge(former, next, { acceptedChanges })).failures).toEqual([]);
    const without = await judge(former, { ...documents, cni: { name: "none" } });
    expect(without.failures.map(({ property }) => property)).toEqual(["KubeFlannelCNIConfig"]);
  });

  it("but not of another machine, and not for an acceptance of another value", async () => {
    const former = await machine();
    const next = { podCidrs: range };
    expect((await judge(former, next, { machineId: "i-2" })).failures).toEqual([]);
    const acceptedChanges = { "cluster.network.podSubnets": "10.201.0.0/16" };
    expect((await judge(former, next, { acceptedChanges })).failures).toHaveLength(1);
  });

  it("and may always go back to what it was born with", async () => {
    const first = await machine();
    const acceptedChanges = { "cluster.network.podSubnets": "10.200.0.0/16" };
    const changed = await judge(first, { podCidrs: range }, { acceptedChanges });
    const born: BirthValues = { "cluster.network.podSubnets": "10.244.0.0/16" };
    expect(changed.inputs.bornOtherwise).toEqual(born);

    const kept = await judge(changed.inputs, { podCidrs: range });
    expect(kept.failures).toEqual([]);
    expect(kept.inputs.bornOtherwise).toEqual(born);
    const unknown = await configurationApplyHandler.check(kept.inputs, {
      ...kept.inputs,
      machineConfiguration: unknownValue,
    });
    expect(unknown.inputs.bornOtherwise).toEqual(born);

    const back = await judge(kept.inputs, {});
    expect(back.failures).toEqual([]);
    expect(back.warnings).toEqual([]);
    expect(back.inputs.bornOtherwise).toBeUndefined();
    const other = await judge(kept.inputs, { podCidrs: ["10.201.0.0/16"] });
    expect(other.failures).toHaveLength(1);
  });
});
