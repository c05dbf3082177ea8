import { mostMachines } from "../../../../components/workers/karpenter/mostMachines";

type Pool = Parameters<typeof mostMachines>[0];

const cpu = (operator: "In" | "Gt" | "Gte" | "Lt", ...values: string[]) => ({
  requirements: [{ key: "karpenter.k8s.aws/instance-cpu", operator, values }],
});

it.each<readonly [string, Partial<Pool>, number]>([
  ["a machine for each processor", {}, 64],
  ["as many as it says", { limits: { vcpus: 64, nodes: 5 } }, 5],
  ["no more than have processors", { limits: { vcpus: 64, nodes: 500 } }, 64],
  ["machines of the smallest number of processors", { vcpus: { min: 4 } }, 16],
  ["the smallest of named types", { instanceTypes: ["m6i.2xlarge", "m6i.xlarge"] }, 16],
  ["a type whose size says nothing, as small", { instanceTypes: ["m6i.metal"] }, 64],
  ["the smallest of listed numbers", cpu("In", "8", "16"), 8],
  ["more than a number", cpu("Gt", "7"), 8],
  ["at least a number", cpu("Gte", "8"), 8],
  ["no more by an upper bound", cpu("Lt", "8"), 64],
  ["what all of them allow", { vcpus: { min: 2 }, ...cpu("Gte", "8") }, 8],
])("limits of processors allow %s", (_what, change, most) => {
  expect(mostMachines({ limits: { vcpus: 64 }, ...change })).toBe(most);
});
