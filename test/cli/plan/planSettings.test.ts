import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanDocument } from "../../../cli/plan/planDocument";
import { planSettings } from "../../../cli/plan/planSettings";
import { renderPlan } from "../../../cli/plan/renderPlan";
import { SettingsError } from "../../../environments/settings";
import { STACKS } from "../../environments/settingsFile";

/** The settings that this project ships, with more lines. */
function settingsOf(stack: string, more = ""): string {
  const file = join(__dirname, `../../../environments/Pulumi.${stack}.yaml`);
  return `${readFileSync(file, "utf8")}${more}`;
}

function planOf(stack: string, more = ""): PlanDocument {
  return planSettings(settingsOf(stack, more), stack, "talos-aws").document;
}

/** Settings that the production stack doesn't have yet, with what nobody may print. */
const MORE = `
  talos-aws:controlPlane: { etcdVolume: { sizeGib: 10 }, machines: { "1": { patches: [{ machine: { env: { token: hunter2 } } }] } } }
  talos-aws:patches: [{ machine: { env: { token: hunter2 } } }]
  talos-aws:machineConfiguration: { inlineManifests: [{ name: mine, contents: "token: hunter2" }] }
`;

describe("talos-aws plan", () => {
  it.each(STACKS)("plans the settings of %s without AWS", (stack) => {
    const plan = planOf(stack);
    expect(plan).toMatchObject({ format: 1, stack, region: "us-east-1" });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(renderPlan(plan, { color: false, width: undefined })).toContain(plan.api.endpoint);
  });

  it("has the places, machines and rules of production", () => {
    const { api, network, machines, firewallRules, addOns, issuerBucket } = planOf("production");
    expect(api).toEqual({
      endpoint: "https://k8s.prod.example.com:6443",
      zoneName: "prod.example.com",
      exposure: "public",
    });
    expect(network.subnets).toHaveLength(6);
    expect(network.subnets[3]).toEqual({
      tier: "private",
      zone: "us-east-1a",
      cidrBlock: "10.0.128.0/20",
    });
    expect(network.natGateways[1]).toEqual({ zone: "us-east-1b", serves: ["us-east-1b"] });
    expect(machines.most).toBe(15);
    expect(machines.controlPlane).toMatchObject({
      instanceType: "m6i.xlarge",
      machines: [
        { name: "prod-control-plane-1", zone: "us-east-1a" },
        { name: "prod-control-plane-2", zone: "us-east-1b" },
        { name: "prod-control-plane-3", zone: "us-east-1c" },
      ],
    });
    expect(machines.pools.apps?.groups[2]).toEqual({
      name: "prod-apps-us-east-1c",
      zones: ["us-east-1c"],
      minSize: 1,
      maxSize: 3,
    });
    expect(firewallRules).toContainEqual({
      group: "controlPlane",
      direction: "ingress",
      peer: "192.0.2.0/24",
      protocol: "tcp",
      ports: { from: 50_000, to: 50_000 },
      description: "Talos API: operators",
    });
    expect(addOns).toContain("clusterAutoscaler");
    expect(issuerBucket).toBe("prod-example-com-oidc");
  });

  it("has the policy of each role, by machines and by add-ons", () => {
    const { roles } = planOf("production");
    expect(roles.map(({ name, holder }) => `${name} ${holder}`)).toEqual([
      "prod-control-plane machines",
      "prod-workers machines",
      "prod-cloud-controller pods",
      "prod-cluster-autoscaler pods",
      "prod-audit-log pods",
    ]);
    const autoscaler = roles.find(({ name }) => name === "prod-cluster-autoscaler");
    expect(autoscaler?.policy?.Statement[1]).toMatchObject({
      Sid: "AutoscalerResize",
      Condition: { StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/prod": "owned" } },
    });
  });

  it("shows no secret: neither in patches and manifests, nor what Pulumi has encrypted", () => {
    const plan = planOf("production", MORE);
    expect(plan.machines.controlPlane.volumes[1]?.name).toBe("etcd");
    const shown = JSON.stringify(plan) + renderPlan(plan, { color: true, width: 80 });
    expect(shown).not.toContain("hunter2");
    const encrypted = `
  talos-aws:patches: [{ secure: AAABADQ }]
  talos-aws:workers: { secure: AAABADQ }
environment: [prod]
`;
    const { document, notes } = planSettings(
      settingsOf("production", encrypted),
      "production",
      "talos-aws",
    );
    expect(document).toEqual(planOf("production"));
    expect(notes).toEqual([
      "talos-aws:patches has a secret, which is left out",
      "talos-aws:workers has a secret, which is left out",
      "the stack imports environments of Pulumi ESC, whose settings aren't read",
    ]);
  });

  it("names all problems of the settings at once", () => {
    const bad = "  talos-aws:podCidrs: [10.0.0.0/33]\n  talos-aws:kubeconfigLifetimeHours: 0\n";
    const plan = () => planOf("production", bad);
    expect(plan).toThrow(SettingsError);
    expect(plan).toThrow(/- podCidrs/);
    expect(plan).toThrow(/- kubeconfigLifetimeHours/);
  });

  it("prints tables that fit a terminal", () => {
    const text = renderPlan(planOf("production"), { color: false, width: 100 });
    expect(text.split("\n").every((line) => line.length <= 100)).toBe(true);
    expect(text).toMatch(/^apps +1 to 3 +m6i\.xlarge +private +us-east-1a +root 50 GiB gp3$/m);
    expect(text).toMatch(/^private +us-east-1c +10\.0\.160\.0\/20 +NAT in us-east-1c$/m);
  });

  it("shows what Karpenter may launch, in place of machines", () => {
    const more = `
  talos-aws:irsa: true
  talos-aws:exposure: both
  talos-aws:addOns: { cloudController: true, karpenter: true }
  talos-aws:workerPools: { batch: { karpenter: { limits: { vcpus: 64, nodes: 20 } } } }
`;
    const plan = planOf("sandbox", more);
    expect(plan.machines.pools.batch).toMatchObject({
      machines: [],
      groups: [],
      karpenter: { limits: { vcpus: 64 } },
    });
    expect(plan.machines.most).toBe(plan.machines.controlPlane.machines.length + 20);
    expect(renderPlan(plan, { color: false, width: undefined })).toMatch(
      /^batch +64 processors at most +by Karpenter +public +root 50 GiB gp3$/m,
    );
    const bad = more.replace("limits: { vcpus: 64, nodes: 20 }", "limits: { nodes: 20 }");
    expect(() => planOf("sandbox", bad)).toThrow(/vcpus/);
  });
});
