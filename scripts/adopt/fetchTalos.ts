import { rsort, valid } from "semver";
import { messageOfError } from "../../provider/base/messageOfError";
import { goCommand } from "../goCommand";
import type { TalosModules } from "./releaseFacts";

const TALOS = "github.com/siderolabs/talos";

/** The module of Talos that its configurations, its API and its clients are in. */
export const MACHINERY = `${TALOS}/pkg/machinery`;

/**
 * Fetches both Go modules of a release into Go's cache.
 *
 * @param cwd any folder that has no go.mod
 * @throws Error that says why a release can't be had, and what to do
 */
export async function fetchTalos(release: string, cwd: string): Promise<TalosModules> {
  const folder = async (module: string): Promise<string> => {
    const wanted = `${module}@${release}`;
    await goCommand(["mod", "download", wanted], { cwd }).catch((error: unknown) => {
      const reason = messageOfError(error);
      throw new Error(
        `Talos ${release} can't be had as a Go module, and nothing was changed. Choose a release that "go list -m -versions ${MACHINERY}" names, or try again when the proxy has it:\n${reason}`,
      );
    });
    const told = await goCommand(["mod", "download", "-json", wanted], { cwd });
    return (JSON.parse(told) as { readonly Dir: string }).Dir;
  };
  return { release, talos: await folder(TALOS), machinery: await folder(MACHINERY) };
}

/**
 * The newest release that Go's proxy names, pre-releases included.
 *
 * @throws Error if the proxy doesn't say it
 */
export async function newestTalos(cwd: string): Promise<string> {
  const told = await goCommand(["list", "-m", "-versions", MACHINERY], { cwd }).catch(
    (error: unknown) => {
      const reason = messageOfError(error);
      throw new Error(
        `Go's proxy doesn't say which release of Talos is the newest, and nothing was changed: name a release, or try again later:\n${reason}`,
      );
    },
  );
  return newestOf(told.trim().split(/\s+/).slice(1));
}

/**
 * The newest of some releases; what is no release is left out.
 *
 * @throws Error if there is none
 */
export function newestOf(releases: readonly string[]): string {
  const [newest] = rsort(releases.filter((release) => valid(release) !== null));
  if (newest === undefined) {
    throw new Error(`Go's proxy names no release of ${MACHINERY}: try again later`);
  }
  return newest;
}
