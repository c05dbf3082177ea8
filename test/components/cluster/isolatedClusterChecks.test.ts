import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import { make } from "./clusters";
import { standardCluster } from "./standardCluster";

describe("the arguments of a TalosCluster without internet", () => {
  const isPrivate = { subnets: "private" as const };
  const isolated = { zones: ["us-east-1a"], internetAccess: false };
  const mirrored = { registryMirrors: { "*": ["https://mirror.internal"] }, discovery: false };
  /** A cluster without internet that lacks nothing. */
  const complete: Partial<TalosClusterArgs> = {
    exposure: "internal",
    network: isolated,
    controlPlane: isPrivate,
    machineConfiguration: mirrored,
    workers: { machineConfiguration: mirrored },
    workerPools: { apps: { machineCount: 1, ...isPrivate } },
  };

  it.each<[string, Partial<TalosClusterArgs>]>([
    ["as it is", {}],
    ["with Cilium, whose images mirrors have", { addOns: { cilium: true } }],
    [
      "with every add-on and its endpoints",
      {
        network: {
          ...isolated,
          gatewayEndpoints: ["s3"],
          interfaceEndpoints: ["autoscaling", "ec2", "elasticloadbalancing", "logs", "sts"],
        },
        irsa: true,
        addOns: {
          cloudController: true,
          ebsCsi: true,
          clusterAutoscaler: true,
          loadBalancerController: true,
          metricsServer: { replicas: 1 },
          flux: { url: "https://git.internal/fleet", path: ".", manifest: "kind: List" },
          auditLog: true,
          etcdBackup: { agePublicKey: "none" },
        },
      },
    ],
    [
      "with a discovery service and time servers of its own",
      {
        kubeSpan: true,
        talosVersion: "v1.11.0",
        versionContract: "v1.11",
        kubernetesVersion: "v1.34.0",
        machineConfiguration: {
          registryMirrors: { "*": ["http://10.0.0.5:5000"] },
          discoveryEndpoint: "https://discovery.internal",
          timeServers: ["169.254.169.123"],
        },
        workers: {
          machineConfiguration: {
            registryMirrors: { "*": ["http://10.0.0.5:5000"] },
            discoveryEndpoint: "https://discovery.internal",
            timeServers: ["time.internal"],
          },
        },
      },
    ],
    [
      "in an adopted network with endpoints",
      {
        network: {
          internetAccess: false,
          adopt: {
            vpcId: "vpc-1",
            privateSubnetIds: { "us-east-1a": "subnet-1" },
            endpoints: ["ec2", "elasticloadbalancing"],
          },
        },
        addOns: { cloudController: true },
      },
    ],
    [
      "with workers in a second range",
      {
        network: { ...isolated, workerCidrBlock: "100.64.0.0/16" },
        workerPools: { apps: { machineCount: 1, subnets: "worker" } },
      },
    ],
    [
      "with options that are known later",
      {
        machineConfiguration: {
          registryMirrors: pulumi.output({ "*": ["https://mirror.internal"] }),
          discovery: pulumi.output(false),
        },
      },
    ],
  ])("are taken %s", (_what, change) => {
    const args = chooseAddOns({ ...standardCluster, ...complete, ...change });
    expect(checkTalosCluster("c", args)).toEqual([]);
  });

  it("say how to get what it lacks", async () => {
    const error: unknown = await make({
      network: isolated,
      addOns: {
        cloudController: true,
        clusterAutoscaler: true,
        auditLog: true,
        etcdBackup: { agePublicKey: "none" },
      },
    }).catch((reason: unknown) => reason);
    const { message } = error as pulumi.InputPropertiesError;
    expect(message).toContain(
      `network.interfaceEndpoints: the network has no internet access, and AWS is called at "ec2" (cloudController, clusterAutoscaler), "elasticloadbalancing" (cloudController), "autoscaling" (clusterAutoscaler), "logs" (auditLog): add them, or leave out what calls them`,
    );
    expect(message).toContain(
      `network.gatewayEndpoints: the network has no internet access, and AWS is called at "s3" (etcdBackup)`,
    );
    expect(message).toContain(
      `machineConfiguration.registryMirrors: the machines fetch images from "factory.talos.dev" (upgrades of Talos), "ghcr.io" (kubelet, flannel, auditLog, etcdBackup), "registry.k8s.io" (Kubernetes), which they can't reach`,
    );
    expect(message).toContain(`exposure: "public" needs an internet gateway`);
  });

  it.each<[string, Partial<TalosClusterArgs>, string[]]>([
    [
      "a cluster without internet that lacks everything",
      {
        network: isolated,
        talosVersion: "v1.11.0",
        versionContract: "v1.11",
        kubernetesVersion: "v1.34.0",
        irsa: true,
        addOns: {
          cloudController: true,
          metricsServer: true,
          flux: { url: "https://git.internal/fleet", path: "." },
          externalDns: { zoneIds: ["Z0123456789ABCDEFGHIJ"] },
        },
        workerPools: { apps: { machineCount: 1 } },
      },
      [
        "exposure",
        "controlPlane.subnets",
        "network.interfaceEndpoints",
        "addOns.externalDns",
        "machineConfiguration.registryMirrors",
        "machineConfiguration.timeServers",
        "machineConfiguration.discovery",
        "workers.machineConfiguration.registryMirrors",
        "workers.machineConfiguration.timeServers",
        "workers.machineConfiguration.discovery",
        "addOns.servingCertificateApprover",
        "addOns.metricsServer",
        "addOns.flux",
        "workerPools.apps.subnets",
      ],
    ],
    [
      "mirrors, time, discovery and manifests that are on the internet",
      {
        ...complete,
        cni: "cilium",
        cniManifests: ["https://raw.githubusercontent.com/a/b/v1/cilium.yaml"],
        machineConfiguration: {
          registryMirrors: {
            "*": ["https://registry-1.docker.io"],
            "ghcr.io": ["https://123456789012.dkr.ecr.us-east-1.amazonaws.com"],
          },
          timeServers: ["pool.ntp.org"],
          discoveryEndpoint: "https://discovery.talos.dev",
          extraManifests: ["https://mirror.internal/a.yaml", "https://github.com/a/b.yaml"],
        },
      },
      [
        `machineConfiguration.registryMirrors["*"][0]`,
        `machineConfiguration.registryMirrors["ghcr.io"][0]`,
        "machineConfiguration.timeServers[0]",
        "machineConfiguration.discoveryEndpoint",
        "cniManifests[0]",
        "machineConfiguration.extraManifests[1]",
      ],
    ],
    [
      "definitions of the Gateway API, which are on GitHub",
      { ...complete, addOns: { cilium: { gatewayApi: true } } },
      ["addOns.cilium"],
    ],
    [
      "images from ECR that a network without internet doesn't lead to",
      {
        ...complete,
        workerPools: {
          apps: { machineCount: 1, ...isPrivate, role: { permissions: { ecrPull: true } } },
        },
      },
      ["network.gatewayEndpoints", "network.interfaceEndpoints"],
    ],
    [
      "a pool whose own options forget a mirror",
      {
        ...complete,
        workerPools: {
          apps: {
            machineCount: 1,
            ...isPrivate,
            machineConfiguration: { registryMirrors: { "ghcr.io": ["https://mirror.internal"] } },
          },
        },
      },
      ["workerPools.apps.machineConfiguration.registryMirrors"],
    ],
    [
      "an adopted network without internet that lacks endpoints",
      {
        ...complete,
        network: {
          internetAccess: false,
          adopt: { vpcId: "vpc-1", privateSubnetIds: { "us-east-1a": "subnet-1" } },
        },
        addOns: { ebsCsi: true },
      },
      ["network.adopt.endpoints"],
    ],
    [
      "NAT without internet",
      { ...complete, network: { ...isolated, nat: "single" } },
      ["network.nat"],
    ],
    [
      "a public load balancer in a network without internet",
      {
        network: { zones: ["us-east-1a"], internetAccess: false },
        workerPools: {
          web: { machineCount: 1, ingress: { listeners: { a: { port: 80, targetPort: 30_080 } } } },
        },
      },
      expect.arrayContaining(["workerPools.web.ingress.internal"]) as string[],
    ],
  ])("are rejected: %s", async (_what, change, expected) => {
    const error: unknown = await make(change).catch((reason: unknown) => reason);
    const { errors } = error as pulumi.InputPropertiesError;
    expect(errors.map(({ propertyPath }) => propertyPath)).toEqual(expected);
  });
});
