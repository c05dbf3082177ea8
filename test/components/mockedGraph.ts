import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { createKey, encodeKey } from "../../provider/pki/privateKey";
import { generateAuthority } from "../../provider/pki/rotation/generateAuthority";
import type { CertificateAndKey } from "../../provider/pki/secretsBundle";

/** What the mocked cluster signs tokens with. */
const SERVICE_ACCOUNT_KEY = encodeKey(createKey("p256"));
/** The key of the generation after it. */
const NEXT_SERVICE_ACCOUNT_KEY = encodeKey(createKey("p256"));

/** The Kubernetes CA of the mocked cluster, and the generation after it. Made before the first graph. */
const kubernetesCas: CertificateAndKey[] = [];

/** A resource as the program asked the engine for it. */
export interface Registered {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
  /** Names of the inputs that are secret, or have a secret part. */
  readonly secretInputs: readonly string[];
  /** URN of the parent. */
  readonly parent: string;
  /** URNs of what it waits for, by `dependsOn` and by its inputs. */
  readonly dependencies: readonly string[];
  readonly ignoreChanges: readonly string[];
  /** What replaces it when it changes; undefined: nothing but its inputs. */
  readonly replacementTrigger: unknown;
  /** URNs of those that it is replaced with. */
  readonly replaceWith: readonly string[];
  readonly protect: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly retainOnDelete: boolean;
  /** The URN of the resource that it goes with, or empty. */
  readonly deletedWith: string;
  /** How long its delete may take, as in `600s`; empty for the provider's own limit. */
  readonly deleteTimeout: string;
  /** URN and id of the provider it is made by; empty for the default one. */
  readonly provider: string;
  readonly additionalSecretOutputs: readonly string[];
}

/** What a call of a provider's function answers, by token; a function answers by its inputs. */
export type Calls = Readonly<
  Record<string, (inputs: Record<string, unknown>) => Record<string, unknown>>
>;

/** What the region has when a test says nothing else. */
export const calls: Calls = {
  "aws:index/getRegion:getRegion": () => ({ region: "us-east-1" }),
  "aws:index/getAvailabilityZones:getAvailabilityZones": () => ({
    names: ["us-east-1c", "us-east-1a", "us-east-1b", "us-east-1d"],
  }),
  "aws:ec2/getInstances:getInstances": () => ({ ids: [], privateIps: [] }),
  "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": ({ filters }) => {
    const [{ values }] = filters as [{ values: string[] }];
    const zones = ["us-east-1", "eu-central-1", "eu-west-1"].flatMap((region) =>
      ["a", "b", "c", "d"].map((zone) => `${region}${zone}`),
    );
    return {
      region: "us-east-1",
      instanceTypes: values.flatMap((type) => zones.map(() => type)),
      locations: values.flatMap(() => zones),
    };
  },
  "aws:ec2/getAmi:getAmi": () => ({ id: "ami-0123456789abcdef0" }),
  "aws:route53/getZone:getZone": ({ zoneId }) => ({
    zoneId: zoneId ?? "Z0FOUND",
    nameServers: ["ns-1.awsdns-00.org"],
  }),
};

/** The request that the SDK sends the engine; it has no published type. */
interface RegisterRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getIgnorechangesList(): string[];
  getReplacementTrigger(): { toJavaScript(): unknown } | undefined;
  getReplaceWithList(): string[];
  getAdditionalsecretoutputsList(): string[];
  getProtect(): boolean;
  getDeletebeforereplace(): boolean;
  getRetainondelete(): boolean;
  getDeletedwith(): string;
  getCustomtimeouts(): { getDelete(): string } | undefined;
  getProvider(): string;
}

/** All resources of a program, with questions about them. */
export class Graph {
  constructor(readonly resources: readonly Registered[]) {}

