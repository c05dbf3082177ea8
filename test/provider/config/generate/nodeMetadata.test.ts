import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const nodeLabels = { "example.com/pool": "a", "topology.kubernetes.io/zone": "eu-central-1a" };
const nodeAnnotations = { "example.com/note": "any: text" };
const nodeTaints = { dedicated: "gpu:NoSchedule", "example.com/new": "NoExecute" };

test.each(contracts)("%s has all of it in machine, on the control plane", (contract) => {
  expectGenerated(
    contract,
    { nodeLabels, nodeAnnotations, nodeTaints },
    { config: { machine: { nodeLabels, nodeAnnotations, nodeTaints } } },
  );
});

test("a default label of the control plane can get another value", () => {
  const own = { "node.kubernetes.io/exclude-from-external-load-balancers": "false" };
  expectGenerated("v1.12", { nodeLabels: own }, { config: { machine: { nodeLabels: own } } });
});

test.each(contracts)("%s lets a worker register with its taints", (contract) => {
  const worker = { machineType: "worker" } as const;
  expectGenerated(
    contract,
    { ...worker, nodeLabels, nodeAnnotations, nodeTaints },
    {
      config: {
        machine: {
          nodeLabels,
          nodeAnnotations,
          kubelet: {
            extraConfig: {
              registerWithTaints: [
                { effect: "NoSchedule", key: "dedicated", value: "gpu" },
                { effect: "NoExecute", key: "example.com/new" },
              ],
            },
          },
        },
      },
    },
  );
  expectGenerated(contract, { ...worker, nodeTaints: {}, nodeLabels: {} }, {});
});

test("all problems are reported", () => {
  const name = "is not a name that Kubernetes takes";
  const value = "is not a value that Kubernetes takes";
  const problems = problemsOf({
    nodeLabels: { "a/b/c": "x", ok: "-" },
    nodeAnnotations: { "talos.dev/owned-labels": "[]", "": "x" },
    nodeTaints: { x: "value", y: "a b:NoSchedule", z: "PreferNoSchedule" },
  });
  expect(problems.map((problem) => problem.replace(/: up to 63 .*/, ""))).toEqual([
    `nodeLabels["a/b/c"]: "a/b/c" ${name}`,
    `nodeLabels.ok: "-" ${value}`,
    'nodeAnnotations["talos.dev/owned-labels"]: is reserved for Talos itself',
    `nodeAnnotations[""]: "" ${name}`,
    'nodeTaints.x: "value" has no effect that Kubernetes knows: write "<value>:<effect>", the effect one of NoSchedule, PreferNoSchedule, NoExecute',
    `nodeTaints.y: "a b" ${value}`,
  ]);
});

const refused = [
  "node-role.kubernetes.io/gpu",
  "app.kubernetes.io/name",
  "kubernetes.io/role",
  "topology.kubernetes.io/rack",
  "x.k8s.io/y",
  "node-restriction.kubernetes.io/z",
];
const allowed = [
  "gpu",
  "example.com/role",
  "mykubernetes.io/x",
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "node.kubernetes.io/pool",
  "pool.node.kubernetes.io/a",
  "beta.kubernetes.io/instance-type",
];

test.each(refused)("a worker may not set the label %s", (key) => {
  const nodeLabels = { [key]: "a" };
  expect(problemsOf({ machineType: "worker", nodeLabels })).toEqual([
    `nodeLabels["${key}"]: "${key}" is a label that Kubernetes does not let workers set on their own nodes: set it with kubectl or a controller, or use your own name, like "example.com/role"`,
  ]);
  expect(problemsOf({ machineType: "controlplane", nodeLabels })).toEqual([]);
});

test.each(allowed)("a worker may set the label %s", (key) => {
  expect(problemsOf({ machineType: "worker", nodeLabels: { [key]: "a" } })).toEqual([]);
});
