import { allRules, type JudgedResource, type Rule } from "../../../policies";
import { dynamicType, pluginType } from "../../../provider/engine/talosTypes";

/** What stands in events for what isn't known yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const instance = "aws:ec2/instance:Instance";
const template = "aws:ec2/launchTemplate:LaunchTemplate";
const ingress = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const apply = dynamicType("ConfigurationApply");

/** A resource of a dynamic type as the plugin has it. */
const ofPlugin = (dynamic: JudgedResource): JudgedResource => ({
  ...dynamic,
  type: dynamic.type.replace("pulumi-nodejs:dynamic/talos:", "talos-aws:index:"),
});

function rule(name: string): Rule {
  const found = allRules().find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`there is no rule "${name}"`);
  }
  return found;
}

function resource(type: string, inputs: object, more: Partial<JudgedResource> = {}) {
  return {
    urn: `urn:pulumi:sandbox::p::${type}::it`,
    type,
    name: "it",
    outputs: {},
    isProtected: false,
    inputs: { ...inputs },
    ...more,
  };
}

/** What a rule says of resources. */
function judge(name: string, ...resources: JudgedResource[]): readonly string[] {
  const found = rule(name);
  return "judgeAll" in found
    ? found.judgeAll(resources).map(({ reason }) => reason)
    : resources.flatMap(found.judge);
}

it("names each rule once", () => {
  const names = allRules().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe("closed-talos-api", () => {
  const opening = (cidr: string, fromPort: number, toPort: number, ipProtocol = "tcp") =>
    resource(ingress, {
      [cidr.includes(":") ? "cidrIpv6" : "cidrIpv4"]: cidr,
      fromPort,
      toPort,
      ipProtocol,
    });

  it.each([
    opening("0.0.0.0/0", 50000, 50000),
    opening("::/0", 50001, 50001),
    opening("0.0.0.0/1", 0, 65535),
    opening("0.0.0.0/0", -1, -1, "-1"),
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", {
      type: "ingress",
      protocol: "6",
      fromPort: 49000,
      toPort: 51000,
      ipv6CidrBlocks: ["fd00::/64", "::/0"],
    }),
    resource("aws:ec2/securityGroup:SecurityGroup", {
      ingress: [{ protocol: "tcp", fromPort: 50000, toPort: 50000, cidrBlocks: ["0.0.0.0/0"] }],
    }),
  ])("rejects what opens it to the world: %#", (open) => {
    expect(judge("closed-talos-api", open)).toEqual([
      expect.stringMatching(/^it opens the Talos API to "[^"]+\/[01]": /),
    ]);
  });

  it.each([
    opening("203.0.113.0/24", 50000, 50000),
    opening("10.0.0.0/8", 50000, 50000),
    opening("0.0.0.0/0", 6443, 6443),
    opening("0.0.0.0/0", 50000, 50000, "udp"),
    opening(UNKNOWN, 50000, 50000),
    resource("aws:ec2/securityGroupRule:SecurityGroupRule", {
      type: "egress",
      protocol: "-1",
      fromPort: 0,
      toPort: 0,
      cidrBlocks: ["0.0.0.0/0"],
    }),
  ])("accepts what doesn't: %#", (closed) => {
    expect(judge("closed-talos-api", closed)).toEqual([]);
  });
});

describe("encrypted-volumes", () => {
  it.each([
    [resource(instance, { rootBlockDevice: { encrypted: false } }), "rootBlockDevice"],
    [resource(instance, {}), "rootBlockDevice"],
    [
      resource(instance, {
        rootBlockDevice: { encrypted: true },
        ebsBlockDevices: [{ encrypted: true }, { volumeSize: 8 }],
      }),
      "ebsBlockDevices[1]",
    ],
    [resource(template, {}), "the root volume"],
    [
      resource(template, { blockDeviceMappings: [{ ebs: { encrypted: "false" } }] }),
      "blockDeviceMappings[0].ebs",
    ],
    [resource("aws:ebs/volume:Volume", { size: 8 }), "the volume"],
  ])("rejects an unencrypted volume: %#", (machine, place) => {
    expect(judge("encrypted-volumes", machine)).toEqual([
      expect.stringContaining(`${place} is not encrypted`),
    ]);
  });

  it.each([
    resource(instance, { rootBlockDevice: { encrypted: true } }),
    resource(instance, { rootBlockDevice: { encrypted: UNKNOWN } }),
    resource(template, {
      blockDeviceMappings: [{ ebs: { encrypted: "true" } }, { virtualName: "ephemeral0" }],
    }),
    resource("aws:ebs/volume:Volume", { encrypted: true }),
  ])("accepts encrypted ones: %#", (machine) => {
    expect(judge("encrypted-volumes", machine)).toEqual([]);
  });
});

