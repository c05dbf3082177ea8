import * as pulumi from "@pulumi/pulumi";
import { type ClusterControlPlaneArgs, TalosCluster, type TalosClusterArgs } from "../components";
import { hasIssuers } from "../components/access";
import { madeOf } from "../provider/engine";
import { outputsOf } from "../provider/schema";
import { findPlaceholders } from "./placeholders";
import { ProgramError } from "./programError";
import { parseSettings, type Settings, SettingsError } from "./settings";
import { CLUSTER, type PlainClusterArgs } from "./settingsSchema";

/**
 * The program of every environment: one cluster, from the settings of the stack. Returns the
 * outputs of `pulumi stack output`. The Automation API can run it as an inline program.
 *
 * @throws ProgramError that lists all problems of the settings
 */
export function program(): Promise<Record<string, unknown>> {
  return programWith(({ cluster }) => cluster);
}

/** The same, with arguments that were changed after they were read. */
export function programWith(
  change: (settings: Settings) => PlainClusterArgs,
): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const settings = readSettings();
    refusePlaceholders(settings);
    const args = withSecretValues(withSecretPatches(change(settings)));
    const cluster = new TalosCluster(settings.name, args);
    const users = Object.entries(settings.kubeconfigs).map(
      ([user, request]) => [user, cluster.createKubeconfig({ ...request, user })] as const,
    );
    resolve({
      ...withoutAbsent(outputsOf(CLUSTER, cluster), settings.cluster),
      ...(users.length > 0 && { kubeconfigs: Object.fromEntries(users) }),
    });
  });
}

/**
 * Pulumi warns of each output of a stack that is undefined, and a cluster without these never has them. `join` has the cluster's
 * secrets once more, so a program hands it out that means to.
 */
function withoutAbsent(
  {
    accessKubeconfig,
    issuerUrl,
    loadBalancerDnsName,
    join: _join,
    ...others
  }: Readonly<Record<string, unknown>>,
  { access, irsa = false, exposure }: PlainClusterArgs,
): Record<string, unknown> {
  return {
    ...others,
    ...(hasIssuers(access) && { accessKubeconfig }),
    ...(irsa !== false && { issuerUrl }),
    ...(exposure !== "direct" && { loadBalancerDnsName }),
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
function withSecretPatches(cluster: PlainClusterArgs): TalosClusterArgs {
  const { controlPlane, workers, workerPools } = cluster;
  return {
    ...secretly(cluster),
    ...(controlPlane && { controlPlane: withSecretMachines(controlPlane) }),
    ...(workers && { workers: secretly(workers) }),
    ...(workerPools && {
      workerPools: mapValues(workerPools, (pool) => withSecretMachines(secretly(pool))),
    }),
  };
}

function withSecretMachines<
  Given extends { readonly machines?: ClusterControlPlaneArgs["machines"] },
>(given: Given): Given {
  return given.machines === undefined
    ? given
    : { ...given, machines: mapValues(given.machines, secretly) };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
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
  return {
    ...given,
    patches: hasSecretSettings(PATCHED_SETTINGS) ? secret : madeOf(secret, patches),
  };
}

const PATCHED_SETTINGS = ["patches", "controlPlane", "workers", "workerPools"];

/** Values of charts are secret where the setting has a secret inside; otherwise previews show their changes. */
function withSecretValues(cluster: TalosClusterArgs): TalosClusterArgs {
  const { helm } = cluster;
  return helm !== undefined && hasSecretSettings(["helm"])
    ? {
        ...cluster,
        helm: mapValues(helm, ({ values, ...release }) => ({
          ...release,
          ...(values !== undefined && { values: pulumi.secret(values) }),
        })),
      }
    : cluster;
}

/**
 * Whether one of these settings has a secret inside. The SDK's types lack this environment variable,
 * in which the engine lists such settings (pulumi v3.230.0, sdk/nodejs/runtime/config.ts).
 */
function hasSecretSettings(names: readonly string[]): boolean {
  const listed: unknown = JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]");
  const keys: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return names.some((name) => keys.includes(`${pulumi.getProject()}:${name}`));
}
