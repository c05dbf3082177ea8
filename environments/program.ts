import * as pulumi from "@pulumi/pulumi";
import { type ClusterControlPlaneArgs, TalosCluster, type TalosClusterArgs } from "../components";
import { defined } from "../components/defined";
import { madeOf } from "../provider/engine/markedInputs";
import { findAdopted } from "./findAdopted";
import { findPlaceholders } from "./placeholders";
import { ProgramError } from "./programError";
import { type KnownClusterArgs, parseSettings, type Settings, SettingsError } from "./settings";

/**
 * The program of every environment: one cluster, from the settings of the stack. Returns the
 * outputs of `pulumi stack output`. The Automation API can run it as an inline program.
 *
 * @throws ProgramError that lists all problems of the settings
 */
export function program(): Promise<Record<string, unknown>> {
  return programWith(({ cluster }) => findAdopted(cluster));
}

/** The same, with another search for existing resources than in the account. */
export async function programWith(
  find: (settings: Settings) => Promise<KnownClusterArgs>,
): Promise<Record<string, unknown>> {
  const settings = readSettings();
  refusePlaceholders(settings);
  // The search comes before any resource is registered: an inline program with resources that wait
  // for a failed value never ends (pulumi v3.230.0, sdk/nodejs/runtime/resource.ts).
  const found = await find(settings);
  const cluster = new TalosCluster(settings.name, withSecretPatches(found));
  const users = Object.entries(settings.kubeconfigs).map(([user, { groups, lifetimeHours }]) => {
    const request = defined({ user, groups: groups && [...groups], lifetimeHours });
    return [user, cluster.getKubeconfig(request)] as const;
  });
  return {
    endpoint: cluster.endpoint,
    kubeconfig: cluster.kubeconfig,
    ...(users.length > 0 && { kubeconfigs: Object.fromEntries(users) }),
    talosconfig: cluster.talosconfig,
    nodes: cluster.nodes,
    autoScalingGroupNames: cluster.autoScalingGroupNames,
    vpcId: cluster.vpcId,
    subnetIds: cluster.subnetIds,
    privateSubnetIds: cluster.privateSubnetIds,
    natAddresses: cluster.natAddresses,
    securityGroupIds: cluster.securityGroupIds,
    loadBalancerDnsName: cluster.loadBalancerDnsName,
    nameServers: cluster.nameServers,
  };
}

function readSettings(): Settings {
  const all = pulumi.runtime.allConfig();
  const prefix = `${pulumi.getProject()}:`;
  const own = Object.entries(all).filter(([key]) => key.startsWith(prefix));
  try {
    return parseSettings({
      stack: pulumi.getStack(),
      region: all["aws:region"],
      values: Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])),
    });
  } catch (error) {
    // The engine shows such an error without a stack trace.
    throw error instanceof SettingsError ? new ProgramError(error.message) : error;
  }
}

/** A preview with placeholders is useful, but an update would only cost money. */
function refusePlaceholders({ preset, cluster }: Settings): void {
  const problems = preset === "local" ? [] : findPlaceholders(cluster);
  if (problems.length === 0) {
    return;
  }
  const { message } = new SettingsError(pulumi.getStack(), problems);
  if (!pulumi.runtime.isDryRun()) {
    throw new ProgramError(message);
  }
  void pulumi.log.warn(`this is only a preview: ${message}`);
}

/**
 * Patches often contain credentials, for example of a registry, so the state keeps them encrypted.
 */
function withSecretPatches(cluster: KnownClusterArgs): TalosClusterArgs {
  const { controlPlane, workers, workerPools } = cluster;
  const pools = Object.entries(workerPools).map(
    ([name, pool]) => [name, withSecretMachines(secretly(pool))] as const,
  );
  return {
    ...secretly(cluster),
    controlPlane: withSecretMachines(controlPlane),
    ...(workers && { workers: secretly(workers) }),
    workerPools: Object.fromEntries(pools),
  };
}

function withSecretMachines<
  Given extends { readonly machines?: ClusterControlPlaneArgs["machines"] },
>(given: Given): Given {
  const { machines } = given;
  if (machines === undefined) {
    return given;
  }
  const secret = Object.entries(machines).map(
    ([key, machine]) => [key, secretly(machine)] as const,
  );
  return { ...given, machines: Object.fromEntries(secret) };
}

function secretly<Given extends { readonly patches?: TalosClusterArgs["patches"] }>(
  given: Given,
): Given {
  const { patches } = given;
  if (patches === undefined) {
    return given;
  }
  const secret = pulumi.secret(patches);
  // Only what the configuration has as a secret is hidden in outlines.
  return { ...given, patches: hasSecretSettings() ? secret : madeOf(secret, patches) };
}

/** Settings that can have patches inside. */
const PATCHED_SETTINGS = ["patches", "controlPlane", "workers", "workerPools"];

/**
 * Whether a setting with patches has a secret inside. The SDK's types lack this environment variable,
 * in which the engine lists such settings (pulumi v3.230.0, sdk/nodejs/runtime/config.ts).
 */
function hasSecretSettings(): boolean {
  const listed: unknown = JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]");
  const keys: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return PATCHED_SETTINGS.some((name) => keys.includes(`${pulumi.getProject()}:${name}`));
}