describe("metadata-tokens", () => {
  it.each([instance, template])("requires IMDSv2 of %s", (type) => {
    const [required, optional] = ["required", "optional"].map((httpTokens) =>
      resource(type, { metadataOptions: { httpTokens } }),
    ) as [JudgedResource, JudgedResource];
    expect(judge("metadata-tokens", resource(type, {}))).toHaveLength(1);
    expect(judge("metadata-tokens", optional)).toHaveLength(1);
    expect(judge("metadata-tokens", required)).toEqual([]);
    expect(judge("metadata-tokens", resource(type, { metadataOptions: UNKNOWN }))).toEqual([]);
  });

  it("accepts a machine without a metadata service", () => {
    const off = resource(instance, { metadataOptions: { httpEndpoint: "disabled" } });
    expect(judge("metadata-tokens", off)).toEqual([]);
  });
});

describe("odd-control-planes", () => {
  const machine = (clusterName: string, type = "controlplane") =>
    resource(apply, { redactedConfiguration: { machine: { type }, cluster: { clusterName } } });

  it("counts the control plane machines of each cluster separately", () => {
    const [one, two] = [machine("a"), machine("b")];
    expect(judge("odd-control-planes", one, two, machine("a", "worker"))).toEqual([]);
    expect(judge("odd-control-planes", one, one, two)).toEqual([
      expect.stringMatching(/^its cluster has 2 control plane machines, .* use 1 or 3$/),
    ]);
    expect(judge("odd-control-planes", one, one, one)).toEqual([]);
    // A stack that changes to the plugin has both types for a while.
    expect(judge("odd-control-planes", one, ofPlugin(one))).toHaveLength(1);
    expect(judge("odd-control-planes", one, one, ofPlugin(one))).toEqual([]);
  });

  it("tells clusters apart whose configurations are in documents", () => {
    const inDocuments = (clusterName: string) =>
      resource(apply, {
        redactedConfiguration: {
          machine: { type: "controlplane" },
          KubeClusterConfig: { clusterName, endpoint: "https://a:6443" },
        },
      });
    const [one, two] = [inDocuments("a"), inDocuments("b")];
    expect(judge("odd-control-planes", one, two)).toEqual([]);
    expect(judge("odd-control-planes", one, one, two)).toHaveLength(1);
  });

  it("counts only known values", () => {
    const unknown = resource(apply, { redactedConfiguration: UNKNOWN });
    expect(judge("odd-control-planes", unknown, unknown)).toEqual([]);
  });
});

describe("pinned-versions", () => {
  const configuration = (talosVersion: string, kubernetesVersion: string) =>
    resource(dynamicType("MachineConfiguration"), {
      talosVersion,
      kubernetesVersion,
    });
  const running = (redactedConfiguration: object) => resource(apply, { redactedConfiguration });

  it("requires complete releases", () => {
    expect(judge("pinned-versions", configuration("v1.12.1", "v1.35.0"))).toEqual([]);
    expect(judge("pinned-versions", configuration("v1.13.0-beta.1", UNKNOWN))).toEqual([]);
    expect(judge("pinned-versions", configuration("v1.12", "latest"))).toEqual([
      expect.stringContaining('"talosVersion" is "v1.12"'),
      expect.stringContaining('"kubernetesVersion" is "latest"'),
    ]);
    const served = ofPlugin(configuration("v1.12", "v1.35.0"));
    expect(judge("pinned-versions", served)).toHaveLength(1);
  });

  it("requires images by tag or digest", () => {
    const install = (image: string) => running({ machine: { install: { image } } });
    for (const pinned of [
      "factory.talos.dev/installer/376567:v1.12.1",
      "localhost:5000/installer:v1.12.1",
      `localhost:5000/installer@sha256:${"0".repeat(64)}`,
    ]) {
      expect(judge("pinned-versions", install(pinned))).toEqual([]);
    }
    for (const moving of ["ghcr.io/siderolabs/installer:latest", "localhost:5000/installer"]) {
      expect(judge("pinned-versions", install(moving))).toEqual([
        expect.stringContaining(`machine.install.image is "${moving}"`),
      ]);
      expect(judge("pinned-versions", ofPlugin(install(moving)))).toHaveLength(1);
    }
  });

  it("requires a version in manifests' URLs", () => {
    const manifests = (...extraManifests: string[]) => running({ cluster: { extraManifests } });
    const pinned = "https://example.com/cni/v1.2.3/cni.yaml";
    const moving = "https://example.com/cni/main/cni.yaml";
    expect(judge("pinned-versions", manifests(pinned, moving))).toEqual([
      expect.stringContaining(`cluster.extraManifests has "${moving}"`),
    ]);
    const documents = {
      "KubeExternalManifestConfig/a": { url: pinned },
      "KubeExternalManifestConfig/b": { url: moving },
    };
    expect(judge("pinned-versions", running(documents))).toEqual([
      expect.stringContaining(`KubeExternalManifestConfig/b has "${moving}"`),
    ]);
  });
});

