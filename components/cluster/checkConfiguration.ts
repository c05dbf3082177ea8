import { suggest } from "../../provider/config/suggestion";
import { PLUGIN_PACKAGE } from "../../provider/engine/talosTypes";
import type { PropertyProblem } from "../problems";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";

/**
 * The keys that this package reads in every project: which plugin serves Talos resources
 * (`isServedByPlugin`), and the plugin's own configuration.
 */
const READ = ["plugin", "talosconfig"];

/** The names of a cluster's arguments. */
const ARGUMENTS = {
  environment: true,
  domain: true,
  clusterName: true,
  talosVersion: true,
  versionContract: true,
  contractDefaults: true,
  newDefaults: true,
  kubernetesVersion: true,
  operatorCidrs: true,
  kubernetesApiCidrs: true,
  allowWorldToKubernetesApi: true,
  exposure: true,
  talosApiThroughLoadBalancer: true,
  apiHealthCheck: true,
  loadBalancerIdleTimeoutSeconds: true,
  network: true,
  firewall: true,
  cni: true,
  cniManifests: true,
  kubeSpan: true,
  addOns: true,
  irsa: true,
  recoverFrom: true,
  rotation: true,
  controlPlane: true,
  workers: true,
  workerPools: true,
  dns: true,
  loadBalancerDeletionProtection: true,
  podCidrs: true,
  serviceCidrs: true,
  machineConfiguration: true,
  patches: true,
  talosconfigRoles: true,
  talosconfigLifetimeHours: true,
  kubeconfigLifetimeHours: true,
  healthGates: true,
  syncManifests: true,
  applyTimeoutSeconds: true,
  applySettledSeconds: true,
  protect: true,
  acceptedChanges: true,
  tags: true,
  quotas: true,
} satisfies Record<keyof TalosClusterArgs, true>;

/**
 * Configuration of this package's namespace that nothing reads. In a project of that name, such as
 * `environments/`, it is the project's own.
 *
 * @param keys of the stack's configuration, such as `talos-aws:talosVersion`
 */
export function checkConfiguration(project: string, keys: readonly string[]): PropertyProblem[] {
  const prefix = `${PLUGIN_PACKAGE}:`;
  const own = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return project === PLUGIN_PACKAGE
    ? []
    : own
        .filter((name) => !READ.includes(name))
        .map((name) => ({
          property: `${prefix}${name}`,
          reason: `the project "${project}" doesn't read it: ${wayOut(name)}run "pulumi config rm ${prefix}${name}"`,
        }));
}

/** What to do instead, before the key is removed. */
function wayOut(name: string): string {
  if (Object.hasOwn(ARGUMENTS, name)) {
    return `set the cluster's argument ${name} in the program, and `;
  }
  const read = suggest(name, READ);
  if (read !== undefined) {
    return `set ${PLUGIN_PACKAGE}:${read} if that is meant, and `;
  }
  const near = suggest(name, Object.keys(ARGUMENTS));
  return near === undefined ? "" : `set the cluster's argument ${near} if that is meant, and `;
}
