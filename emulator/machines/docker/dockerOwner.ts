import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runDocker } from "./runDocker";

/** The label that says to which emulator a container or network belongs. */
export const OWNER_LABEL = "pulumi-talos-aws.emulator";

/** The label that says of which instance a container is the machine. */
export const INSTANCE_LABEL = "pulumi-talos-aws.instance";

/**
 * Names a process of this computer, also when its id is another one's later. Undefined when there is none.
 *
 * @param pid its id
 */
export async function ownerMark(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { ...process.env, LC_ALL: "C" },
    });
    return `${pid} ${stdout.trim()}`;
  } catch {
    return undefined;
  }
}

/**
 * Removes the containers, with their volumes, and the networks of emulators that are gone without having done it.
 *
 * @throws DockerError when Docker refuses it
 */
export async function removeAbandoned(): Promise<void> {
  const format = `{{.ID}}\t{{.Label "${OWNER_LABEL}"}}`;
  const filter = ["--no-trunc", "--filter", `label=${OWNER_LABEL}`, "--format", format];
  const containers = await abandonedOf(["ps", "--all", ...filter]);
  await removeContainers(containers);
  for (const network of await abandonedOf(["network", "ls", ...filter])) {
    await runDocker(["network", "rm", network]);
  }
}

/** Removes containers with their volumes, running or not. */
export async function removeContainers(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await runDocker(["rm", "--force", "--volumes", ...ids]);
  }
}

async function abandonedOf(list: readonly string[]): Promise<string[]> {
  const { output } = await runDocker(list);
  const ids: string[] = [];
  for (const line of output.split("\n").filter((each) => each !== "")) {
    const [id = "", owner = ""] = line.split("\t");
    if ((await ownerMark(Number.parseInt(owner, 10))) !== owner) {
      ids.push(id);
    }
  }
  return ids;
}
