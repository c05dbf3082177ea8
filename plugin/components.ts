import * as pulumi from "@pulumi/pulumi";
import {
  ApiLoadBalancer,
  AutoScalingWorkerPool,
  ControlPlane,
  DnsRecord,
  EtcdBackup,
  Firewall,
  IngressLoadBalancer,
  JoinedWorkerPool,
  MachineImage,
  Network,
  NodeRole,
  SchematicImage,
  ServiceAccountIssuer,
  ServiceAccountRole,
  TalosCluster,
  WorkerPool,
} from "../components";
import { onceKnown } from "../components/onceKnown";
import { ConfigurationRollout } from "../provider";
import { PLUGIN_PACKAGE } from "../provider/engine";
import { outputsOf } from "../provider/schema";

type Component = pulumi.ComponentResource;
type Construct = (name: string, args: never, opts: pulumi.ComponentResourceOptions) => Component;

const components: Readonly<Record<string, Construct>> = {
  ApiLoadBalancer: (...given) => new ApiLoadBalancer(...given),
  AutoScalingWorkerPool: (...given) => new AutoScalingWorkerPool(...given),
  ConfigurationRollout: (...given) => new ConfigurationRollout(...given),
  ControlPlane: (...given) => new ControlPlane(...given),
  DnsRecord: (...given) => new DnsRecord(...given),
  EtcdBackup: (...given) => new EtcdBackup(...given),
  Firewall: (...given) => new Firewall(...given),
  IngressLoadBalancer: (...given) => new IngressLoadBalancer(...given),
  JoinedWorkerPool: (...given) => new JoinedWorkerPool(...given),
  MachineImage: (...given) => new MachineImage(...given),
  Network: (...given) => new Network(...given),
  NodeRole: (...given) => new NodeRole(...given),
  SchematicImage: (...given) => new SchematicImage(...given),
  ServiceAccountIssuer: (...given) => new ServiceAccountIssuer(...given),
  ServiceAccountRole: (...given) => new ServiceAccountRole(...given),
  TalosCluster: (...given) => new TalosCluster(...given),
  WorkerPool: (...given) => new WorkerPool(...given),
};

/** The names of all components. */
export const COMPONENT_NAMES = Object.keys(components);

/** The methods of a cluster: today's name, and the former one. */
const KUBECONFIG_METHODS: ReadonlySet<string> = new Set(["createKubeconfig", "getKubeconfig"]);

/** The clusters of this run by URN, for their methods. */
const clusters = new Map<string, TalosCluster>();

/**
 * Creates a component such as `talos-aws:index:TalosCluster`.
 *
 * @throws Error if there is no such component
 * @throws pulumi.InputPropertiesError for wrong arguments
 */
export async function constructComponent(
  name: string,
  type: string,
  args: pulumi.Inputs,
  opts: pulumi.ComponentResourceOptions,
): Promise<pulumi.provider.ConstructResult> {
  const [owner, module, kind = ""] = type.split(":");
  const construct = Object.hasOwn(components, kind) ? components[kind] : undefined;
  if (owner !== PLUGIN_PACKAGE || module !== "index" || construct === undefined) {
    const known = COMPONENT_NAMES.join(", ");
    throw new Error(`this release of the plugin has no component "${type}", only ${known}`);
  }
  // The schema gives the arguments the types that the component expects.
  const component = construct(name, args as never, opts);
  if (component instanceof TalosCluster) {
    clusters.set(await onceKnown(component.urn), component);
  }
  const outputs = Object.entries(outputsOf(type, component));
  return {
    urn: component.urn,
    state: Object.fromEntries(outputs.map(([name, value]) => [name, asOneSecret(value)])),
  };
}

/**
 * An output whose parts are outputs is one secret, because a program in YAML gets `{}` in place of each secret part of
 * `Any` (pulumi-yaml v1.32.0). It is what hands out keys: `TalosCluster.join`.
 */
function asOneSecret(value: unknown): unknown {
  const isWhole = typeof value !== "object" || value === null || pulumi.Output.isInstance(value);
  return isWhole ? value : pulumi.secret(value);
}

/**
 * Calls a method such as `talos-aws:index:TalosCluster/createKubeconfig`. The former name `getKubeconfig` works too.
 *
 * @throws Error if there is no such method
 */
export async function callComponent(
  token: string,
  { __self__: self, ...args }: pulumi.Inputs,
): Promise<pulumi.provider.InvokeResult> {
  const cluster = clusters.get(await urnOf(self as unknown));
  const [, method = ""] = token.split("/");
  if (cluster === undefined || !KUBECONFIG_METHODS.has(method)) {
    throw new Error(
      `this release of the plugin has no method "${token}" of a cluster of this program, only talos-aws:index:TalosCluster/createKubeconfig`,
    );
  }
  return { outputs: { kubeconfig: cluster.createKubeconfig(args as never) } };
}

function urnOf(self: unknown): Promise<string> {
  const urn = pulumi.Resource.isInstance(self) ? self.urn : pulumi.output(self as string);
  return onceKnown(urn);
}
