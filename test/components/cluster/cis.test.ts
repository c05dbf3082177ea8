import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { planOwnManifests } from "../../../components/addOns/planOwnManifests";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import { clusterFirewall } from "../../../components/cluster/plan/clusterFirewall";
import {
  type FirewallRule,
  planFirewallRules,
} from "../../../components/firewall/planFirewallRules";
import type { Patch } from "../../../provider";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { NEWEST_RELEASES } from "../../../provider/config/releases/newestReleases";
import { serve } from "../../../provider/serve";
import { machineConfigurationInputs } from "../../provider/resources/samples";
import { make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const scope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.example.com",
};
const manifests = planOwnManifests(scope, {
  cloudController: {},
  ebsCsi: {},
  clusterAutoscaler: {},
  loadBalancerController: {},
  externalDns: { zoneIds: ["Z1"] },
  nodeTerminationHandler: {},
  auditLog: {},
  servingCertificateApprover: { replicas: 1 },
  metricsServer: { replicas: 1 },
});
const roles = manifests
  .flatMap(({ name, contents }) => contents.split("---\n").map((text) => ({ name, text })))
  .map(({ name, text }) => ({ name, ...(parse(text) as { readonly rules?: readonly Rule[] }) }))
  .flatMap(({ name, rules = [] }) => rules.map((rule) => ({ name, ...rule })));

/** The configuration of a control plane by all defaults, and the secrets in it. */
async function configuration() {
  const inputs = await machineConfigurationInputs();
  const image = "factory.talos.dev/aws-installer/a:v1.12.1";
  const [config] = generateMachineConfig({ ...inputs, installerImage: image });
  return { config, secrets: inputs.secretsBundle };
}

/** Who reaches a port, as `group` and `peer`. */
function whoReaches(port: number, args: Partial<TalosClusterArgs> = {}): string[] {
  const opens = ({ direction, port: opened }: FirewallRule) =>
    direction === "ingress" &&
    opened?.protocol === "tcp" &&
    opened.ports !== undefined &&
    opened.ports.from <= port &&
    port <= opened.ports.to;
  return planFirewallRules(clusterFirewall({ ...standardCluster, ...args }))
    .filter(opens)
    .map(
      ({ group, peer }) => `${group} from ${"group" in peer ? peer.group : JSON.stringify(peer)}`,
    );
}

/** What a patch of control planes is refused for. */
async function refusals(patch: Patch, releases = {}) {
  const inputs = { ...(await machineConfigurationInputs()), ...releases, patches: [patch] };
  return (await serve("MachineConfiguration").check({}, inputs)).failures;
}

const monitored = { firewall: { monitoring: ["controlPlane"] } } as const;
const machines = ["controlPlane", "worker"].map((peer) => `controlPlane from ${peer}`);

