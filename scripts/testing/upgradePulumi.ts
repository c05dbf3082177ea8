import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "../paths";

/** What `npm run local` says of a stack that has no change. */
const NOTHING_TO_DO = "There is nothing to update.";

/**
 * Has one checkout create the local cluster, and the other take it over with its own release of Pulumi: that
 * finds nothing to change, and can destroy it. Both ways, because members of a team may use either.
 *
 * @param other a checkout with another release of Pulumi
 * @throws Error that says which of the two saw a change or failed
 */
export async function upgradePulumi(other: string, say: (line: string) => void): Promise<void> {
  await handOver(other, paths.root, say);
  await handOver(paths.root, other, say);
}

async function handOver(from: string, to: string, say: (line: string) => void): Promise<void> {
  const [former, folder] = [await localFolder(from), await localFolder(to)];
  let [owner, ownFolder] = [from, former];
  try {
    say(`creating a cluster in ${from} …`);
    await run(from, "local", former);
    for (const name of ["stack", "world"]) {
      await cp(join(former, name), join(folder, name), { recursive: true });
    }
    await symlink(join(former, "cloud"), join(folder, "cloud"));
    [owner, ownFolder] = [to, folder];
    say(`taking it over in ${to} …`);
    const output = await run(to, "local", folder);
    if (!output.includes(NOTHING_TO_DO)) {
      throw new Error(`${to} would change a cluster that ${from} has created:\n${output}`);
    }
  } finally {
    await run(owner, "localDown", ownFolder);
    await rm(former, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

/** In the checkout, because the engine's plugin takes the SDK that is found from there. */
async function localFolder(checkout: string): Promise<string> {
  return mkdtemp(join(checkout, ".cache/handed-over-"));
}

/** Runs a command of a checkout on the local environment in a folder, and returns what it says. */
async function run(checkout: string, command: string, folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(checkout, "scripts/run.mjs"), command], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TALOS_AWS_LOCAL_DIR: folder },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) {
    throw new Error(`"npm run ${command}" failed in ${checkout}:\n${output}`);
  }
  return output;
}
