import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { DEFAULT_NETWORK_CIDR } from "../components/network/networkArgs";
import { ensureImage, imageOf } from "../emulator/machines/docker/dockerImage";
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
  const range = readSettings()["talos-aws:network"]?.cidrBlock ?? DEFAULT_NETWORK_CIDR;
  return { by: DOCKER, range, image };
}

/**
 * Pulls the image of the machines before the cloud starts, as machines wait for it without a word.
 *
 * @throws DockerError when there is no Docker, or the image can't be had
 */
export async function pullMachines(
  { image }: GivenMachines,
  onLog: (line: string) => void,
): Promise<void> {
  const release = readSettings()["talos-aws:talosVersion"];
  if (release !== undefined) {
    await ensureImage(imageOf(release, image), onLog);
  }
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

/** The settings of the local environment that its machines follow from. */
function readSettings(): LocalSettings {
  const text = readFileSync(join(paths.environments, "Pulumi.local.yaml"), "utf8");
  return (parse(text) as { readonly config?: LocalSettings }).config ?? {};
}

interface LocalSettings {
  readonly "talos-aws:network"?: { readonly cidrBlock?: string };
  readonly "talos-aws:talosVersion"?: string;
}
