import * as pulumi from "@pulumi/pulumi";
import type { ClusterWorkerConfigurationArgs } from "../arguments/clusterWorkersArgs";
import { type ClusterJoin, SHARED_ARGUMENTS } from "./clusterJoin";

/** What another stack says, which is known as a whole. */
type Told = pulumi.Unwrap<ClusterJoin>;

/**
 * The options of a worker's configuration, and whether a preview may show what another stack says of them. An option
 * without a row doesn't compile.
 */
const OPTIONS = {
  certSans: "hidden",
  discovery: "hidden",
  discoveryEndpoint: "hidden",
  diskEncryption: "hidden",
  dnsDomain: "hidden",
  ecrCredentialProvider: "shown",
  externalCloudProvider: "hidden",
  extraKernelArgs: "shown",
  features: "hidden",
  kernelModules: "hidden",
  kubeProxy: "hidden",
  kubeletExtraArgs: "hidden",
  nameservers: "hidden",
  networkInterfaces: "hidden",
  nodeAnnotations: "hidden",
  registerWithFqdn: "hidden",
  registryMirrors: "hidden",
  schematicId: "shown",
  searchDomains: "hidden",
  secureEphemeral: "hidden",
  sysctls: "hidden",
  systemExtensions: "shown",
  timeServers: "hidden",
  userVolumes: "hidden",
} as const satisfies Record<keyof ClusterWorkerConfigurationArgs, "shown" | "hidden">;

/** Whether it stands in the program, so that it is known what it has before its values are. */
export function isWritten(join: pulumi.Input<ClusterJoin>): join is ClusterJoin {
  return !pulumi.Output.isInstance(join) && !(join instanceof Promise);
}

/**
 * What a cluster hands out, with each part as an input of its own. Another stack's is secret as a whole: ids and releases in
 * it are shown.
 *
 * @param zoneKeys of the pool, whose subnets are read
 */
export function readJoin(
  join: pulumi.Input<ClusterJoin>,
  tier: keyof ClusterJoin["subnets"],
  zoneKeys: readonly string[],
): Omit<ClusterJoin, "drainSeconds"> {
  if (isWritten(join)) {
    return join;
  }
  const told = pulumi.unsecret(pulumi.output(join));
  const shown = <Part>(pick: (join: Told) => Part) => told.apply(pick);
  // A secret that is absent would reach the engine as null.
  const hidden = <Part>(pick: (join: Told) => Part) =>
    told.apply((known) => {
      const part = pick(known);
      return part === undefined ? pulumi.output(part) : pulumi.secret(part);
    });
  const membersOf = (names: readonly string[], read: (name: string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, read(name)]));
  const read = {
    clusterName: shown(({ clusterName }) => clusterName),
    securityGroupId: shown(({ securityGroupId }) => securityGroupId),
    apiGroupId: shown(({ apiGroupId }) => apiGroupId),
    admitsUnknownAddresses: shown(({ admitsUnknownAddresses }) => admitsUnknownAddresses),
    subnets: {
      [tier]: membersOf(zoneKeys, (key) =>
        shown(({ subnets }) => (subnets[tier] as Partial<Record<string, string>>)[key]),
      ),
    },
    configuration: membersOf(SHARED_ARGUMENTS, (name) => {
      const pick = ({ configuration }: Told) => memberOf(configuration, name);
      return name === "secretsBundle" ? hidden(pick) : shown(pick);
    }),
    options: Object.fromEntries(
      Object.entries(OPTIONS).map(([name, how]) => {
        const pick = ({ options }: Told) => memberOf(options, name);
        return [name, how === "shown" ? shown(pick) : hidden(pick)];
      }),
    ),
    patches: hidden(({ patches }) => patches),
    acceptedChanges: shown(({ acceptedChanges }) => acceptedChanges),
    administration: {
      credentials: hidden(({ administration }) => administration?.credentials),
      talosEndpoint: shown(({ administration }) => administration?.talosEndpoint),
      controlPlanes: shown(({ administration }) => administration?.controlPlanes),
      controlPlaneEndpoint: shown(({ administration }) => administration?.controlPlaneEndpoint),
      kubernetes: hidden(({ administration }) => administration?.kubernetes),
    },
  };
  // The parts of one type, which the SDK's types of an unwrapped value don't show any more.
  return read as unknown as Omit<ClusterJoin, "drainSeconds">;
}

function memberOf(value: object, name: string): unknown {
  return (value as Partial<Record<string, unknown>>)[name];
}