/** A test for each row of the table in docs/cis.md. */
const ROWS: Readonly<Record<string, () => Promise<void> | void>> = {
  "1.2.5": async () => {
    const flag = "kubelet-certificate-authority";
    const { config } = await configuration();
    expect(JSON.stringify(config)).not.toContain(flag);
    const page = readFileSync(join(__dirname, "../../../docs/cis.md"), "utf8");
    const [, patch = ""] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    expect(patch).toContain(flag);
    expect(await refusals(parse(patch) as Patch, NEWEST_RELEASES)).toEqual([]);
  },
  "1.2.16 – 1.2.19": async () => {
    const { graph } = await make({ addOns: { auditLog: true } });
    expect(graph.named("aws:cloudwatch/logGroup:LogGroup", "c-audit-log").inputs).toMatchObject({
      retentionInDays: 365,
    });
  },
  "1.2.27, 1.2.28": async () => {
    const { config, secrets } = await configuration();
    expect(config).toHaveProperty(
      "cluster.secretboxEncryptionSecret",
      secrets.secrets.secretboxencryptionsecret,
    );
    expect(config).not.toHaveProperty("cluster.aescbcEncryptionSecret");
  },
  "1.3.7, 1.4.2": async () => {
    const { config } = await configuration();
    const image = expect.any(String) as string;
    expect(config).toHaveProperty("cluster.controllerManager", { image });
    expect(config).toHaveProperty("cluster.scheduler", { image });
    for (const port of [10_257, 10_259]) {
      expect(whoReaches(port)).toEqual([]);
      expect(whoReaches(port, monitored).sort()).toEqual(machines);
    }
  },
  "2.1 – 2.6": () => {
    expect(whoReaches(2_379)).toEqual(["controlPlane from controlPlane"]);
    expect(whoReaches(2_380)).toEqual(["controlPlane from controlPlane"]);
    for (const port of [2_381, 2_383]) {
      expect(whoReaches(port)).toEqual([]);
      expect(whoReaches(port, monitored).sort()).toEqual(machines);
    }
  },
  "2.7": async () => {
    const { certs } = (await configuration()).secrets;
    expect(certs.etcd.crt).not.toBe(certs.k8s.crt);
    expect(certs.etcd.key).not.toBe(certs.k8s.key);
  },
  "3.2.1, 3.2.2": async () => {
    const { config } = await configuration();
    expect(config).toHaveProperty("cluster.apiServer.auditPolicy.rules", [{ level: "Metadata" }]);
    const rules = [{ level: "None", users: ["system:kube-proxy"] }, { level: "Metadata" }];
    const auditPolicy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules };
    expect(await refusals({ cluster: { apiServer: { auditPolicy } } })).toEqual([]);
  },
  "4.2.4": () => {
    expect(whoReaches(10_255)).toEqual([]);
    const byControlPlanes = ["controlPlane from controlPlane", "worker from controlPlane"];
    expect(whoReaches(10_250).sort()).toEqual(byControlPlanes);
    const measured = { firewall: { monitoring: ["kubelet"] } } as const;
    expect(whoReaches(10_250, measured)).toHaveLength(4);
  },
  "4.2.9, 4.2.11": async () => {
    for (const addOns of [{ servingCertificateApprover: true }, { metricsServer: true }]) {
      const { graph } = await make({ addOns });
      const { inputs } = graph.named(talos("MachineConfiguration"), "c-control-plane");
      expect(inputs.kubeletExtraArgs).toEqual({ "rotate-server-certificates": "true" });
    }
  },
  "4.2.14": async () => {
    const { config } = await configuration();
    expect(config).toHaveProperty("machine.kubelet.defaultRuntimeSeccompProfileEnabled", true);
  },
  "5.1.2, 5.1.13": () => {
    const touched = roles.flatMap(({ resources }) => resources);
    expect(touched.length).toBeGreaterThan(20);
    expect(touched.filter((each) => /^(\*|secrets|serviceaccounts\/token)/.test(each))).toEqual([]);
  },
  "5.1.3": () => {
    const wild = roles.filter(({ resources, verbs }) => [...resources, ...verbs].includes("*"));
    expect(wild).toMatchObject([
      { name: "aws-cloud-controller", verbs: ["*"], resources: ["nodes"] },
    ]);
  },
  "5.1.7": async () => {
    const inputs = {
      clusterName: "c",
      serverUrl: "https://example.com:6443",
      user: "anna",
      certificateAuthority: { crt: "", key: "" },
      groups: ["system:masters"],
      allowAdministrators: false,
      lifetimeHours: 1,
    };
    const { failures } = await serve("UserKubeconfig").check({}, inputs);
    expect(failures.map(({ reason }) => reason).join()).toContain("system:masters");
    const short = { ...standardCluster, kubeconfigLifetimeHours: 24 };
    expect(checkTalosCluster("c", chooseAddOns(short))).toEqual([]);
    expect(
      checkTalosCluster("c", chooseAddOns({ ...short, kubeconfigLifetimeHours: 0 })),
    ).toHaveLength(1);
  },
  "5.2.1 – 5.2.6, 5.2.11": async () => {
    const { config } = await configuration();
    expect(config).toHaveProperty("cluster.apiServer.admissionControl", [
      expect.objectContaining({
        configuration: expect.objectContaining({
          defaults: expect.objectContaining({ enforce: "baseline", warn: "restricted" }) as unknown,
          exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
        }) as unknown,
      }),
    ]);
  },
  "5.3.1": async () => {
    const cniOf = async (args: Partial<TalosClusterArgs>) =>
      (await make(args)).graph.named(talos("MachineConfiguration"), "c-control-plane").inputs.cni;
    const cniManifests = ["https://example.com/v1.0.0/calico.yaml"];
    const own = await cniOf({});
    for (const cni of ["cilium", "calico"] as const) {
      expect(await cniOf({ cni, cniManifests })).not.toEqual(own);
    }
  },
};

describe("the CIS benchmark, as docs/cis.md answers it", () => {
  it("has a test for each row, and a row for each test", () => {
    const page = readFileSync(join(__dirname, "../../../docs/cis.md"), "utf8");
    const numbers = [...page.matchAll(/^\| (\d[^|]*?) *\|/gm)].map(([, number = ""]) => number);
    expect(numbers).toEqual(Object.keys(ROWS));
  });

  it.each(Object.entries(ROWS))("%s", async (_number, holds) => {
    await holds();
  });
});
