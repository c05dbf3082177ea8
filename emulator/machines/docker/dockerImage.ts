import { messageOfError } from "../../../provider/base";
import { DockerError, runDocker } from "./runDocker";

/** The image of Talos for containers, without a release. */
const TALOS_IMAGE = "ghcr.io/siderolabs/talos";

/**
 * Names the image of a machine.
 *
 * @param talosVersion its release: `v1.14.1`
 * @param given an image of one's own. Without a tag or digest, its tag is the release. Default: Sidero Labs' image
 */
export function imageOf(talosVersion: string, given = TALOS_IMAGE): string {
  const name = given.slice(given.lastIndexOf("/") + 1);
  return /[:@]/.test(name) ? given : `${given}:${talosVersion}`;
}

/**
 * Pulls an image, unless Docker has it.
 *
 * @throws DockerError when it can't be had
 */
export async function ensureImage(image: string, onLog: (line: string) => void): Promise<void> {
  const { output } = await runDocker(["image", "ls", "--quiet", image]);
  if (output.trim() !== "") {
    return;
  }
  onLog(`pulling ${image}, some 100 MB …`);
  try {
    await runDocker(["pull", "--quiet", image]);
  } catch (error) {
    throw new DockerError(
      `${messageOfError(error)}: check that the release exists, or name an image that this computer has or reaches with --machine-image`,
    );
  }
}
