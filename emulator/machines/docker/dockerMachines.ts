import { type CallMachines, calledMachines } from "../calledMachines";
import type { MachineDriver } from "../machineDriver";
import { ensureImage, imageOf } from "./dockerImage";
import { type DockerNetwork, hasAddress, makeNetwork, removeNetwork } from "./dockerNetwork";
import {
  INSTANCE_LABEL,
  OWNER_LABEL,
  ownerMark,
  removeAbandoned,
  removeContainers,
} from "./dockerOwner";
import { type ContainerMachine, containerOf, createContainer } from "./machineContainer";
import { DockerError, runDocker } from "./runDocker";
import { talosStage } from "./talosStage";

/** The range of a VPC for which no other one is given. */
const DEFAULT_RANGE = "10.0.0.0/16";

/** So long a machine shuts down when its instance is stopped, before its power is cut. */
const STOP_SECONDS = 3;

/** What a container doesn't have (Talos v1.14.1, `internal/app/machined/pkg/runtime/mode.go`). */
const CANNOT = ["disks", "upgrade", "reset", "reboot", "schematic"];

/** The console that is kept, at least. */
const CONSOLE_LINES = 2_000;

/** Machines that are containers of Docker on this computer, with Linux. */
export interface DockerMachinesOptions {
  /** The range of the clusters' VPC. Default: `10.0.0.0/16`. */
  readonly range?: string | undefined;
  /** The image of Talos; its tag is the release of the instance, unless it has one. Default: `ghcr.io/siderolabs/talos`. */
  readonly image?: string | undefined;
}

/**
 * Machines that are containers with the real Talos. Containers, volumes and the network go with the emulator; what a
 * killed one has left goes with the start of the next.
 *
 * @throws DockerError that says what the computer lacks
 */
export async function dockerMachines(
  { range = DEFAULT_RANGE, image }: DockerMachinesOptions,
  onLog: (line: string) => void,
): Promise<MachineDriver> {
  await requireCgroups2();
  await removeAbandoned();
  const owner = (await ownerMark(process.pid)) ?? "";
  const network = await makeNetwork(range, owner);
  const machines = new Containers(network, owner, image, onLog);
  const driver = await calledMachines(machines.call, onLog);
  const close = driver.close.bind(driver);
  return Object.assign(driver, {
    reachesInternet: true,
    close: async () => {
      await close();
      await removeNetwork(network);
    },
  });
}

/** Answers the calls of the protocol in README.md of the emulator. */
class Containers {
  private readonly images = new Map<string, Promise<void>>();
  private readonly addresses = new Map<string, string>();
  /** Machines that were stopped on purpose. */
  private readonly off = new Set<string>();
  /** Machines whose end was told. */
  private readonly told = new Set<string>();

  constructor(
    private readonly network: DockerNetwork,
    private readonly owner: string,
    private readonly image: string | undefined,
    private readonly onLog: (line: string) => void,
  ) {}

  readonly call: CallMachines = async (name, input = {}) => {
    const { instanceId = "" } = input as Partial<ContainerMachine>;
    const container = containerOf(instanceId);
    switch (name) {
      case "start":
        return this.start(input as ContainerMachine);
      case "stop":
        this.off.add(instanceId);
        await runDocker(["stop", "--time", String(STOP_SECONDS), container]);
        return new Map();
      case "wipe":
        this.off.add(instanceId);
        await removeContainers([container]);
        return new Map();
      case "console":
        return new Map([["output", await consoleOf(container)]]);
      case "list":
        return new Map<string, unknown>([
          ["hostAddress", this.network.hostAddress],
          ["machines", await this.list()],
        ]);
    }
  };

  private async start(machine: ContainerMachine): Promise<ReadonlyMap<string, unknown>> {
    const { instanceId, privateAddress, talosVersion } = machine;
    const { range, name: network, hostAddress: nameServer } = this.network;
    if (!hasAddress(this.network, privateAddress)) {
      throw new DockerError(
        `${instanceId} has the private address ${privateAddress}, and containers have ${range}: its VPC must have that range`,
      );
    }
    const isNew = !(await this.containers()).some((each) => each.instanceId === instanceId);
    if (isNew) {
      const image = imageOf(talosVersion, this.image);
      await this.pull(image);
      await createContainer(machine, { image, network, nameServer, owner: this.owner });
    }
    this.addresses.set(instanceId, privateAddress);
    this.off.delete(instanceId);
    await runDocker(["start", containerOf(instanceId)]);
    return new Map([["address", privateAddress]]);
  }

  /** Machines that start together pull once; a pull that failed is tried again. */
  private pull(image: string): Promise<void> {
    const pulled =
      this.images.get(image) ??
      ensureImage(image, this.onLog).catch((error: unknown) => {
        this.images.delete(image);
        throw error;
      });
    this.images.set(image, pulled);
    return pulled;
  }

  private async list(): Promise<object[]> {
    return Promise.all(
      (await this.containers()).map(async ({ instanceId, state }) => {
        if (state === "exited") {
          await this.tellEnd(instanceId);
          return { instanceId, stage: "stopped", cannot: CANNOT };
        }
        this.told.delete(instanceId);
        const stage = await talosStage(this.addresses.get(instanceId) ?? "");
        return { instanceId, stage, cannot: CANNOT };
      }),
    );
  }

  private async containers(): Promise<readonly { instanceId: string; state: string }[]> {
    const { output } = await runDocker([
      "ps",
      "--all",
      "--filter",
      `label=${OWNER_LABEL}=${this.owner}`,
      "--format",
      `{{.Label "${INSTANCE_LABEL}"}}\t{{.State}}`,
    ]);
    return output
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [instanceId = "", state = ""] = line.split("\t");
        return { instanceId, state };
      });
  }

  /** Says once why a container ended that nobody has stopped. */
  private async tellEnd(instanceId: string): Promise<void> {
    if (this.off.has(instanceId) || this.told.has(instanceId)) {
      return;
    }
    this.told.add(instanceId);
    const { output } = await runDocker([
      "inspect",
      "--format",
      "{{.State.OOMKilled}} {{.State.ExitCode}}",
      containerOf(instanceId),
    ]);
    const [ranOutOfMemory, code = ""] = output.trim().split(" ");
    this.onLog(
      ranOutOfMemory === "true"
        ? `${instanceId}: its container ended because this computer has no memory left: a control plane machine needs some 2 GB, a worker 1 GB`
        : `${instanceId}: its container ended by itself, with exit code ${code}: see \`docker logs ${containerOf(instanceId)}\``,
    );
  }
}

/** Containers have no kernel log, so Talos prints to its standard error, with the time before each message. */
async function consoleOf(container: string): Promise<string> {
  const { output, errors } = await runDocker(["logs", "--tail", String(CONSOLE_LINES), container]);
  const shown = `${output}${errors}`.replace(
    /^\[talos\] \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /gm,
    "[talos] ",
  );
  return Buffer.from(shown).toString("base64");
}

/** Kubernetes v1.35 and later don't run with cgroup v1 (kubelet, `failCgroupV1`). */
async function requireCgroups2(): Promise<void> {
  const { output } = await runDocker(["info", "--format", "{{.CgroupVersion}}"]);
  if (output.trim() === "1") {
    throw new DockerError(
      "this computer's Docker uses cgroup v1, with which Kubernetes' kubelet doesn't start: boot Linux with cgroup v2, which is the default of distributions since 2021",
    );
  }
}
