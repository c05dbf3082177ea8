import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { INSTANCE_LABEL, OWNER_LABEL, removeContainers } from "./dockerOwner";
import { runDocker } from "./runDocker";

/** The parts of an instance that its container has. */
export interface ContainerMachine {
  readonly instanceId: string;
  readonly privateAddress: string;
  readonly hostname: string;
  /** With its leading v. */
  readonly talosVersion: string;
  readonly userData?: string;
}

/** What is the same for all containers of an emulator, but for the image. */
export interface ContainerPlace {
  readonly image: string;
  /** The name of the network. */
  readonly network: string;
  /** The address at which the cloud's DNS listens. */
  readonly nameServer: string;
  /** The mark of the process that removes the container. */
  readonly owner: string;
}

/** The first minor whose `/etc` is an overlay of machined's, so that only `/opt` is a volume. */
const OWN_ETC_MINOR = 14;

/** What is anew after each boot, and what is the machine's disk (Talos v1.12.1 and v1.14.1, `pkg/provision/providers/docker/node.go`). */
const MEMORY = ["/run", "/system", "/tmp"];
const DISK = ["/var", "/system/state", "/opt"];
const DISK_BEFORE_OWN_ETC = ["/etc/cni", "/etc/kubernetes", "/usr/libexec/kubernetes"];

/** The container's name of an instance. */
export function containerOf(instanceId: string): string {
  return `talos-aws-${instanceId}`;
}

/**
 * Creates the container of a machine, as `talosctl cluster create docker` does, and doesn't start it.
 *
 * @throws DockerError with the reason
 */
export async function createContainer(
  machine: ContainerMachine,
  at: ContainerPlace,
): Promise<void> {
  const { instanceId, privateAddress, hostname, userData } = machine;
  const name = containerOf(instanceId);
  const isOlder = Number(machine.talosVersion.split(".")[1]) < OWN_ETC_MINOR;
  const volumes = [...DISK, ...(isOlder ? DISK_BEFORE_OWN_ETC : [])];
  const secrets = userData === undefined ? {} : { USERDATA: toBase64(userData) };
  await runDocker(
    [
      "create",
      "--name",
      name,
      "--hostname",
      hostname,
      "--label",
      `${OWNER_LABEL}=${at.owner}`,
      "--label",
      `${INSTANCE_LABEL}=${instanceId}`,
      "--privileged",
      "--security-opt",
      "seccomp=unconfined",
      "--network",
      at.network,
      "--ip",
      privateAddress,
      "--dns",
      at.nameServer,
      ...MEMORY.flatMap((target) => ["--mount", `type=tmpfs,target=${target}`]),
      ...volumes.flatMap((target) => ["--mount", `type=volume,target=${target}`]),
      "--env",
      "PLATFORM=container",
      ...Object.keys(secrets).flatMap((key) => ["--env", key]),
      at.image,
    ],
    secrets,
  );
  try {
    await putHostname(name, hostname);
  } catch (error) {
    await removeContainers([name]);
    throw error;
  }
}

/**
 * Talos v1.14 doesn't see the file that Docker mounts, so it's in the container itself
 * (`internal/app/machined/pkg/runtime/v1alpha2/etc_overlay.go`). For that, the root file system can't be read-only.
 */
async function putHostname(container: string, hostname: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "talos-aws-docker-"));
  try {
    const file = path.join(folder, "hostname");
    await writeFile(file, `${hostname}\n`);
    await runDocker(["cp", file, `${container}:/etc/hostname`]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
