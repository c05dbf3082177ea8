import { parse } from "yaml";
import type { KnownChoices } from "../../../components/addOns/addOnChoices";
import type { AddOnScope } from "../../../components/addOns/common/addOnScope";
import { ownObjects } from "../../../components/addOns/ownObjects";
import { planOwnManifests } from "../../../components/addOns/planOwnManifests";
import { podIdentityWebhook } from "../../../components/addOns/podIdentityWebhook";
import { ADD_ON_NAMES, ADD_ONS } from "../../../components/addOns/registry";
import { AWS_ADD_ONS } from "./awsAddOns";

interface PodSpec {
  readonly serviceAccountName: string;
  readonly hostNetwork?: boolean;
  readonly tolerations: readonly object[];
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly resources: object;
    readonly volumeMounts?: readonly { readonly name: string }[];
  }[];
  readonly volumes?: readonly { readonly name: string }[];
}

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

const scope: AddOnScope = {
  clusterName: "prod",
  region: "eu-central-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.prod.example.com",
};
const everything: KnownChoices = {
  cilium: {},
  cloudController: {},
  ebsCsi: {},
  clusterAutoscaler: {},
  loadBalancerController: {},
  externalDns: { zoneIds: ["Z1", "Z2"] },
  nodeTerminationHandler: {},
  servingCertificateApprover: { replicas: 2 },
  metricsServer: { tolerations: [] },
  auditLog: {},
  nodeProblemDetector: {},
  nvidiaDevicePlugin: {},
  karpenter: {},
};

const objectsOf = (choices: KnownChoices, identities = {}, where = scope) =>
  planOwnManifests(where, choices, identities)
    .flatMap(({ contents }) => contents.split("---\n"))
    .map((text) => parse(text) as Workload);
const workloads = (...given: Parameters<typeof objectsOf>) =>
  objectsOf(...given).filter(({ kind }) => kind === "Deployment" || kind === "DaemonSet");
const workload = (name: string, ...given: Parameters<typeof objectsOf>) => {
  const found = workloads(...given).find(({ metadata }) => metadata.name === name);
  if (found === undefined) {
    throw new Error(`no workload ${name}`);
  }
  return found;
};

