import { DOCKER } from "../emulator/machines/givenMachines";
import { program, programWith } from "../environments/program";
import type { PlainClusterArgs } from "../environments/settingsSchema";

/** The program of the local environment, with these machines of its cloud. */
export function localProgram(machines: string | undefined): typeof program {
  return machines === DOCKER ? () => programWith(({ cluster }) => inContainers(cluster)) : program;
}

/**
 * The cluster on containers: this computer reaches them at their private addresses. They don't know public ones, which a
 * machine on EC2 learns from its metadata and has in its certificates.
 */
export function inContainers(cluster: PlainClusterArgs): PlainClusterArgs {
  const subnets = "private";
  const pools = Object.entries(cluster.workerPools ?? {});
  return {
    ...cluster,
    network: { nat: "single", ...cluster.network },
    exposure: "internal",
    controlPlane: { ...cluster.controlPlane, subnets },
    ...(pools.length > 0 && {
      workerPools: Object.fromEntries(pools.map(([name, pool]) => [name, { ...pool, subnets }])),
    }),
  };
}
