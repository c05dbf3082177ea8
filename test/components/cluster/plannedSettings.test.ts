import { plannedSettingsOf } from "../../../components/cluster/plannedSettings";
import type { MachineType } from "../../../provider";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfiguration";
import { UNKNOWN } from "../../../provider/unknown";
import { machineConfigurationInputs } from "../../provider/resources/samples";

/** What a role's configuration is refused for with a patch, as a cluster makes it. */
async function refusals(machineType: MachineType, patch: string, more: object = {}) {
  const inputs = await machineConfigurationInputs();
  const plannedSettings = plannedSettingsOf(machineType);
  const given = { ...inputs, machineType, plannedSettings, patches: [patch], ...more };
  return (await handler.check(undefined, given)).failures;
}

const refused = (path: string, now: string, planned: string, wayOut: string) => [
  {
    property: "patches",
    reason: `${path}: a patch sets ${now}, but everything around the machines is planned for ${planned}: leave it out of the patches, and ${wayOut}`,
  },
];

const kubeSpan = ["true", "false", "set the argument kubeSpan"] as const;
const ranges = (argument: string) => `set the argument ${argument}`;

test.each<readonly [string, readonly [string, string, string, string]]>([
  [
    "cluster: {network: {cni: {name: none}}, proxy: {disabled: true}}",
    ["cluster.network.cni.name", '"none"', '"flannel"', "set the argument cni"],
  ],
  [
    "cluster: {controlPlane: {localAPIServerPort: 443}}",
    [
      "cluster.controlPlane.localAPIServerPort",
      "443",
      "6443",
      "keep the port, because the load balancer, the firewall and the health checks use it",
    ],
  ],
  [
    "cluster: {network: {podSubnets: [10.200.0.0/16]}}",
    ["cluster.network.podSubnets", '["10.200.0.0/16"]', '["10.244.0.0/16"]', ranges("podCidrs")],
  ],
  [
    "cluster: {network: {serviceSubnets: [10.100.0.0/16]}}",
    [
      "cluster.network.serviceSubnets",
      '["10.100.0.0/16"]',
      '["10.96.0.0/12"]',
      ranges("serviceCidrs"),
    ],
  ],
])("a control plane's patch %s", async (patch, found) => {
  expect(await refusals("controlplane", patch)).toEqual(refused(...found));
  // Before there are secrets, too.
  expect(await refusals("controlplane", patch, { secretsBundle: UNKNOWN })).toEqual(
    refused(...found),
  );
});

test.each<MachineType>(["controlplane", "worker"])("KubeSpan by a patch of a %s", async (type) => {
  expect(await refusals(type, "machine: {network: {kubespan: {enabled: true}}}")).toEqual(
    refused("machine.network.kubespan.enabled", ...kubeSpan),
  );
  const document = "apiVersion: v1alpha1\nkind: KubeSpanConfig\nenabled: true\n";
  expect(await refusals(type, document, { talosVersion: "v1.13.0" })).toEqual(
    refused("KubeSpanConfig.enabled", ...kubeSpan),
  );
});

test.each([
  ["the same again", "cluster: {network: {cni: {name: flannel}, podSubnets: [10.244.0.0/16]}}"],
  ["kube-proxy, which nothing is planned by", "cluster: {proxy: {disabled: true}}"],
  ["another setting of the pod network", "cluster: {network: {dnsDomain: example.local}}"],
])("a patch may say %s", async (_, patch) => {
  expect(await refusals("controlplane", patch)).toEqual([]);
});