describe("no-plain-secrets", () => {
  const key = `-----BEGIN EC PRIVATE KEY-----\n${"MHcCAQEEI".repeat(10)}\n-----END`;
  const encoded = Buffer.from(key).toString("base64");
  const stack = (outputs: object) =>
    resource("pulumi:pulumi:Stack", {}, { outputs: { ...outputs } });

  it.each([
    ["a private key", key],
    ["a private key", `some text ${encoded} and more`],
    ["a private key", { machine: [{ key: encoded }] }],
    ["a token to join with", 'machine: { token: "abcdef.0123456789abcdef" }'],
  ])("finds %s in an output: %#", (what, value) => {
    expect(judge("no-plain-secrets", stack({ shown: value }))).toEqual([
      `the stack's output "shown" contains ${what} that isn't marked as secret: everyone who can read the state can read it; wrap it in pulumi.secret`,
    ]);
  });

  it("finds them in inputs, and never repeats one", () => {
    const machine = resource(instance, { userData: key });
    const said = judge("no-plain-secrets", machine);
    expect(said).toEqual([expect.stringContaining('"userData" contains a private key')]);
    expect(said.join()).not.toContain("MHcCAQEEI");
  });

  it("accepts marked secrets, certificates and public keys", () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
    const outputs = {
      kubeconfig: "[secret]",
      authority: Buffer.from(certificate.repeat(4)).toString("base64"),
      token: "«3f2a»",
    };
    expect(judge("no-plain-secrets", stack(outputs))).toEqual([]);
  });
});

describe("protected-production", () => {
  const controlPlane =
    "p::talos-aws:index:TalosCluster$talos-aws:index:ControlPlane$aws:ec2/instance:Instance::it";
  const inStack = (stack: string, type: string, inputs: object, isProtected = false) =>
    resource(type, inputs, {
      urn: `urn:pulumi:${stack}::${type === instance ? controlPlane : `p::${type}::it`}`,
      isProtected,
    });

  it.each([
    [dynamicType("MachineSecrets"), {}],
    [pluginType("MachineSecrets"), {}],
    ["aws:ec2/vpc:Vpc", {}],
    ["aws:route53/zone:Zone", {}],
    ["aws:lb/loadBalancer:LoadBalancer", { enableDeletionProtection: true }],
    [instance, { disableApiTermination: true }],
  ])("requires protection of %s, only in production", (type, inputs) => {
    expect(judge("protected-production", inStack("production", type, inputs))).toHaveLength(1);
    expect(judge("protected-production", inStack("eu-prod", type, inputs))).toHaveLength(1);
    expect(judge("protected-production", inStack("production", type, inputs, true))).toEqual([]);
    expect(judge("protected-production", inStack("staging", type, inputs))).toEqual([]);
    expect(judge("protected-production", inStack("product", type, inputs))).toEqual([]);
  });

  it("requires protection in AWS, too", () => {
    const balancer = inStack("prod", "aws:lb/loadBalancer:LoadBalancer", {}, true);
    expect(judge("protected-production", balancer, inStack("prod", instance, {}, true))).toEqual([
      expect.stringContaining("enableDeletionProtection"),
      expect.stringContaining("disableApiTermination"),
    ]);
  });

  it("does not require protection of workers", () => {
    const worker = resource(instance, {}, { urn: `urn:pulumi:prod::p::${instance}::worker-1` });
    expect(judge("protected-production", worker)).toEqual([]);
  });

  it("uses the option that names production stacks", () => {
    const [own] = allRules({ isProduction: (stack) => stack === "live" }).filter(
      ({ name }) => name === "protected-production",
    );
    const vpc = inStack("live", "aws:ec2/vpc:Vpc", {});
    expect(own !== undefined && "judge" in own ? own.judge(vpc) : []).toHaveLength(1);
  });
});