  ofType(type: string): Registered[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  named(type: string, name: string): Registered {
    const found = this.ofType(type).filter((resource) => resource.name === name);
    const [only] = found;
    if (only === undefined || found.length > 1) {
      const known = this.ofType(type).map((resource) => resource.name);
      throw new Error(`${found.length} resources ${type} "${name}", only: ${known.join(", ")}`);
    }
    return only;
  }

  /** Names with types: what must not change from release to release. */
  identities(): string[] {
    return this.resources.map(({ type, name }) => `${type} ${name}`).sort();
  }

  /** Everything that is there before a resource is: what it or its parents wait for. */
  before(resource: Registered): Registered[] {
    const seen = new Set<string>();
    const byUrn = new Map(this.resources.map((each) => [each.urn, each]));
    const visit = (urn: string) => {
      const found = byUrn.get(urn);
      if (found !== undefined && !seen.has(urn)) {
        seen.add(urn);
        [...found.dependencies, found.parent].forEach(visit);
      }
    };
    [...resource.dependencies, resource.parent].forEach(visit);
    return this.resources.filter(({ urn }) => seen.has(urn));
  }
}

/**
 * Runs a program against a mocked engine and waits until it has asked for everything.
 *
 * @param options.preview computed outputs are unknown, as before anything exists
 * @param options.project the project's name; default: `talos-aws`
 * @param options.stopped names of machines that are stopped, as a refresh records them
 * @param options.recorded outputs besides those that every test has, by the name of the resource. An
 * undefined one is unknown in a preview
 */
export async function build<T>(
  make: () => T | Promise<T>,
  options: {
    calls?: Calls;
    preview?: boolean;
    project?: string;
    stopped?: readonly string[];
    recorded?: (resource: { type: string; name: string }) => Record<string, unknown> | undefined;
  } = {},
): Promise<{ value: T; graph: Graph }> {
  const resources: Registered[] = [];
  const requests = vi.spyOn(MockMonitor.prototype, "registerResource");
  const answers = { ...calls, ...options.calls };
  while (kubernetesCas.length < 2) {
    kubernetesCas.push(await generateAuthority("kubernetesCa"));
  }
  await pulumi.runtime.setMocks(
    {
      call: ({ token, inputs }) => {
        const answer = answers[token];
        if (answer === undefined) {
          throw new Error(`no test answers ${token}`);
        }
        return answer(inputs as Record<string, unknown>);
      },
      newResource: ({ type, name, inputs }) => {
        const given = inputs as Record<string, unknown>;
        const request = requests.mock.calls
          .map(([sent]) => sent as RegisterRequest)
          .find((sent) => sent.getType() === type && sent.getName() === name);
        if (request === undefined) {
          throw new Error(`${type} "${name}" was never asked for`);
        }
        resources.push({
          urn: urnOf(request.getParent(), type, name),
          type,
          name,
          inputs: Object.fromEntries(
            Object.entries(given).map(([key, value]) => [key, withoutSecrets(value)]),
          ),
          secretInputs: Object.keys(given).filter((key) => holdsSecret(given[key])),
          parent: request.getParent(),
          dependencies: request.getDependenciesList(),
          ignoreChanges: request.getIgnorechangesList(),
          replacementTrigger: request.getReplacementTrigger()?.toJavaScript(),
          replaceWith: request.getReplaceWithList(),
          protect: request.getProtect(),
          deleteBeforeReplace: request.getDeletebeforereplace(),
          retainOnDelete: request.getRetainondelete(),
          deletedWith: request.getDeletedwith(),
          deleteTimeout: request.getCustomtimeouts()?.getDelete() ?? "",
          provider: request.getProvider(),
          additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
        });
        const isOff = type.endsWith(":Instance") && options.stopped?.includes(name) === true;
        const off = isOff ? { publicIp: "", publicDns: "", instanceState: "stopped" } : {};
        const recorded = options.recorded?.({ type, name });
        const isNew = options.preview === true && recorded === undefined;
        return isNew
          ? { id: undefined, state: given }
          : {
              id: `${name}-id`,
              state: { ...given, ...computed(type, name, given), ...off, ...recorded },
            };
      },
    },
    options.project ?? "talos-aws",
    "test",
    options.preview ?? false,
  );
  try {
    const value = await make();
    await pulumi.runtime.disconnect();
    return { value, graph: new Graph(resources) };
  } finally {
    requests.mockRestore();
  }
}

/** The value of an output, once the mocked engine has it. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  // The way the SDK itself awaits outputs; another `apply` would leave a failure unhandled.
  return (output as unknown as { promise(): Promise<T> }).promise();
}

/** Whether a part of an input is secret: the engine then keeps the whole input secret. */
function holdsSecret(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (isRpcSecret(value) || Object.values(value).some(holdsSecret))
  );
}

function withoutSecrets(value: unknown): unknown {
  const plain: unknown = unwrapRpcSecret(value);
  if (Array.isArray(plain)) {
    return plain.map(withoutSecrets);
  }
  return typeof plain === "object" && plain !== null && Object.values(plain).some(holdsSecret)
    ? Object.fromEntries(Object.entries(plain).map(([key, part]) => [key, withoutSecrets(part)]))
    : plain;
}

/** As the mocked engine makes them. */
function urnOf(parent: string, type: string, name: string): string {
  const parentType = parent === "" ? undefined : parent.split("::")[2]?.split("$").at(-1);
  const qualified = parentType === undefined ? type : `${parentType}$${type}`;
  return ["urn:pulumi:test", "talos-aws", qualified, name].join("::");
}

