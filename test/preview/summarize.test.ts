import { renderMarkdown, renderText } from "../../preview";
import { describeMachines } from "../../preview/describeMachines";
import { NOT_MADE_YET } from "../../provider/config/effects/outline";
import { dynamicType, pluginType } from "../../provider/engine/talosTypes";
import { expectDocumented } from "../documented";
import { apply, configured, instance, staying, type Step, summaryOf } from "./steps";

describe("summarize", () => {
  it("says that nothing changes", () => {
    const summary = summaryOf(...staying("m-1"));
    expect(summary).toMatchObject({
      counts: { create: 0, update: 0, replace: 0, delete: 0, same: 2 },
      groups: [],
      machines: [],
      quorum: [],
      risks: [],
      warnings: [],
    });
    expect(renderText(summary)).toContain("staging: nothing changes, 2 stay\n");
  });

  it("distinguishes changes of a running machine from those that reboot it", () => {
    const update = (name: string, machine: Record<string, unknown>): Step => ({
      op: "update",
      type: apply,
      name,
      old: configured({}),
      new: configured(machine),
      diffs: ["redactedConfiguration"],
    });
    const { machines, quorum } = summaryOf(
      update("m-1", { sysctls: { "net.core.somaxconn": "65535" } }),
      update("m-2", { env: { A: "b" } }),
      update("m-3", {}),
    );
    expect(machines).toEqual([
      {
        name: "m-1",
        role: "controlplane",
        effect: "live",
        because: [],
        notes: [],
        lines: [
          { path: ["machine", "sysctls", "net.core.somaxconn"], before: undefined, after: "65535" },
        ],
      },
      {
        name: "m-2",
        role: "controlplane",
        effect: "reboot",
        because: ["machine.env.A"],
        notes: [],
        lines: [{ path: ["machine", "env", "A"], before: undefined, after: "b" }],
      },
    ]);
    expect(quorum).toEqual([
      { machine: "m-2", what: "away", members: 3, healthy: 2, needed: 2, holds: true },
    ]);
  });

  it("describes the effect of a rotation's stage on a machine", () => {
    const ca = { crt: "old" };
    const { machines } = summaryOf({
      op: "update",
      type: apply,
      name: "m-1",
      old: configured({ ca }),
      new: configured({ ca, acceptedCAs: [{ crt: "new" }] }),
    });
    expect(describeMachines(machines)).toMatchObject([
      {
        what: "applies the change without a reboot; another Talos CA is accepted besides the one that issues",
      },
    ]);
    expectDocumented("rotation.md", describeMachines(machines)[0]?.what ?? "");
  });

  it.each([
    [
      "a",
      "a, b",
      "reboots, for cluster.etcd.ca; another etcd CA is accepted besides the one that issues",
    ],
    [
      "a",
      NOT_MADE_YET,
      "reboots, for cluster.etcd.ca; another etcd CA is accepted besides the one",
    ],
    ["a, b", "b, a", "applies the change without a reboot; another etcd CA issues, and the former"],
    ["b, a", "b", "reboots, for cluster.etcd.ca; the etcd CA that was accepted besides is dropped"],
  ])("reports a reboot if etcd trusts other CAs: from %j to %j", (old, now, words) => {
    const etcd = (crt: string) => ({
      redactedConfiguration: {
        machine: { type: "controlplane" },
        cluster: { etcd: { ca: { crt } } },
      },
    });
    const { machines } = summaryOf({
      op: "update",
      type: apply,
      name: "m-1",
      old: etcd(old),
      new: etcd(now),
    });
    const { what = "" } = describeMachines(machines)[0] ?? {};
    expect(what).toContain(words);
    if (now === NOT_MADE_YET) {
      const [machine] = describeMachines(machines.map((each) => ({ ...each, isDrained: true })));
      expectDocumented("rotation.md", machine?.what ?? "");
    }
  });

  it("warns about the stop of the only control plane machine", () => {
    const [, machine] = staying("m-1");
    const summary = summaryOf(
      {
        op: "update",
        type: instance,
        name: "m-1",
        diffs: ["instanceType"],
        old: { instanceType: "t3.large" },
        new: { instanceType: "m6i.large" },
      },
      ...(machine ? [machine] : []),
    );
    expect(summary.machines).toMatchObject([
      { effect: "restart", because: ["instanceType t3.large → m6i.large"] },
    ]);
    expect(summary.risks).toEqual([
      {
        code: "quorumLost",
        subject: "m-1",
        reason:
          "etcd has 0 of 1 members during the change and needs 1: the Kubernetes API is down until they return",
      },
    ]);
  });

  it("joins the parts of a replacement, and warns about that of a control plane machine", () => {
    const inputs = { instanceType: "t3.large", subnetId: "subnet-1" };
    const replaced = { ...inputs, subnetId: "subnet-2" };
    const step = { type: instance, name: "m-1", keys: ["subnetId"] };
    const summary = summaryOf(
      { ...step, op: "create-replacement", old: inputs, new: replaced },
      { ...step, op: "replace", old: inputs, new: replaced },
      {
        op: "replace",
        type: apply,
        name: "m-1",
        old: configured({}),
        new: configured({}),
        keys: ["machineId"],
      },
      ...staying("m-2"),
      ...staying("m-3"),
      { ...step, op: "delete-replaced", old: inputs },
    );
    expect(summary.counts).toEqual({ create: 0, update: 0, replace: 2, delete: 0, same: 4 });
    expect(summary.machines).toMatchObject([{ effect: "replaced", because: ["subnetId"] }]);
    expect(summary.quorum).toMatchObject([
      { what: "joins", healthy: 4, members: 4, needed: 3, holds: true },
      { what: "leaves", healthy: 3, members: 3, needed: 2, holds: true },
    ]);
    expect(summary.risks.map(({ code, subject }) => [code, subject])).toEqual([
      ["controlPlaneReplaced", "m-1"],
    ]);
    expect(summary.cost.before).toEqual(summary.cost.after);
  });

  it("reads the plugin's resources like dynamic ones", () => {
    const planOf = (typeOf: typeof dynamicType | typeof pluginType) =>
      summaryOf(
        {
          op: "update",
          type: typeOf("ConfigurationApply"),
          name: "m-1",
          old: configured({}),
          new: configured({ env: { A: "b" } }),
        },
        { op: "delete", type: instance, name: "m-2", old: { instanceType: "t3.large" } },
        { op: "delete", type: typeOf("ConfigurationApply"), name: "m-2", old: configured({}) },
        { op: "create", type: typeOf("ConfigurationApply"), name: "w-1", new: { machineId: "i" } },
        {
          op: "update",
          type: typeOf("KubernetesManifests"),
          name: "manifests",
          old: { manifests: { addOns: { a: "1" } } },
          new: { manifests: { addOns: {} } },
        },
        { op: "delete", type: typeOf("MachineSecrets"), name: "secrets", old: {} },
      );
    const ofPlugin = planOf(pluginType);
    expect(ofPlugin.machines.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
      "m-1 reboot",
      "m-2 removed",
      "w-1 configured",
    ]);
    expect(ofPlugin).toEqual(planOf(dynamicType));
  });

  it("warns about other important changes", () => {
    const talos = dynamicType;
    const { risks } = summaryOf(
      { op: "delete", type: talos("MachineSecrets"), name: "secrets", old: {}, protect: true },
      {
        op: "update",
        type: talos("MachineSecrets"),
        name: "other",
        diffs: ["versionContract"],
        old: { versionContract: "v1.11" },
        new: { versionContract: "v1.12" },
      },
      {
        op: "create",
        type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
        name: "rule",
        new: { cidrIpv4: "0.0.0.0/0", fromPort: 50000, toPort: 50000 },
      },
      {
        op: "same",
        type: talos("ClientConfiguration"),
        name: "client",
        old: {},
        new: {},
        outputs: { notAfter: "2026-11-25T00:00:00Z" },
      },
      {
        op: "replace",
        type: "aws:ec2/vpc:Vpc",
        name: "vpc",
        old: { a: 1 },
        new: { a: 2 },
        keys: ["cidrBlock"],
      },
    );
    expect(risks.map(({ code, subject }) => [code, subject])).toEqual([
      ["secretsLost", "secrets"],
      ["contractChanged", "other"],
      ["openToTheWorld", "rule"],
      ["protectedDeleted", "secrets"],
      ["networkReplaced", "vpc"],
      ["certificateExpires", "client"],
    ]);
    expect(risks[2]?.reason).toBe("port 50000 can be reached from every address");
    expect(risks[5]?.reason).toBe(
      "its certificate expires in 4 days, and this change doesn't renew it",
    );
  });

  it("says how a machine may end that EC2 protects, also one that Pulumi doesn't", () => {
    const machine = { type: instance, name: "m-1", old: { disableApiTermination: true } };
    const { risks } = summaryOf({ ...machine, op: "delete" });
    expect(risks.filter(({ code }) => code === "protectedDeleted")).toEqual([
      {
        code: "protectedDeleted",
        subject: "m-1",
        reason:
          "EC2 refuses to end it, because its termination protection is on: first set `terminationProtection`, and `protect` if it is on too, to false and run up; then make this change",
      },
    ]);
    const kept = summaryOf({ ...machine, op: "update", new: { disableApiTermination: false } });
    expect(kept.risks.map(({ code }) => code)).not.toContain("protectedDeleted");
  });

  it("names the broken policies, once for all resources that break them in the same way", () => {
    const open = (name: string): Step => ({
      op: "create",
      type: instance,
      name,
      new: { metadataOptions: { httpTokens: "optional" }, rootBlockDevice: { encrypted: true } },
    });
    const summary = summaryOf(open("m-1"), open("m-2"));
    expect(summary.violations).toMatchObject([{ subject: "m-1" }, { subject: "m-2" }]);
    expect(renderText(summary)).toMatch(/Violated policies\n {2}! m-1, m-2: /);
    expect(renderMarkdown(summary)).toMatch(/> \*\*m-1, m-2\*\*: .* \(policy `/);
  });

  it("shows the cost, and names resources without a price", () => {
    const { cost } = summaryOf(
      {
        op: "create",
        type: instance,
        name: "m-1",
        new: {
          instanceType: "t3.large",
          associatePublicIpAddress: true,
          monitoring: true,
          rootBlockDevice: { volumeSize: 50 },
        },
      },
      { op: "create", type: instance, name: "m-2", new: { instanceType: "x99.224xlarge" } },
    );
    expect(cost.before).toEqual({ usd: 0, usdAtMost: 0, unpriced: [], estimated: [] });
    // 0.0832 and 0.005 an hour of 730.5, 50 GiB at 0.08, 2.10 for monitoring
    expect(cost.after.usd).toBeCloseTo(70.53, 2);
    expect(cost.after.unpriced).toEqual(["x99.224xlarge in us-east-1"]);
  });

  it("counts an interface endpoint by its subnets, and a gateway endpoint not at all", () => {
    const endpoint = (name: string, news: Record<string, unknown>): Step => ({
      op: "create",
      type: "aws:ec2/vpcEndpoint:VpcEndpoint",
      name,
      new: news,
    });
    const { cost } = summaryOf(
      endpoint("ec2", { vpcEndpointType: "Interface", subnetIds: ["a", "b", "c"] }),
      endpoint("s3", { vpcEndpointType: "Gateway", routeTableIds: ["a"] }),
    );
    expect(cost.after.usd).toBeCloseTo(3 * 0.01 * 730.5, 2);
  });
});

describe("the cost of volumes", () => {
  it("counts every volume of a machine and a group, and has prices only for gp3", () => {
    const data = { volumeType: "gp3", volumeSize: 100, iops: 4_000 };
    const { cost } = summaryOf(
      {
        op: "create",
        type: instance,
        name: "m-1",
        new: {
          instanceType: "t3.large",
          rootBlockDevice: { volumeType: "gp3", volumeSize: 50 },
          ebsBlockDevices: [data, { volumeType: "io2", volumeSize: 8 }],
        },
      },
      {
        op: "create",
        type: "aws:ec2/launchTemplate:LaunchTemplate",
        name: "pool",
        new: {
          instanceType: "t3.large",
          blockDeviceMappings: [{ ebs: { volumeType: "gp3", volumeSize: 50 } }, { ebs: data }],
        },
      },
      {
        op: "create",
        type: "aws:autoscaling/group:Group",
        name: "pool",
        new: { minSize: 1, maxSize: 1 },
      },
    );
    // For each: 0.0832 an hour of 730.5, 150 GiB at 0.08, 1000 more operations at 0.005
    expect(cost.after.usd).toBeCloseTo(2 * (60.78 + 12 + 5), 1);
    expect(cost.after.unpriced).toEqual(["io2 volumes"]);
  });
});

describe("the cost of an auto scaling group", () => {
  it("is the range from its minimum to its maximum of machines", () => {
    const summary = summaryOf(
      {
        op: "create",
        type: "aws:ec2/launchTemplate:LaunchTemplate",
        name: "pool",
        new: {
          instanceType: "t3.large",
          blockDeviceMappings: [{ ebs: { volumeSize: 50 } }],
          networkInterfaces: [{ associatePublicIpAddress: "true" }],
          monitoring: { enabled: true },
        },
      },
      {
        op: "create",
        type: "aws:autoscaling/group:Group",
        name: "pool",
        new: { minSize: 1, maxSize: 4 },
      },
    );
    expect(summary.cost.after.usd).toBeCloseTo(70.53, 2);
    expect(summary.cost.after.usdAtMost).toBeCloseTo(4 * 70.53, 1);
    expect(renderText(summary)).toContain(
      "$0 → $71 (+$71) a month, $282 with groups at their largest",
    );
  });
});

describe("renderMarkdown", () => {
  const summary = summaryOf({
    op: "update",
    type: apply,
    name: "m-1",
    diffs: ["redactedConfiguration"],
    old: configured({ nodeLabels: { a: "```" } }),
    new: configured({ nodeLabels: { a: "@team <b>" } }),
  });

  it("escapes the configuration's text", () => {
    const text = renderMarkdown(summary);
    expect(text).toContain(
      '  ````diff\n  - machine.nodeLabels.a: "```"\n  + machine.nodeLabels.a: "@team <b>"\n  ````',
    );
    expect(text.startsWith("<!-- talos-aws preview of staging -->\n")).toBe(true);
  });
});
