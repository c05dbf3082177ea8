import Ajv2020 from "ajv/dist/2020";
import { karpenterDefinitions } from "../../../../components/addOns/karpenter/karpenterDefinitions";
import type { KarpenterPoolArgs } from "../../../../components/workers/karpenter/karpenterPoolArgs";
import {
  type NodeClassInput,
  planNodeClass,
} from "../../../../components/workers/karpenter/planNodeClass";
import { planNodePool } from "../../../../components/workers/karpenter/planNodePool";
import type { KubernetesObject } from "../../../../provider/kubernetes";
import { karpenterVariants } from "./karpenterVariants";

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly [
      { readonly name: string; readonly schema: { readonly openAPIV3Schema: object } },
    ];
  };
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

/** What the definitions refuse of an object; a field that they don't have, too. */
function problemsOf(object: KubernetesObject): unknown[] {
  const found = (karpenterDefinitions as unknown as readonly Definition[]).find(
    ({ spec }) => spec.names.kind === object.kind,
  );
  const [version] = found?.spec.versions ?? [];
  expect(object.apiVersion.split("/")[1]).toBe(version?.name);
  const isValid = ajv.compile(closed(version?.schema.openAPIV3Schema ?? {}));
  return isValid(object) ? [] : (isValid.errors ?? []);
}

/** A schema that takes no other fields, as the API server drops or refuses them. */
function closed(schema: object): object {
  const { properties, ...rest } = schema as { readonly properties?: Record<string, object> };
  const inner: object = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "items" ? closed(value as object) : value,
    ]),
  );
  return properties === undefined
    ? inner
    : {
        ...inner,
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [
            key,
            key === "metadata" && Object.keys(value).length === 1 ? value : closed(value),
          ]),
        ),
      };
}

const nodeClass = (change: Partial<NodeClassInput> = {}) =>
  planNodeClass({ ...karpenterVariants.nodeClass, ...change });
const nodePool = (karpenter: KarpenterPoolArgs) =>
  planNodePool({ name: "spot", karpenter, labels: {}, taints: {} });

describe("the objects of a pool of Karpenter", () => {
  it.each(karpenterVariants.objects)("are what its definitions take: %s", (_name, object) => {
    expect(problemsOf(object)).toEqual([]);
  });

  it("are refused by the same definitions if they are wrong", () => {
    const { limits } = karpenterVariants.least;
    expect(problemsOf(nodePool({ limits, expireAfter: "30d" }))).not.toEqual([]);
    expect(problemsOf(nodePool({ limits, weight: 101 }))).not.toEqual([]);
    expect(problemsOf({ ...nodeClass(), spec: { amiFamily: "Talos" } })).not.toEqual([]);
    const spec = { ...(nodeClass().spec as object), image: "ami-1" };
    expect(problemsOf({ ...nodeClass(), spec })).not.toEqual([]);
  });

  it("say what machines may be, and bound them", () => {
    expect(nodePool(karpenterVariants.least).spec).toEqual({
      template: {
        metadata: { labels: {} },
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "spot" },
          requirements: [
            { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
            { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
            { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
            { key: "karpenter.k8s.aws/instance-hypervisor", operator: "In", values: ["nitro"] },
            {
              key: "karpenter.k8s.aws/instance-category",
              operator: "In",
              values: ["c", "m", "r"],
            },
            { key: "karpenter.k8s.aws/instance-memory", operator: "Gte", values: ["1024"] },
          ],
          expireAfter: "720h",
          terminationGracePeriod: "24h",
        },
      },
      disruption: {
        consolidationPolicy: "WhenEmptyOrUnderutilized",
        consolidateAfter: "1m",
        budgets: [{ nodes: "10%" }],
      },
      limits: { cpu: "64" },
    });
  });

  it("say what machines boot, as groups launch them", () => {
    expect(nodeClass().spec).toMatchObject({
      amiFamily: "Custom",
      amiSelectorTerms: [{ id: "ami-0123456789abcdef0" }],
      instanceProfile: "workers-profile",
      userData: karpenterVariants.nodeClass.machineConfiguration,
      metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
      blockDeviceMappings: [
        {
          deviceName: "/dev/xvda",
          rootVolume: true,
          ebs: { volumeType: "gp3", volumeSize: "50Gi", encrypted: true },
        },
      ],
    });
  });

  it("tell how much room the kubelet leaves for pods, by default and by the configuration", () => {
    expect(nodeClass().spec).toMatchObject({
      kubelet: {
        maxPods: 110,
        systemReserved: { cpu: "50m", memory: "384Mi", "ephemeral-storage": "256Mi" },
      },
    });
    const extraConfig = "{maxPods: 50, systemReserved: {memory: 1Gi}, serializeImagePulls: false}";
    const field = `version: v1alpha1\nmachine: {type: worker, kubelet: {extraConfig: ${extraConfig}}}\n`;
    const document = `version: v1alpha1\nmachine: {type: worker}\n---\napiVersion: v1alpha1\nkind: KubeletConfig\nconfig: ${extraConfig}\n`;
    for (const machineConfiguration of [field, document]) {
      const { kubelet } = nodeClass({ machineConfiguration }).spec as { readonly kubelet: object };
      expect(kubelet).toEqual({
        maxPods: 50,
        systemReserved: { memory: "1Gi" },
        kubeReserved: { cpu: "0", memory: "0", "ephemeral-storage": "0" },
      });
    }
  });
});