/** A machine configuration as short as it can be. */
const ROLE = `version: v1alpha1
machine:
  type: controlplane
  token: abcdef.0123456789abcdef
  ca: {crt: YQ==, key: YQ==}
  install: {image: "factory.talos.dev/aws-installer/0:v1.12.1"}
cluster:
  token: abcdef.0123456789abcdef
  controlPlane: {endpoint: "https://k8s.sandbox.example.com:6443"}
  network: {podSubnets: [10.244.0.0/16], serviceSubnets: [10.96.0.0/12]}
  ca: {crt: YQ==, key: YQ==}
  aggregatorCA: {crt: YQ==, key: YQ==}
  etcd: {ca: {crt: YQ==, key: YQ==}}
  serviceAccount: {key: YQ==}
`;

function computed(
  type: string,
  name: string,
  { subnetId, secret, assignGeneratedIpv6CidrBlock: hasIpv6 }: Record<string, unknown>,
): Record<string, unknown> {
  const index = Number(/(\d+)$/.exec(name)?.[1] ?? 0);
  switch (type) {
    case "aws:ec2/instance:Instance":
      return {
        publicIp: `198.51.100.${index}`,
        privateIp: `10.0.0.${index}`,
        availabilityZone:
          /[a-z]{2}-[a-z]+-\d[a-z]/.exec(String(subnetId))?.[0] ??
          `us-east-1${"xabcde"[index] ?? ""}`,
      };
    case "pulumi-nodejs:dynamic/talos:ConfigurationApply":
      return { configurationHash: `${name}-hash` };
    case "aws:ec2/vpc:Vpc":
      return { ipv6CidrBlock: hasIpv6 === true ? "2001:db8:0:1200::/56" : "" };
    case "aws:ec2/eip:Eip":
      return { publicIp: "198.51.100.200" };
    case "aws:cloudwatch/logGroup:LogGroup":
      return { arn: `arn:aws:logs:us-east-1:123456789012:log-group:${name}` };
    case "aws:lb/loadBalancer:LoadBalancer":
      return { arn: `arn:${name}`, dnsName: `${name}.elb.example`, zoneId: "Z0ELB" };
    case "aws:lb/targetGroup:TargetGroup":
      return { arn: `arn:${name}` };
    case "aws:ec2/launchTemplate:LaunchTemplate":
      return { latestVersion: 7 };
    case "aws:autoscaling/group:Group":
      return { name: `${name}-name` };
    case "aws:iam/role:Role":
      return { name: `${name}-name`, arn: `arn:${name}` };
    case "aws:iam/openIdConnectProvider:OpenIdConnectProvider":
      return { arn: `arn:${name}` };
    case "aws:ec2/placementGroup:PlacementGroup":
    case "aws:iam/instanceProfile:InstanceProfile":
      return { name: `${name}-name` };
    case "aws:route53/zone:Zone":
      return { zoneId: "Z0MADE", nameServers: ["ns-9.awsdns-99.org"] };
    case "pulumi-nodejs:dynamic/talos:MachineSecrets":
      return {
        secretsBundle: {
          cluster: { id: "id", secret: "secret" },
          secrets: { bootstraptoken: "abcdef.1", secretboxencryptionsecret: "secretbox" },
          trustdinfo: { token: "abcdef.1" },
          certs: {
            k8sserviceaccount: { key: SERVICE_ACCOUNT_KEY },
            os: { crt: "certificate", key: "key" },
            k8s: kubernetesCas[0],
            etcd: { crt: "certificate", key: "key" },
            k8saggregator: { crt: "certificate", key: "key" },
          },
        },
      };
    case "pulumi-nodejs:dynamic/talos:RotatedAuthority":
      return { certificateAuthority: kubernetesCas[1] };
    case "pulumi-nodejs:dynamic/talos:RotatedSecret":
      return { value: secret === "serviceAccountKey" ? NEXT_SERVICE_ACCOUNT_KEY : "abcdef.2" };
    case "pulumi-nodejs:dynamic/talos:ClientConfiguration":
      return {
        credentials: { ca: "ca", crt: "crt", key: "key" },
        talosconfig: `talosconfig ${name}`,
      };
    case "pulumi-nodejs:dynamic/talos:MachineConfiguration":
      return { machineConfiguration: `# ${name}\n${ROLE}` };
    case "pulumi-nodejs:dynamic/talos:ClusterKubeconfig":
      return { kubeconfig: "kubeconfig" };
    default:
      return {};
  }
}
