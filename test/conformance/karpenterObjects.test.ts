import { execFileSync } from "node:child_process";
import { karpenterDefinitions } from "../../components/addOns/karpenter/karpenterDefinitions";
import { planNodeClass } from "../../components/workers/karpenter/planNodeClass";
import { planNodePool } from "../../components/workers/karpenter/planNodePool";
import type { KubernetesObject } from "../../provider/kubernetes";
import { karpenterVariants } from "../components/workers/karpenter/karpenterVariants";

/** The program that `npm run conformance` builds; it needs Go. */
const { TALOS_DEFINITIONS_ORACLE: oracle } = process.env;

/** What an API server of Kubernetes 1.37 finds wrong with each object, by schemas and by rules in CEL. */
function judged(objects: readonly KubernetesObject[]): string[][] {
  const input = JSON.stringify({ definitions: karpenterDefinitions, objects });
  return JSON.parse(execFileSync(oracle ?? "", { input, encoding: "utf8" })) as string[][];
}

const { least, nodeClass } = karpenterVariants;

describe.skipIf(oracle === undefined)("Kubernetes' own code, by Karpenter's definitions", () => {
  it("accepts the objects of pools, and keeps all of their fields", () => {
    const objects = karpenterVariants.objects.map(([, object]) => object);
    expect(judged(objects)).toEqual(objects.map(() => []));
  });

  it("refuses what the arguments' checks refuse, by a rule in CEL", () => {
    const pool = (change: object) =>
      planNodePool({ name: "spot", karpenter: { ...least, ...change } });
    const wrong = [
      pool({ budgets: [{ nodes: "1", schedule: "0 8 * * *" }] }),
      planNodePool({ name: "spot", karpenter: least, labels: { "karpenter.sh/nodepool": "a" } }),
      pool({ requirements: [{ key: "karpenter.k8s.aws/x", operator: "Exists" }] }),
      pool({
        requirements: [
          { key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["a"], minValues: 2 },
        ],
      }),
      planNodeClass({ ...nodeClass, tags: { "kubernetes.io/cluster/prod": "owned" } }),
    ];
    expect(judged(wrong)).toEqual([
      [expect.stringContaining("'schedule' must be set with 'duration'")],
      expect.arrayContaining([expect.stringContaining('"karpenter.sh/nodepool" is restricted')]),
      [expect.stringContaining('label domain "karpenter.k8s.aws" is restricted')],
      [expect.stringContaining("'minValues' must have at least that many values")],
      [expect.stringContaining("restricted tag matching kubernetes.io/cluster/")],
    ]);
  });

  it("tells an unknown field", () => {
    const object = planNodeClass(nodeClass);
    const spec = { ...(object.spec as object), image: "ami-1" };
    expect(judged([{ ...object, spec }])).toEqual([["spec.image: unknown field"]]);
  });
});
