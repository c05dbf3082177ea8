import { parseAllDocuments } from "yaml";
import type { KnownChoices } from "../../../components/addOns/addOnChoices";
import type { AddOnScope } from "../../../components/addOns/common/addOnScope";
import { interruptionQueueName } from "../../../components/addOns/karpenter/karpenter";
import { planOwnManifests } from "../../../components/addOns/planOwnManifests";

const scope: AddOnScope = {
  clusterName: "prod",
  region: "eu-central-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.prod.example.com",
};

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly replicas?: number;
    readonly template: {
      readonly spec: {
        readonly affinity?: object;
        readonly containers: readonly { readonly args: readonly string[] }[];
      };
    };
  };
}

function workload(choices: KnownChoices, where: AddOnScope, kind: string): Workload["spec"] {
  const [manifest] = planOwnManifests(where, choices);
  const objects = parseAllDocuments(manifest?.contents ?? "").map(
    (each) => each.toJS() as Workload,
  );
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) {
    throw new Error(`no ${kind}`);
  }
  return found.spec;
}

const argsOf = (choices: KnownChoices, where = scope) =>
  workload(choices, where, "Deployment").template.spec.containers[0]?.args;

describe("Karpenter", () => {
  it("is told its cluster, its queue, and what it can't find out", () => {
    expect(argsOf({ karpenter: {} })).toEqual([
      "--cluster-name=prod",
      "--cluster-endpoint=https://k8s.prod.example.com:6443",
      `--interruption-queue=${interruptionQueueName("k8s.prod.example.com")}`,
      "--metrics-port=8086",
      "--health-probe-port=8087",
      "--leader-election-namespace=kube-system",
    ]);
    expect(argsOf({ karpenter: { extraArgs: { "batch-idle-duration": "5s" } } })).toContain(
      "--batch-idle-duration=5s",
    );
  });

  it("goes by prices that it knows in a network without internet", () => {
    expect(argsOf({ karpenter: {} }, { ...scope, isIsolated: true })).toContain(
      "--isolated-vpc=true",
    );
  });

  it("has two pods where there are two control planes", () => {
    expect(workload({ karpenter: {} }, scope, "Deployment").replicas).toBe(2);
    const one = { ...scope, controlPlanes: 1 };
    expect(workload({ karpenter: {} }, one, "Deployment").replicas).toBe(1);
  });

  it("alone drains its machines", () => {
    const placeOf = (where: AddOnScope) =>
      JSON.stringify(
        workload({ nodeTerminationHandler: {} }, where, "DaemonSet").template.spec.affinity,
      );
    expect(placeOf({ ...scope, runsKarpenter: true })).toContain('"karpenter.sh/nodepool"');
    expect(placeOf(scope)).not.toContain("karpenter");
  });

  it("has a queue of its own, whose name SQS takes", () => {
    const long = `k8s.${"production-of-europe.".repeat(5)}example.com`;
    const [name, other] = [interruptionQueueName(long), interruptionQueueName(`x${long}`)];
    expect(name).toMatch(/^[\w-]{1,80}$/);
    expect(other).not.toBe(name);
    expect(interruptionQueueName("k8s.a-b.com")).not.toBe(interruptionQueueName("k8s.a.b.com"));
  });
});
