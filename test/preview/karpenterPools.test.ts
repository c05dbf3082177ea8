import { describeKarpenterPools, karpenterPoolChanges } from "../../preview/karpenterPools";
import type { PreviewedResource } from "../../preview/previewedResource";
import { planCost } from "../../preview/resourceCost";

const CLUSTER = "urn:pulumi:s::p::talos-aws:index:TalosCluster::demo";

const resource = (change: Partial<PreviewedResource>): PreviewedResource => ({
  urn: "urn:pulumi:a::b::c::d",
  type: "talos-aws:index:KubernetesObjects",
  name: "demo-karpenter",
  parent: CLUSTER,
  operation: "update",
  isComponent: false,
  id: "objects",
  isProtected: false,
  isProtectedAfter: false,
  oldInputs: {},
  oldOutputs: {},
  newInputs: {},
  newOutputs: {},
  changes: ["objects"],
  replacedBy: [],
  ...change,
});
const listed = (name: string, nodeClass: string, nodePool: string) => ({
  [`karpenter-pool-${name}`]: {
    [`EC2NodeClass ${name}`]: nodeClass,
    [`NodePool ${name}`]: nodePool,
  },
});
const list = (before: object, after: object) =>
  resource({
    oldInputs: { inventory: "karpenter", objects: before },
    newInputs: { inventory: "karpenter", objects: after },
  });
const told = (resources: readonly PreviewedResource[]) =>
  describeKarpenterPools(karpenterPoolChanges(resources)).map(
    ({ names, what, lines }) => `${names.join()}: ${[what, ...lines].join(" | ")}`,
  );

describe("pools of Karpenter in a preview", () => {
  it("say what happens to their machines", () => {
    const before = {
      karpenter: { "Deployment kube-system/karpenter": "h:0" },
      ...listed("a", "h:1", "h:2"),
      ...listed("b", "h:3", "h:4"),
      ...listed("c", "h:5", "h:6"),
      ...listed("same", "h:7", "h:8"),
    };
    const after = {
      karpenter: { "Deployment kube-system/karpenter": "h:9" },
      ...listed("a", "h:1", "h:20"),
      ...listed("c", "h:50", "h:6"),
      ...listed("new", "h:1", "h:2"),
      ...listed("same", "h:7", "h:8"),
    };
    expect(told([list(before, after)])).toEqual([
      "a: Karpenter replaces those of its machines that no longer fit, within its budgets",
      "b: Karpenter drains and ends its machines, and this update waits for that",
      "c: Karpenter replaces its machines within its budgets, after this update",
      "new: Karpenter launches machines for pods that have no place",
    ]);
  });

  it("name what changes in the machines' configuration, as with a new Talos", () => {
    const outline = (image: string) => ({
      redactedConfiguration: { machine: { install: { image } } },
    });
    const configuration = resource({
      type: "talos-aws:index:MachineConfiguration",
      name: "demo-spot",
      oldInputs: outline("installer:v1.14.0"),
      newInputs: outline("installer:v1.14.1"),
    });
    // The pool "spot" is not the one whose name ends so.
    const other = { ...configuration, name: "demo-big-spot", newInputs: outline("other") };
    const change = list(listed("spot", "h:1", "h:2"), listed("spot", "h:3", "h:2"));
    expect(told([other, configuration, change])).toEqual([
      'spot: Karpenter replaces its machines within its budgets, after this update | - machine.install.image: "installer:v1.14.0" | + machine.install.image: "installer:v1.14.1"',
    ]);
  });

  it("is said while a text is known only later, and not of other lists", () => {
    const later = list(listed("spot", "h:1", "h:2"), { "karpenter-pool-spot": "known later" });
    expect(told([later])).toEqual([
      "spot: Karpenter replaces its machines within its budgets, after this update",
    ]);
    const other = { ...listed("spot", "h:1", "h:2") };
    expect(told([resource({ oldInputs: { objects: other }, newInputs: {} })])).toEqual([]);
  });
});

describe("the cost of a pool of Karpenter", () => {
  const costOf = (karpenter: object, more: object = {}) =>
    planCost([
      resource({ type: "aws:sqs/queue:Queue", newOutputs: { region: "us-east-1" } }),
      resource({
        type: "talos-aws:index:KarpenterWorkerPool",
        isComponent: true,
        operation: "create",
        newInputs: { karpenter, volumesGib: 100, publicAddresses: false, ...more },
      }),
    ]).after;

  it("goes from nothing to the dearest machines that the limits allow", () => {
    // m7i.large is $0.1008 an hour, and its volume $8 a month.
    const named = { limits: { vcpus: 64, nodes: 8 }, instanceTypes: ["m7i.large", "m7i.xlarge"] };
    expect(costOf(named)).toMatchObject({ usd: 0, unpriced: [] });
    expect(costOf(named).usdAtMost).toBeCloseTo(64 * 0.0504 * 730.5 + 8 * 8, 2);
    const families = { limits: { vcpus: 64, nodes: 8 }, instanceFamilies: ["m7i", "c7i"] };
    expect(costOf(families).usdAtMost).toBeCloseTo(costOf(named).usdAtMost, 2);
    const dearer = { limits: { vcpus: 64, nodes: 8 } };
    expect(costOf(dearer).usdAtMost).toBeGreaterThan(costOf(named).usdAtMost);
    expect(costOf(named, { publicAddresses: true }).usdAtMost).toBeCloseTo(
      costOf(named).usdAtMost + 8 * 0.005 * 730.5,
      2,
    );
  });

  it("counts as many volumes as there can be machines", () => {
    const smaller = { limits: { vcpus: 64 }, instanceTypes: ["m7i.large"], vcpus: { min: 2 } };
    expect(costOf(smaller).usdAtMost).toBeCloseTo(64 * 0.0504 * 730.5 + 32 * 8, 2);
  });

  it("is no guess for machines without a price", () => {
    const unknown = { limits: { vcpus: 64 }, instanceFamilies: ["z99"] };
    expect(costOf(unknown)).toMatchObject({
      usdAtMost: 0,
      unpriced: ["z99 machines of Karpenter in us-east-1"],
    });
  });
});
