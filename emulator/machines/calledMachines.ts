import { isIPv4 } from "node:net";
import { messageOfError } from "../../provider/base";
import { awsSchematicId } from "../../provider/config";
import type { MachineCall } from "./machineCommand";
import type { DrivenMachine, MachineDriver, MachineOptions } from "./machineDriver";

/** How often it is asked what its machines do. */
const LIST_EVERY_MS = 2_000;

/** What a program says of one of its machines. */
interface ListedMachine {
  readonly instanceId: string;
  readonly stage: string;
  readonly cannot: readonly string[];
}

/** Answers a call of the protocol in README.md of the emulator. */
export type CallMachines = (
  call: MachineCall,
  input?: object,
) => Promise<ReadonlyMap<string, unknown>>;

/**
 * Machines behind the protocol in README.md of the emulator, whoever answers it.
 *
 * @throws Error if `list` isn't answered
 */
export async function calledMachines(
  call: CallMachines,
  onLog: (line: string) => void,
): Promise<MachineDriver> {
  const host = readText(await call("list"), "hostAddress");
  return new CalledMachines(call, host === "" ? undefined : requireAddress(host), onLog);
}

class CalledMachines implements MachineDriver {
  private readonly known = new Set<string>();
  private listed = new Map<string, ListedMachine>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly call: CallMachines,
    readonly hostAddress: string | undefined,
    private readonly onLog: (line: string) => void,
  ) {
    this.timer = setInterval(() => void this.look(), LIST_EVERY_MS);
    this.timer.unref();
  }

  async start(options: MachineOptions): Promise<DrivenMachine> {
    const { instanceId, dataVolumes, ...instance } = options;
    this.known.add(instanceId);
    const answer = await this.call("start", {
      instanceId,
      ...instance,
      dataVolumes: dataVolumes(),
    });
    const address = requireAddress(readText(answer, "address"));
    await this.look();
    const stageOf = () => this.listed.get(instanceId)?.stage ?? "booting";
    this.complainOf(options);
    return {
      address,
      get stage() {
        return stageOf();
      },
      talosVersion: options.talosVersion,
      bootstrapCalls: 0,
      machineConfiguration: undefined,
      faultTarget: undefined,
      stop: async () => {
        await this.call("stop", { instanceId });
        await this.look();
      },
    };
  }

  async console(instanceId: string): Promise<Buffer> {
    return this.known.has(instanceId)
      ? Buffer.from(readText(await this.call("console", { instanceId }), "output"), "base64")
      : Buffer.alloc(0);
  }

  async wipe(instanceId: string): Promise<void> {
    if (this.known.delete(instanceId)) {
      await this.call("wipe", { instanceId });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.known].map((instanceId) => this.wipe(instanceId)));
  }

  private async look(): Promise<void> {
    try {
      const machines = (await this.call("list")).get("machines");
      const listed = (Array.isArray(machines) ? machines : []).flatMap(
        (each) => readListed(each) ?? [],
      );
      this.listed = new Map(listed.map((each) => [each.instanceId, each]));
    } catch (error) {
      this.onLog(`machines: ${messageOfError(error)}`);
    }
  }

  /** Says what an instance has that its machine can't have. */
  private complainOf({ instanceId, dataVolumes, schematic }: MachineOptions): void {
    const { cannot = [] } = this.listed.get(instanceId) ?? {};
    if (cannot.includes("schematic") && schematic !== awsSchematicId) {
      this.onLog(
        `${instanceId}: its machine has no system extensions and kernel arguments, so not those of the schematic ${schematic}`,
      );
    }
    if (cannot.includes("disks") && dataVolumes().length > 0) {
      this.onLog(`${instanceId}: its machine has no disks, so not the volumes attached to it`);
    }
  }
}

function readListed(value: unknown): ListedMachine | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const machine = new Map(Object.entries(value));
  const cannot: unknown = machine.get("cannot");
  return {
    instanceId: readText(machine, "instanceId"),
    stage: readText(machine, "stage"),
    cannot: Array.isArray(cannot) ? cannot.map(String) : [],
  };
}

function readText(answer: ReadonlyMap<string, unknown>, name: string): string {
  const value = answer.get(name);
  return typeof value === "string" ? value : "";
}

function requireAddress(address: string): string {
  if (!isIPv4(address)) {
    throw new Error(
      `the program that runs the machines gave "${address}" as an address: it must be an IPv4 address that this computer reaches`,
    );
  }
  return address;
}
