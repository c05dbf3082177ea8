import * as pulumi from "@pulumi/pulumi";
import type { ClusterAddOnsArgs } from "../../../../components/addOns/registry";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import { withAddOns } from "../../../../components/cluster/addOns/withAddOns";
import type { ClusterPlanInput } from "../../../../components/cluster/arguments/chosenClusterArgs";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import { valueOf } from "../../mockedGraph";
import { standardCluster } from "../standardCluster";

const manifestUrls = ["https://example.com/v1.35.0/manifest.yaml"];
const approver =
  "https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/v0.12.0/deploy/standalone-install.yaml";
const metricsServer =
  "https://github.com/kubernetes-sigs/metrics-server/releases/download/v0.8.1/components.yaml";

const region = () => pulumi.output("us-east-1");

function add(addOns: ClusterAddOnsArgs, change: Partial<TalosClusterArgs> = {}): ClusterPlanInput {
  return withAddOns(chooseAddOns({ ...standardCluster, ...change, addOns }), region);
}

const configurationOf = (args: ClusterPlanInput) =>
  valueOf(pulumi.output(args.machineConfiguration));

describe("withAddOns", () => {
  it("does not change a cluster without add-ons", () => {
    const parts = { machineConfiguration: {}, controlPlane: {}, workers: {}, workerPools: {} };
    const chosen = chooseAddOns(standardCluster);
    expect(withAddOns(chosen, region)).toEqual({ ...chosen, ...parts });
  });

  it("rotates kubelets' serving certificates, with the approver", async () => {
    const machineConfiguration = { kubeletExtraArgs: { "max-pods": "50" } };
    const args = add({ servingCertificateApprover: true }, { machineConfiguration });
    expect(await configurationOf(args)).toEqual({
      extraManifests: [approver],
      kubeletExtraArgs: { "max-pods": "50", "rotate-server-certificates": "true" },
    });
    expect(args.facts.firewall.monitoring).toBeUndefined();
  });

  it("adds what the metrics server needs, unless the user turned it off", async () => {
    const extraManifests = [pulumi.output("https://example.com/mine.yaml")];
    const args = add({ metricsServer: true }, { machineConfiguration: { extraManifests } });
    expect(await configurationOf(args)).toEqual({
      extraManifests: [approver, metricsServer, "https://example.com/mine.yaml"],
      kubeletExtraArgs: { "rotate-server-certificates": "true" },
    });
    expect(args.facts.firewall.monitoring).toEqual(["kubelet"]);
    const own = add(
      { metricsServer: { version: "v0.7.0" }, servingCertificateApprover: false },
      { firewall: { monitoring: ["nodeExporter", "kubelet"] } },
    );
    expect(await configurationOf(own)).toEqual({
      extraManifests: [metricsServer.replace("v0.8.1", "v0.7.0")],
    });
    expect(own.facts.firewall.monitoring).toEqual(["nodeExporter", "kubelet"]);
    const none = add({ metricsServer: false });
    expect(await configurationOf(none)).toEqual({ extraManifests: [] });
    expect(none.facts.firewall.monitoring).toBeUndefined();
  });

  it("accepts a Kubernetes version that is known later", async () => {
    const args = add({ metricsServer: true }, { kubernetesVersion: pulumi.output("v1.30.0") });
    expect((await configurationOf(args)).extraManifests).toContain(
      metricsServer.replace("v0.8.1", "v0.7.2"),
    );
  });

  it("makes nodes wait for the cloud controller with their full names, and permits it", async () => {
    const role = { permissions: { ecrPull: true }, permissionsBoundaryArn: "arn" };
    const args = add({ cloudController: { manifestUrls } }, { controlPlane: { role } });
    expect(await configurationOf(args)).toEqual({
      extraManifests: [],
      externalCloudProvider: { manifests: manifestUrls },
      registerWithFqdn: true,
    });
    expect(args.controlPlane.role).toEqual({
      permissions: { ecrPull: true, cloudController: true },
      permissionsBoundaryArn: "arn",
    });
    const profile = { instanceProfileName: "theirs" };
    const adopted = add({ cloudController: { manifestUrls } }, { controlPlane: { role: profile } });
    expect(adopted.controlPlane.role).toEqual(profile);
  });

  it("accepts a manifest as text", async () => {
    const inlineManifests = [{ name: "mine", contents: "kind: Namespace" }];
    const manifest = pulumi.output("kind: List");
    const args = add(
      { cloudController: { manifest }, ebsCsi: { manifest } },
      { machineConfiguration: { inlineManifests } },
    );
    expect(await configurationOf(args)).toMatchObject({
      externalCloudProvider: {},
      inlineManifests: [
        { name: "aws-cloud-controller", contents: "kind: List" },
        { name: "aws-ebs-csi-driver", contents: "kind: List" },
        { name: "mine", contents: "kind: Namespace" },
      ],
    });
  });

  it("permits volumes on machines that run workloads", async () => {
    const ebsCsi = { manifestUrls, kmsKeyArns: ["arn:aws:kms:us-east-1:1:key/a-b"] };
    expect(add({ ebsCsi }).controlPlane.role).toBeUndefined();
    const args = add(
      { ebsCsi },
      { machineConfiguration: { allowSchedulingOnControlPlanes: true } },
    );
    expect(args.controlPlane.role).toEqual({
      permissions: { ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns },
    });
    expect((await configurationOf(args)).extraManifests).toEqual(manifestUrls);
  });

  it("changes every pool, also one with its own options and role", async () => {
    const args = add(
      { cloudController: { manifestUrls }, ebsCsi: { manifestUrls }, metricsServer: true },
      {
        workers: { machineConfiguration: { sysctls: { "vm.max_map_count": "262144" } } },
        workerPools: {
          plain: { machineCount: 1 },
          own: {
            machineCount: 1,
            machineConfiguration: { kubeletExtraArgs: { "max-pods": "50" } },
            role: { permissions: { ecrPull: true } },
          },
        },
      },
    );
    const { workers, workerPools } = args;
    expect(await valueOf(pulumi.output(workers.machineConfiguration))).toMatchObject({
      sysctls: { "vm.max_map_count": "262144" },
      kubeletExtraArgs: { "rotate-server-certificates": "true" },
      registerWithFqdn: true,
      externalCloudProvider: { manifests: manifestUrls },
    });
    expect(workers.role).toEqual({ permissions: { ebsCsi: true } });
    expect(workerPools.plain).toEqual({ machineCount: 1 });
    expect(await valueOf(pulumi.output(workerPools.own?.machineConfiguration))).toEqual({
      kubeletExtraArgs: { "max-pods": "50", "rotate-server-certificates": "true" },
    });
    expect(workerPools.own?.role).toEqual({ permissions: { ecrPull: true, ebsCsi: true } });
    // Its controller doesn't run on control planes.
    expect(args.controlPlane.role).toEqual({ permissions: { cloudController: true } });
  });

  it("makes Cilium the pod network, by URL or text, instead of kube-proxy or beside it", async () => {
    const fetched = add({ cilium: { manifestUrls } });
    expect(fetched.facts.firewall.cni).toBe("cilium");
    expect(fetched.facts.podNetwork.cni).toEqual({ name: "custom", urls: manifestUrls });
    expect(fetched.facts.healthGates).toEqual(["etcd", "apiServer", "nodesReady"]);
    expect(await configurationOf(fetched)).toEqual({ extraManifests: [] });
    const inline = add({ cilium: { manifest: "kind: List", kubeProxyReplacement: true } });
    expect(inline.facts).toMatchObject({
      podNetwork: { cni: { name: "none" }, name: "cilium" },
      healthGates: ["etcd", "apiServer", "nodesReady"],
    });
    expect(await configurationOf(inline)).toMatchObject({
      kubeProxy: false,
      inlineManifests: [{ name: "cilium", contents: "kind: List" }],
    });
    const patient = add({ cilium: { manifestUrls } }, { healthGates: ["etcd"] });
    expect(patient.facts.healthGates).toEqual(["etcd"]);
  });
});
