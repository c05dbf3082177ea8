import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build } from "../mockedGraph";
import { make } from "./clusters";
import { standardCluster } from "./standardCluster";

describe("the arguments of TalosCluster", () => {
  it("reports all wrong arguments at once, by path, and creates nothing", async () => {
    const change: Partial<TalosClusterArgs> = {
      environment: "Sandbox",
      domain: "localhost",
      talosVersion: "1.12",
      operatorCidrs: ["0.0.0.0/0"],
      podCidrs: ["10.0.0.0/16"],
      network: { zones: ["us-east-1"] },
      cniManifests: ["https://example.com/flannel.yaml"],
      firewall: { kubeSpanCidrs: ["192.0.2.0/24"] },
      controlPlane: { machineCount: 2, instanceType: "t2.large", rootVolumeSizeGib: 1 },
    };
    const error: unknown = await make(change).catch((reason: unknown) => reason);
    expect(pulumi.InputPropertiesError.isInstance(error)).toBe(true);
    const paths = (error as pulumi.InputPropertiesError).errors.map((each) => each.propertyPath);
    expect(paths).toEqual([
      "environment",
      "domain",
      "talosVersion",
      "operatorCidrs[0]",
      "firewall.kubeSpanCidrs",
      "cniManifests",
      "network.zones[0]",
      "podCidrs[0]",
      "controlPlane.machineCount",
      "controlPlane.instanceType",
      "controlPlane.rootVolumeSizeGib",
    ]);
  });

  it("rejects a name that is invalid for its load balancer", async () => {
    const name = "a-cluster-with-a-long-name";
    await expect(build(() => new TalosCluster(name, standardCluster))).rejects.toThrow(
      /name: "a-cluster-with-a-long-name-api" has 30 characters: at most 21 fit/,
    );
  });

  it("rejects arguments that exclude each other, by path", async () => {
    const change: Partial<TalosClusterArgs> = {
      apiHealthCheck: "ready",
      dns: { privateZone: true },
      controlPlane: {
        imageId: "ami-1",
        imageOwner: "self",
        role: { none: true, instanceProfileName: "mine", permissions: { etcdBackupArn: "x" } },
      },
    };
    const error: unknown = await make(change).catch((reason: unknown) => reason);
    const paths = (error as pulumi.InputPropertiesError).errors.map((each) => each.propertyPath);
    expect(paths).toEqual([
      "apiHealthCheck",
      "dns.privateZone",
      "controlPlane.imageOwner",
      "controlPlane.role.none",
      "controlPlane.role.instanceProfileName",
      "controlPlane.role.permissions.etcdBackupArn",
    ]);
  });

  const zones = ["us-east-1a"];
  const nat = { zones, nat: "single" as const };
  const isPrivate = { subnets: "private" as const };
  const byUserData = { delivery: "userData" as const };
  it.each<[string, Partial<TalosClusterArgs>, string[]]>([
    [
      "private machines that nobody reaches",
      { network: nat, controlPlane: isPrivate },
      ["controlPlane.subnets"],
    ],
    [
      "private machines without a way out",
      { exposure: "internal", network: { zones, privateSubnets: true }, controlPlane: isPrivate },
      ["network.nat"],
    ],
    [
      "private machines without subnets",
      { exposure: "internal", network: { zones }, controlPlane: isPrivate },
      ["network.nat"],
    ],
    [
      "public addresses of private machines",
      { exposure: "direct", network: nat, controlPlane: { ...isPrivate, fixedAddresses: true } },
      ["exposure", "controlPlane.fixedAddresses"],
    ],
    [
      "a first configuration through a load balancer",
      { talosApiThroughLoadBalancer: true },
      ["talosApiThroughLoadBalancer"],
    ],
    [
      "a load balancer that isn't there",
      { talosApiThroughLoadBalancer: true, exposure: "direct" },
      ["talosApiThroughLoadBalancer"],
    ],
    [
      "machines that ask for a name too early",
      { exposure: "direct", controlPlane: byUserData },
      ["controlPlane.delivery"],
    ],
    [
      "adopted subnets of the other kind",
      {
        exposure: "internal",
        network: { adopt: { vpcId: "vpc-1", publicSubnetIds: { "us-east-1a": "subnet-1" } } },
        controlPlane: isPrivate,
      },
      ["network.adopt.privateSubnetIds"],
    ],
    [
      "more elastic addresses than an account has",
      {
        network: { zones: ["us-east-1a", "us-east-1b", "us-east-1c"], nat: "perZone" },
        controlPlane: { fixedAddresses: true },
        quotas: { elasticAddresses: 5 },
      },
      ["quotas.elasticAddresses"],
    ],
    [
      "pods that would read the cluster's keys",
      { controlPlane: { delivery: "userData", metadataHopLimit: 2 } },
      ["controlPlane.metadataHopLimit"],
    ],
    [
      "private workers in an adopted network whose NAT nobody knows",
      {
        network: {
          adopt: {
            vpcId: "vpc-1",
            publicSubnetIds: { "us-east-1a": "subnet-1" },
            privateSubnetIds: { "us-east-1a": "subnet-2" },
          },
        },
        workerPools: { apps: { machineCount: 1, subnets: "private" as const } },
      },
      ["network.adopt.natAddresses"],
    ],
    [
      "workers in a range that isn't there",
      {
        network: nat,
        workerPools: { apps: { machineCount: 1, subnets: "worker" } },
      },
      ["workerPools.apps.subnets"],
    ],
    [
      "workers in a second range without a way out",
      {
        network: { zones, workerCidrBlock: "100.64.0.0/16" },
        workerPools: { apps: { machineCount: 1, subnets: "worker" } },
      },
      ["workerPools.apps.subnets"],
    ],
    [
      "volumes and hops that can't be",
      { controlPlane: { etcdVolume: { sizeGib: 5, iops: 90_000 }, metadataHopLimit: 0 } },
      [
        "controlPlane.etcdVolume.sizeGib",
        "controlPlane.etcdVolume.iops",
        "controlPlane.metadataHopLimit",
      ],
    ],
    [
      "CPU credits of machines that earn none",
      {
        controlPlane: { cpuCredits: "standard" },
        workerPools: {
          apps: { machineCount: 1, instanceType: "t3.large", cpuCredits: "unlimited" },
          web: { machineCount: 1, cpuCredits: "unlimited" },
          batch: {
            instanceType: "t3.large",
            subnets: "private",
            cpuCredits: "standard",
            autoScaling: { minSize: 0, maxSize: 1, moreInstanceTypes: ["m6i.large"] },
          },
        },
        network: { zones, nat: "single", privateSubnets: true },
      },
      ["controlPlane.cpuCredits", "workerPools.web.cpuCredits", "workerPools.batch.cpuCredits"],
    ],
    [
      "a volume of etcd alone that Talos would not encrypt, on a Talos that has none",
      {
        controlPlane: { etcdVolume: { sizeGib: 20, holds: "etcd" } },
        machineConfiguration: { diskEncryption: { ephemeral: [{ nodeId: {} }] } },
      },
      ["controlPlane.etcdVolume.holds", "controlPlane.etcdVolume.holds"],
    ],
    [
      "a KubePrism that Cilium doesn't find in place of kube-proxy",
      {
        addOns: { cilium: true },
        machineConfiguration: { features: { kubePrism: { enabled: false } } },
        workers: { machineConfiguration: { features: { kubePrism: { port: 7446 } } } },
        workerPools: {
          apps: {
            machineCount: 1,
            machineConfiguration: { features: { kubePrism: { port: 7447 } } },
          },
        },
      },
      [
        "machineConfiguration.features.kubePrism.enabled",
        "workers.machineConfiguration.features.kubePrism.port",
        "workerPools.apps.machineConfiguration.features.kubePrism.port",
      ],
    ],
    [
      "a placement and a reservation that no machine of a pool fits in",
      {
        workerPools: {
          close: { machineCount: 2, placementGroup: { strategy: "cluster" } },
          apart: {
            subnets: "private",
            placementGroup: { strategy: "spread" },
            capacityReservation: { id: "cr-0123456789abcdef0" },
            autoScaling: { minSize: 0, maxSize: 22, moreInstanceTypes: ["m5.large"] },
          },
        },
        network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
      },
      [
        "workerPools.close.placementGroup.strategy",
        "workerPools.apart.placementGroup.strategy",
        "workerPools.apart.capacityReservation.id",
        "workerPools.apart.capacityReservation",
      ],
    ],
    [
      "requirements of machines beside their types",
      {
        workerPools: {
          batch: {
            subnets: "private",
            autoScaling: {
              minSize: 0,
              maxSize: 1,
              drainSeconds: 1,
              moreInstanceTypes: ["m5.large"],
              instanceRequirements: { vcpus: { min: 2 }, memoryGib: { min: 8 } },
            },
          },
        },
        network: nat,
      },
      [
        "workerPools.batch.autoScaling.moreInstanceTypes",
        "workerPools.batch.autoScaling.drainSeconds",
      ],
    ],
    [
      "a load balancer whose connections no machine would let in",
      {
        firewall: {
          adopt: {
            controlPlaneGroupId: "sg-0123456789abcdef0",
            workerGroupId: "sg-0123456789abcdef1",
            loadBalancerGroupId: "sg-0123456789abcdef2",
          },
        },
        workerPools: {
          web: { machineCount: 1, ingress: { listeners: { a: { port: 80, targetPort: 30_080 } } } },
        },
      },
      ["workerPools.web.ingress.listeners"],
    ],
    [
      "a public load balancer without public subnets, and a target twice",
      {
        exposure: "internal",
        network: {
          adopt: {
            vpcId: "vpc-1",
            privateSubnetIds: { "us-east-1a": "subnet-1" },
            natAddresses: { "us-east-1a": "203.0.113.9" },
          },
        },
        controlPlane: isPrivate,
        workerPools: {
          web: {
            machineCount: 1,
            ...isPrivate,
            ingress: { listeners: { a: { port: 80, targetPort: 30_080 } } },
            targets: { "ingress-a": { targetGroupArn: pulumi.output("arn") } },
          },
        },
      },
      ["workerPools.web.ingress.internal", 'workerPools.web.ingress.listeners["a"]'],
    ],
    [
      "virtual processors that nothing limits",
      {
        quotas: { onDemandVcpus: 64 },
        workerPools: {
          batch: {
            subnets: "private",
            autoScaling: {
              minSize: 0,
              maxSize: 1,
              instanceRequirements: { vcpus: { min: 2 }, memoryGib: { min: 8 } },
            },
          },
        },
        network: nat,
      },
      ["quotas.onDemandVcpus"],
    ],
    [
      "a drain of workers that don't exist",
      { addOns: { nodeTerminationHandler: true } },
      ["addOns.nodeTerminationHandler"],
    ],
    [
      "words that are none, beside what an add-on adds to them",
      {
        addOns: { metricsServer: true },
        cni: "weave" as "none",
        firewall: { monitoring: ["pods" as "kubelet", "kubelet", "kubelet"] },
        network: { zones: ["us-east-1"] },
      },
      ["cni", "firewall.monitoring[0]", "firewall.monitoring[2]", "network.zones[0]"],
    ],
    [
      "a rule that opens what an add-on opens already",
      {
        addOns: { metricsServer: true },
        firewall: {
          extraRules: {
            again: {
              group: "worker",
              protocol: "tcp",
              ports: 10_250,
              from: { group: "worker" },
              description: "kubelets",
            },
          },
        },
      },
      ['firewall.extraRules["again"]'],
    ],
  ])("rejects %s", async (_what, change, expected) => {
    const error: unknown = await make(change).catch((reason: unknown) => reason);
    const { errors } = error as pulumi.InputPropertiesError;
    expect(errors.map(({ propertyPath }) => propertyPath)).toEqual(expected);
  });
});
