import path from "node:path";
import type { MachinesChoice } from "../emulator";

/** The value of `--machines` for containers of Docker. A program of that name is given as `./docker`. */
export const DOCKER = "docker";

/** Who runs the machines, as a command line says it. */
export interface GivenMachines {
  /** `docker`, or the path of a program. */
  readonly by: string;
  /** With Docker: the range of the machines' VPC. */
  readonly range?: string | undefined;
  /** With Docker: the image of Talos. */
  readonly image?: string | undefined;
}

/**
 * Reads the options of a command line.
 *
 * @throws Error when an option is for Docker's machines alone, and they are others
 */
export function givenMachines(options: {
  readonly machines?: string | undefined;
  readonly "machine-range"?: string | undefined;
  readonly "machine-image"?: string | undefined;
}): GivenMachines | undefined {
  const { machines, "machine-range": range, "machine-image": image } = options;
  if (machines !== DOCKER && (range ?? image) !== undefined) {
    throw new Error("--machine-range and --machine-image are for `--machines docker` alone");
  }
  if (machines === undefined) {
    return undefined;
  }
  return machines === DOCKER ? { by: DOCKER, range, image } : { by: path.resolve(machines) };
}

/** The options that say the same to another process. */
export function machineArguments(machines: GivenMachines | undefined): string[] {
  return [
    ...(machines === undefined ? [] : ["--machines", machines.by]),
    ...(machines?.range === undefined ? [] : ["--machine-range", machines.range]),
    ...(machines?.image === undefined ? [] : ["--machine-image", machines.image]),
  ];
}

/** What the emulator is started with. */
export function chosenBy({ by, range, image }: GivenMachines): MachinesChoice {
  return by === DOCKER ? { docker: { range, image } } : [by];
}
