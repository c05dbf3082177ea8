import { eachAddOn, isOurs } from "../../addOns/addOnChoices";
import type { CalledService } from "../../addOns/common/addOn";
import { type AddOnManifest, isOwn } from "../../addOns/common/addOnManifest";
import { GATEWAY_SERVICES } from "../../network/networkArgs";
import { type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import { checkIsolatedSettings } from "./checkIsolatedSettings";
import { planRegistries, talosMinorOf } from "./planRegistries";
import { planServices } from "./planServices";
import { isPublicHost } from "./publicHosts";

/**
 * What a cluster lacks in a network without internet access, all at once. Nothing of it shows before
 * the machines are up and wait: for images, for the time, for AWS.
 */
export function checkIsolation(args: ChosenClusterArgs): PropertyProblem[] {
  return args.network.internetAccess === false
    ? [
        ...checkWays(args),
        ...checkServices(args),
        ...checkMachines(args),
        ...checkManifestUrls(args),
      ]
    : [];
}

/** Ways that lead over the internet. */
function checkWays({ exposure = "public", controlPlane = {} }: ChosenClusterArgs) {
  const problems: PropertyProblem[] = [];
  if (exposure !== "internal") {
    const reason = `"${exposure}" needs an internet gateway, and network.internetAccess is false: set "internal", and run pulumi up in the network or in a connected one`;
    problems.push({ property: "exposure", reason });
  }
  if (controlPlane.subnets !== "private") {
    const reason = `the network has no public subnets, because network.internetAccess is false: set "private"`;
    problems.push({ property: "controlPlane.subnets", reason });
  }
  return problems;
}

function checkServices(args: ChosenClusterArgs): PropertyProblem[] {
  const { adopt, gatewayEndpoints = [], interfaceEndpoints = [] } = args.network;
  const there: readonly string[] =
    adopt === undefined ? [...gatewayEndpoints, ...interfaceEndpoints] : (adopt.endpoints ?? []);
  const missing = [...planServices(args)].filter(([service]) => !there.includes(service));
  const isGateway = (service: CalledService) => GATEWAY_SERVICES.some((each) => each === service);
  const lists =
    adopt === undefined
      ? {
          "network.gatewayEndpoints": missing.filter(([service]) => isGateway(service)),
          "network.interfaceEndpoints": missing.filter(([service]) => !isGateway(service)),
        }
      : { "network.adopt.endpoints": missing };
  const withoutEndpoint = eachAddOn(args.addOns ?? {}, (name, addOn, choice) => {
    const reason = addOn.aws?.noEndpoint;
    return reason !== undefined && isOurs(addOn, choice)
      ? [{ property: `addOns.${name}`, reason }]
      : [];
  });
  return [
    ...Object.entries(lists)
      .filter(([, services]) => services.length > 0)
      .map(([property, services]) => {
        const list = services
          .map(([service, callers]) => `"${service}" (${callers.join(", ")})`)
          .join(", ");
        const how = adopt === undefined ? "add them" : "make endpoints for them and name them here";
        const reason = `the network has no internet access, and AWS is called at ${list}: ${how}, or leave out what calls them`;
        return { property, reason };
      }),
    ...withoutEndpoint,
  ];
}

/** Settings of each role's machines; a pool's own options override those of all workers. */
function checkMachines(args: ChosenClusterArgs): PropertyProblem[] {
  const { kubeSpan = false, workerPools = {} } = args;
  const workers = args.workers?.machineConfiguration ?? {};
  const knowsTimeServer = talosMinorOf(args) >= 12;
  const ofControlPlane = {
    registries: planRegistries(args, "controlPlane"),
    kubeSpan,
    knowsTimeServer,
  };
  const ofWorkers = { ...ofControlPlane, registries: planRegistries(args, "worker") };
  const own = ["registryMirrors", "timeServers", "discovery", "discoveryEndpoint"] as const;
  const pools = Object.entries(workerPools);
  const usesShared = pools.some(([, pool]) =>
    own.every((option) => pool.machineConfiguration?.[option] === undefined),
  );
  return [
    ...within(
      "machineConfiguration",
      checkIsolatedSettings(args.machineConfiguration ?? {}, ofControlPlane),
    ),
    ...(usesShared
      ? within("workers.machineConfiguration", checkIsolatedSettings(workers, ofWorkers))
      : []),
    ...pools
      .filter(([, { machineConfiguration = {} }]) =>
        own.some((option) => machineConfiguration[option] !== undefined),
      )
      .flatMap(([name, { machineConfiguration = {} }]) =>
        within(
          `workerPools.${name}.machineConfiguration`,
          checkIsolatedSettings({ ...workers, ...machineConfiguration }, ofWorkers),
        ),
      ),
  ];
}

/** Manifests that control planes would fetch from the internet. */
function checkManifestUrls(args: ChosenClusterArgs): PropertyProblem[] {
  const { addOns = {}, cniManifests = [], machineConfiguration = {} } = args;
  const { extraManifests } = machineConfiguration;
  const urls: Readonly<Record<string, unknown>> = {
    cniManifests,
    "machineConfiguration.extraManifests": extraManifests,
    ...Object.fromEntries(
      eachAddOn(addOns, (name, _addOn, { manifestUrls }: AddOnManifest) => [
        [`addOns.${name}.manifestUrls`, manifestUrls] as const,
      ]),
    ),
  };
  const published = eachAddOn(addOns, (name, addOn, choice) => {
    const isFetched =
      addOn.publishedManifest !== undefined && !isOurs(addOn, choice) && isOwn(choice);
    const instead =
      addOn.objects === undefined
        ? "give it as manifest, or a URL in the network as manifestUrls"
        : "give a setting, as in {replicas: 1}, and this package's own objects replace it";
    return isFetched ? [{ name, instead }] : [];
  });
  const besides = eachAddOn(addOns, (name, addOn, choice) =>
    isOurs(addOn, choice)
      ? (addOn.fetchedManifests?.(choice) ?? []).map((url) => [name, url] as const)
      : [],
  );
  return [
    ...Object.entries(urls).flatMap(([property, list]) =>
      (Array.isArray(list) ? list : []).flatMap((url: unknown, index) => {
        const reason = `"${String(url)}" is on the internet, which the machines can't reach: give a URL in the network, or the manifest itself`;
        return typeof url === "string" && isPublicHost(url)
          ? [{ property: `${property}[${index}]`, reason }]
          : [];
      }),
    ),
    ...published.map(({ name, instead }) => ({
      property: `addOns.${name}`,
      reason: `the machines fetch its manifest from the internet, which they can't reach: ${instead}`,
    })),
    ...besides.map(([name, url]) => ({
      property: `addOns.${name}`,
      reason: `the machines fetch "${url}" for it, which they can't reach: leave out what needs it, or give a manifest of your own with it`,
    })),
  ];
}
