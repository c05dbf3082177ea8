import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { DEFAULT_NETWORK_CIDR } from "../components/network/networkArgs";
import { DOCKER, type GivenMachines } from "../emulator/machines/givenMachines";
import { paths } from "./paths";

/** What to know of containers before the cluster is there. */
export const ABOUT_CONTAINERS =
  "Machines are containers with the real Talos. They can't be upgraded, reset or rebooted, and have no disks and system extensions.";

/**
 * Reads the options of `npm run local`.
 *
 * @throws Error when there are others
 */
export function localMachines(args: readonly string[]): GivenMachines | undefined {
  const { machines, image } = parseOptions(args);
  if (machines === undefined && image === undefined) {
    return undefined;
  }
  if (machines !== DOCKER) {
    throw new Error(
      machines === undefined
        ? "--machine-image is for `--machines docker` alone"
        : `--machines is "${machines}", and the local environment has only "${DOCKER}" besides simulated machines`,
    );
  }
  return { by: DOCKER, range: rangeOfSettings(), image };
}

function parseOptions(args: readonly string[]) {
  const options = { machines: { type: "string" }, "machine-image": { type: "string" } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    return { machines: values.machines, image: values["machine-image"] };
  } catch {
    throw new Error(
      `"npm run local" takes --machines docker and --machine-image <image>, and got "${args.join(" ")}": change environments/Pulumi.local.yaml for all else`,
    );
  }
}

function rangeOfSettings(): string {
  const text = readFileSync(join(paths.environments, "Pulumi.local.yaml"), "utf8");
  const { config } = parse(text) as {
    readonly config?: { readonly "talos-aws:network"?: { readonly cidrBlock?: string } };
  };
  return config?.["talos-aws:network"]?.cidrBlock ?? DEFAULT_NETWORK_CIDR;
}
