import type { TalosClusterArgs } from "../../../../components";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import { METRICS_SOURCES } from "../../../../components/cluster/arguments/talosClusterArgs";
import { checkMetrics, planMetricsPatches } from "../../../../components/cluster/plan/planMetrics";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { settingIn } from "../../../../provider/config/settings/settingIn";
import { machineConfigurationHandler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../../provider/resources/samples";
import { make, talos } from "../clusters";
import { standardCluster } from "../standardCluster";

const EXPECTED = {
  "cluster.controllerManager.extraArgs.bind-address": "0.0.0.0",
  "cluster.scheduler.extraArgs.bind-address": "0.0.0.0",
  "cluster.etcd.extraArgs.listen-metrics-urls": "http://0.0.0.0:2381",
  "cluster.proxy.extraArgs.metrics-bind-address": "0.0.0.0:10249",
};

describe("metrics of a cluster's components", () => {
  it.each([
    ["v1.12", "v1.12.1"],
    ["v1.14", "v1.14.1"],
  ])(
    "are served by flags that a configuration of contract %s accepts",
    async (versionContract, talosVersion) => {
      const { inputs, failures } = await machineConfigurationHandler.check(undefined, {
        ...(await machineConfigurationInputs()),
        machineType: "controlplane",
        versionContract,
        talosVersion,
        patches: planMetricsPatches(METRICS_SOURCES, versionContract),
      });
      expect(failures).toEqual([]);
      const outline = inputs.redactedConfiguration as ConfigDocument;
      const found = Object.keys(EXPECTED).map((path) => [path, settingIn(outline, path).value]);
      expect(Object.fromEntries(found)).toEqual(EXPECTED);
    },
  );

  it("come with their ports, and go with them", async () => {
    const metrics = ["etcd", "kubeProxy"] as const;
    const firewall = { monitoringFrom: { vpn: { cidr: "10.9.0.0/16" } } };
    const { graph } = await make({ metrics, firewall });
    const { inputs } = graph.named(talos("MachineConfiguration"), "c-control-plane");
    expect(JSON.stringify(inputs.patches)).toContain("listen-metrics-urls");
    const rules = graph.identities().filter((each) => / c-firewall-.*-(2381|10249)-/.test(each));
    expect(rules).toHaveLength(3 + 2 * 3);
    const { graph: without } = await make({});
    const { patches } = without.named(talos("MachineConfiguration"), "c-control-plane").inputs;
    expect(patches).toBeUndefined();
  });

  it("are refused where nothing serves them, or a patch says something else", async () => {
    const problems = (change: Partial<TalosClusterArgs>) =>
      checkMetrics(chooseAddOns({ ...standardCluster, ...change }));
    expect(problems({ metrics: [...METRICS_SOURCES] })).toEqual([]);
    expect(problems({ metrics: ["etcd", "dns" as "etcd", "etcd"] })).toEqual([
      { property: "metrics[1]", reason: expect.stringMatching(/"dns"/) as string },
      { property: "metrics[2]", reason: '"etcd" is named twice' },
    ]);
    for (const change of [
      { addOns: { cilium: true } },
      { machineConfiguration: { kubeProxy: false } },
    ]) {
      expect(problems({ ...change, metrics: ["kubeProxy"] })).toMatchObject([
        { property: "metrics[0]", reason: expect.stringMatching(/no kube-proxy/) as string },
      ]);
    }
    const addOns = { cilium: { kubeProxyReplacement: false } };
    expect(problems({ addOns, metrics: ["kubeProxy"] })).toEqual([]);

    const { graph } = await make({ metrics: ["scheduler"] });
    const { plannedSettings } = graph.named(
      talos("MachineConfiguration"),
      "c-control-plane",
    ).inputs;
    expect(plannedSettings).toMatchObject({
      "cluster.scheduler.extraArgs.bind-address": { value: "0.0.0.0" },
    });
    expect(JSON.stringify(plannedSettings)).not.toContain("listen-metrics-urls");
  });
});