describe("planOwnManifests", () => {
  it("renders a manifest of each of our add-ons, and of no other", () => {
    expect(planOwnManifests(scope, everything).map(({ name }) => name)).toEqual(
      ADD_ON_NAMES.flatMap((name) =>
        ADD_ONS[name].objects === undefined ? [] : [ADD_ONS[name].manifestName],
      ),
    );
    const theirs = { cloudController: { manifest: "kind: List" }, metricsServer: {} };
    expect(planOwnManifests(scope, theirs)).toEqual([]);
  });

  it("names each object once, and its pods by labels that select them", () => {
    const objects = objectsOf(everything);
    const keys = objects.map(({ kind, metadata: { namespace = "", name } }) =>
      [kind, namespace, name].join("/"),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const accounts = objects.filter(({ kind }) => kind === "ServiceAccount");
    for (const { metadata, spec } of workloads(everything)) {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      expect(accounts.map((account) => account.metadata)).toContainEqual(
        expect.objectContaining({
          name: spec.template.spec.serviceAccountName,
          namespace: metadata.namespace,
        }),
      );
    }
  });

  it("pins every image", () => {
    const images = workloads(everything).flatMap(({ spec }) =>
      spec.template.spec.containers.map(({ image }) => image),
    );
    expect([...new Set(images)].sort()).toMatchInlineSnapshot(`
      [
        "ghcr.io/alex1989hu/kubelet-serving-cert-approver:0.12.0",
        "ghcr.io/fluent/fluent-bit:5.1.1",
        "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
        "public.ecr.aws/aws-ec2/aws-node-termination-handler:v1.25.6",
        "public.ecr.aws/csi-components/csi-attacher:v4.12.0-eksbuild.5",
        "public.ecr.aws/csi-components/csi-node-driver-registrar:v2.17.0-eksbuild.5",
        "public.ecr.aws/csi-components/csi-provisioner:v6.3.0-eksbuild.4",
        "public.ecr.aws/csi-components/csi-resizer:v2.2.1-eksbuild.3",
        "public.ecr.aws/csi-components/livenessprobe:v2.19.0-eksbuild.5",
        "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.64.0",
        "public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0",
        "public.ecr.aws/karpenter/controller:1.15.2",
        "quay.io/cilium/cilium:v1.20.2",
        "quay.io/cilium/operator-generic:v1.20.2",
        "registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2",
        "registry.k8s.io/external-dns/external-dns:v0.22.0",
        "registry.k8s.io/metrics-server/metrics-server:v0.8.1",
        "registry.k8s.io/node-problem-detector/node-problem-detector:v1.36.0",
        "registry.k8s.io/provider-aws/cloud-controller-manager:v1.35.2",
      ]
    `);
  });

  it("has all pods that ask the metadata service in their machine's network, where it answers", () => {
    const identities = Object.fromEntries(
      AWS_ADD_ONS.map((name) => [name, { roleArn: "arn:aws:iam::123456789012:role/own" }]),
    );
    for (const identity of [{}, identities]) {
      const inPodNetwork = workloads(everything, identity)
        .filter(({ spec }) => spec.template.spec.hostNetwork !== true)
        .map(({ metadata }) => metadata.name);
      // These call Kubernetes alone, or nobody.
      expect(inPodNetwork).toEqual([
        "kubelet-serving-cert-approver",
        "metrics-server",
        "node-problem-detector",
        "nvidia-device-plugin",
      ]);
    }
    // So does this one, which is told its region.
    const [webhook] = ownObjects(podIdentityWebhook, scope, {}).filter(
      ({ kind }) => kind === "Deployment",
    );
    expect(JSON.stringify(webhook)).toContain("--aws-default-region=eu-central-1");
  });

  it("lets no add-on make tokens of accounts, and reads no Secret for any", () => {
    interface Rule {
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }
    const rules = objectsOf(everything).flatMap(
      (object) => (object as { readonly rules?: readonly Rule[] }).rules ?? [],
    );
    expect(rules.length).toBeGreaterThan(20);
    const touched = rules.flatMap(({ resources }) => resources);
    expect(touched.filter((each) => /^(\*|secrets|serviceaccounts)/.test(each))).toEqual([]);
  });

  it("gives pods in a machine's network different ports", () => {
    const ports = workloads(everything)
      .filter(({ spec }) => spec.template.spec.hostNetwork === true)
      .flatMap(({ spec }) =>
        spec.template.spec.containers.flatMap(({ ports: each = [] }) =>
          each.map(({ containerPort }) => containerPort),
        ),
      );
    expect(ports.length).toBeGreaterThan(5);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it("runs add-ons that call AWS on control planes, with a role's token if there is one", () => {
    const roleArn = "arn:aws:iam::123456789012:role/ebs";
    const { spec } = workload("ebs-csi-controller", everything, { ebsCsi: { roleArn } });
    const { containers, volumes, ...pod } = spec.template.spec;
    expect(pod).toMatchObject({
      hostNetwork: true,
      nodeSelector: { "node-role.kubernetes.io/control-plane": "" },
    });
    const [driver, ...sidecars] = containers;
    expect(driver?.env).toEqual(
      expect.arrayContaining([
        { name: "AWS_REGION", value: "eu-central-1" },
        { name: "AWS_ROLE_ARN", value: roleArn },
      ]),
    );
    expect(driver?.volumeMounts?.map(({ name }) => name)).toContain("aws-token");
    expect(volumes?.map(({ name }) => name)).toContain("aws-token");
    expect(JSON.stringify(sidecars)).not.toContain("aws-token");
    const byMachine = workload("ebs-csi-controller", everything);
    expect(JSON.stringify(byMachine)).not.toMatch(/aws-token|AWS_ROLE_ARN/);
    expect(JSON.stringify(workload("metrics-server", everything))).not.toContain("hostNetwork");
  });

  it("drains workers alone, from a pod on each, which watches the metadata service", () => {
    const { kind, spec } = workload("aws-node-termination-handler", {
      nodeTerminationHandler: { extraArgs: { "node-termination-grace-period": "60" } },
    });
    expect(kind).toBe("DaemonSet");
    const pod = spec.template.spec;
    expect(pod).toMatchObject({ hostNetwork: true, tolerations: [{ operator: "Exists" }] });
    expect(JSON.stringify(pod)).toContain(
      `{"key":"node-role.kubernetes.io/control-plane","operator":"DoesNotExist"}`,
    );
    expect(pod.containers[0]?.args).toEqual(
      expect.arrayContaining([
        "--node-name=$(NODE_NAME)",
        "--enable-spot-interruption-draining=true",
        "--enable-asg-lifecycle-draining=true",
        "--node-termination-grace-period=60",
      ]),
    );
    expect(JSON.stringify(pod)).not.toMatch(/AWS_ROLE_ARN|aws-token/);
  });

  it("reads the audit log as the user who writes it, and sends it until somebody takes it", () => {
    const roleArn = "arn:aws:iam::123456789012:role/audit";
    const pod = (choices: KnownChoices, identities = {}) =>
      workload("audit-log", choices, identities).spec.template.spec;
    const own = pod({ auditLog: {} });
    expect(own).toMatchObject({
      hostNetwork: true,
      nodeSelector: { "node-role.kubernetes.io/control-plane": "" },
      tolerations: expect.arrayContaining([{ operator: "Exists" }]) as unknown,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_534 },
      containers: [
        {
          securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
          volumeMounts: [{ mountPath: "/var/log/audit/kube", readOnly: true }, {}],
        },
      ],
      volumes: [{ hostPath: { path: "/var/log/audit/kube", type: "Directory" } }, {}],
    });
    const { args = [] } = own.containers[0] ?? {};
    const [input, output] = ["--input=tail", "--output=cloudwatch_logs"].map((each) =>
      args.indexOf(each),
    );
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThan(Number(input));
    expect(args.slice(input, output)).toContain(
      "--prop=path=/var/log/audit/kube/kube-apiserver.log",
    );
    expect(args.slice(output)).toEqual(
      expect.arrayContaining([
        "--prop=region=eu-central-1",
        "--prop=log_group_name=/talos/k8s.prod.example.com/audit",
        "--prop=log_stream_name=$(NODE_NAME)",
        "--prop=auto_create_group=off",
        "--prop=retry_limit=no_limits",
      ]),
    );
    const named = pod(
      { auditLog: { logGroupName: "/bank/audit", extraArgs: { coro_stack_size: "65536" } } },
      { auditLog: { roleArn } },
    );
    expect(named.containers[0]?.args).toContain("--prop=log_group_name=/bank/audit");
    // Before the plugins: what comes after one belongs to it.
    expect(named.containers[0]?.args.slice(0, 2)).toEqual(["--flush=5", "--coro_stack_size=65536"]);
    expect(JSON.stringify(named)).toContain(roleArn);
  });

  it("reads the kernel's log on every machine, and may only report", () => {
    const choices = { nodeProblemDetector: { extraArgs: { v: "4" } } };
    const { kind, spec } = workload("node-problem-detector", choices);
    expect(kind).toBe("DaemonSet");
    expect(spec.template.spec).toMatchObject({
      tolerations: [{ operator: "Exists" }],
      containers: [{ volumeMounts: [{ mountPath: "/dev/kmsg", readOnly: true }] }],
      volumes: [{ hostPath: { path: "/dev/kmsg", type: "CharDevice" } }],
    });
    expect(spec.template.spec.containers[0]?.args).toEqual([
      "--config.system-log-monitor=/config/kernel-monitor.json,/config/readonly-monitor.json",
      "--v=4",
    ]);
    interface Rule {
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }
    const rules = objectsOf(choices).flatMap(
      (object) => (object as { readonly rules?: readonly Rule[] }).rules ?? [],
    );
    const changes = rules.filter(({ verbs }) => verbs.some((verb) => verb !== "get"));
    expect(changes.flatMap(({ resources }) => resources)).toEqual([
      "nodes/status",
      "events",
      "events",
    ]);
  });

  it("has as many pods as control planes can run", () => {
    const replicas = (controlPlanes: number, choices: KnownChoices) =>
      workloads(choices, {}, { ...scope, controlPlanes }).map(({ spec }) => spec.replicas);
    const choices = { ebsCsi: {}, clusterAutoscaler: {}, loadBalancerController: {} };
    expect(replicas(3, choices)).toEqual([2, undefined, 1, 2]);
    expect(replicas(1, choices)).toEqual([1, undefined, 1, 1]);
    expect(replicas(3, { ebsCsi: { replicas: 3 } })).toEqual([3, undefined]);
  });

  it("follows the given options", () => {
    const tolerations = [{ operator: "Exists" as const }];
    const resources = { limits: { memory: "1Gi" } };
    const extraArgs = { v: "5", nodes: ["1:2:a", "1:3:b"] };
    const changed = { version: "v1.2.3", tolerations, resources, extraArgs };
    const { template } = workload("cluster-autoscaler", { clusterAutoscaler: changed }).spec;
    const [container] = template.spec.containers;
    expect(container?.image).toMatch(/:v1\.2\.3$/);
    expect(container?.resources).toEqual(resources);
    expect(container?.args).toEqual(
      expect.arrayContaining(["--v=5", "--nodes=1:2:a", "--nodes=1:3:b"]),
    );
    expect(container?.args).not.toContain("--v=2");
    expect(container?.args).toContain(
      "--node-group-auto-discovery=asg:tag=k8s.io/cluster-autoscaler/enabled,k8s.io/cluster-autoscaler/prod",
    );
    expect(template.spec.tolerations).toContainEqual(tolerations[0]);
  });

  it("lets external-dns write only into its zones, in the cluster's name", () => {
    const [container] = workload("external-dns", everything).spec.template.spec.containers;
    expect(container?.args).toEqual(
      expect.arrayContaining([
        "--zone-id-filter=Z1",
        "--zone-id-filter=Z2",
        "--txt-owner-id=k8s.prod.example.com",
        "--policy=upsert-only",
      ]),
    );
  });

  it("has a storage class unless it is turned off", () => {
    const kinds = (choices: KnownChoices) => objectsOf(choices).map(({ kind }) => kind);
    expect(kinds({ ebsCsi: {} })).toContain("StorageClass");
    expect(kinds({ ebsCsi: { storageClass: false } })).not.toContain("StorageClass");
  });
});
