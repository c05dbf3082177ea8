import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  DescribeImagesCommand,
  DescribeInstanceAttributeCommand,
  type EC2Client,
  type Instance,
  paginateDescribeInstances,
  DescribeVolumesCommand,
} from "@aws-sdk/client-ec2";
import { messageOfError } from "../provider/base";
import { awsSchematicId } from "../provider/config";
import { parseTalosImageName, schematicOf, type TalosImageName } from "./aws/amis";
import { InstanceConsole } from "./instanceConsole";
import type { DrivenMachine, MachineDriver } from "./machines/machineDriver";
import { Reconciler } from "./reconciler";
import type { FaultTarget } from "./talos/faults/faultKind";
import type { DataVolume } from "./talos/machine/disks";
import { startTcpProxy, type TcpProxy } from "./tcpProxy";

/** A Talos node of the emulated cloud. */
export interface EmulatedNode {
  readonly instanceId: string;
  /** The name in EC2's private DNS. */
  readonly hostname: string;
  /** The loopback address it listens on. */
  readonly address: string;
  /** Its address inside the VPC, where nothing listens. */
  readonly privateAddress: string;
  readonly zone: string;
  /** `booting`, `maintenance`, `running`, `rebooting` or `stopped`. */
  readonly stage: string;
  /** The Talos on its disk, which it boots: `v1.12.1`. */
  readonly talosVersion: string;
  /** How many Bootstrap calls it received; 0 for a machine that isn't simulated. */
  readonly bootstrapCalls: number;
  /** Its machine configuration as YAML. Undefined before the first one. */
  readonly machineConfiguration: string | undefined;
}

/** Options of `Instances`, which holds the instances of one region. */
export interface InstancesOptions {
  readonly region: string;
  readonly client: EC2Client;
  readonly driver: MachineDriver;
  /** Returns an unused address, for an instance without a public address. */
  readonly nextPrivateAddress: () => string;
  /** Called when a machine gets or loses its address. */
  readonly onMoved: () => void;
  readonly onLog: (line: string) => void;
}

interface Machine {
  readonly instance: Instance;
  readonly address: string;
  readonly node: DrivenMachine;
}

/** Ports of a Talos node that are reachable at its instance's addresses. */
const NODE_PORTS = [50000, 50001, 6443];

/** Has a machine for every running instance of a region that has a Talos image. */
export class Instances {
  private readonly machines = new Map<string, Machine>();
  private readonly consoles = new Map<string, InstanceConsole>();
  private readonly privateAddresses = new Map<string, string>();
  private dataVolumes = new Map<string, DataVolume[]>();
  private readonly forwarded = new Map<string, TcpProxy[]>();
  private readonly images = new Map<string, TalosImageName | undefined>();
  private readonly reconciler: Reconciler;
  private seen: Instance[] = [];

  constructor(private readonly options: InstancesOptions) {
    this.reconciler = new Reconciler(
      () => this.reconcile(),
      (error) => options.onLog(`instances: ${messageOfError(error)}`),
    );
  }

  /** Something in the cloud may have changed. */
  changed(): void {
    this.reconciler.changed();
  }

  settled(): Promise<void> {
    return this.reconciler.settled();
  }

  nodes(): EmulatedNode[] {
    return [...this.machines.values()].map(({ instance, address, node }) => ({
      instanceId: instance.InstanceId ?? "",
      hostname: instance.PrivateDnsName ?? "",
      address,
      privateAddress: instance.PrivateIpAddress ?? "",
      zone: instance.Placement?.AvailabilityZone ?? "",
      stage: node.stage,
      talosVersion: node.talosVersion,
      bootstrapCalls: node.bootstrapCalls,
      machineConfiguration: node.machineConfiguration,
    }));
  }

  /** The running machines, as targets for faults. */
  faultTargets(): FaultTarget[] {
    return [...this.machines.values()].flatMap(({ node }) => node.faultTarget ?? []);
  }

  /** What EC2 shows of an instance's console; undefined for one that never ran here. */
  consoleOf(instanceId: string, isLive: boolean): Promise<Buffer> | undefined {
    return this.consoles.get(instanceId)?.shown(isLive);
  }

  /** Where an instance, by id or private address, can be reached on this machine. */
  addressOf(target: string): string | undefined {
    const found = this.seen.find(
      ({ InstanceId, PrivateIpAddress }) => InstanceId === target || PrivateIpAddress === target,
    );
    return this.machines.get(found?.InstanceId ?? "")?.node.address ?? found?.PublicIpAddress;
  }

  /** The address that EC2's DNS returns for the name of an instance. */
  addressOfDnsName(name: string): string | undefined {
    const wanted = name.toLowerCase();
    for (const instance of this.seen) {
      if (instance.PublicDnsName?.toLowerCase() === wanted) {
        return instance.PublicIpAddress;
      }
      if (instance.PrivateDnsName?.toLowerCase() === wanted) {
        return instance.PrivateIpAddress;
      }
    }
    return undefined;
  }

  async stop(): Promise<void> {
    await this.reconciler.stop();
    await Promise.all([...this.forwarded.keys()].map((key) => this.closeForwarded(key)));
    await Promise.all([...this.machines.values()].map(({ node }) => node.stop()));
    this.machines.clear();
    this.consoles.forEach((each) => each.end());
  }

  private async reconcile(): Promise<void> {
    this.seen = await this.describeLive();
    const running = new Map<string, Instance>();
    for (const instance of this.seen) {
      if (instance.State?.Name === "running" && (await this.imageOf(instance)) !== undefined) {
        running.set(instance.InstanceId ?? "", instance);
      }
    }
    // Stopped instances come first, as a new instance may have the address of a terminated one.
    for (const [id, machine] of this.machines) {
      if (!isSameRun(machine.instance, running.get(id))) {
        await this.switchOff(id, machine);
      }
    }
    await this.forgetTerminated();
    await this.followDataVolumes(running);
    const results = await Promise.allSettled(
      [...running].map(([id, instance]) => this.switchOn(id, instance)),
    );
    await this.followAddresses(running);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  private async describeLive(): Promise<Instance[]> {
    const live: Instance[] = [];
    for await (const page of paginateDescribeInstances({ client: this.options.client }, {})) {
      live.push(...(page.Reservations ?? []).flatMap(({ Instances }) => Instances ?? []));
    }
    return live.filter(({ State }) => State?.Name !== "terminated");
  }

  private async imageOf(instance: Instance): Promise<TalosImageName | undefined> {
    const id = instance.ImageId ?? "";
    if (!this.images.has(id)) {
      const { Images } = await this.options.client.send(
        new DescribeImagesCommand({ Filters: [{ Name: "image-id", Values: [id] }] }),
      );
      // An image of the account's own has a schematic in its name, where official ones have a region.
      this.images.set(id, parseTalosImageName(Images?.[0]?.Name ?? ""));
    }
    return this.images.get(id);
  }

  private async switchOn(id: string, instance: Instance): Promise<void> {
    const image = await this.imageOf(instance);
    if (this.machines.has(id) || image === undefined) {
      return;
    }
    const address = instance.PublicIpAddress ?? this.privateAddressOf(id, instance);
    const userData = await this.userDataOf(id);
    const { driver } = this.options;
    const shown = this.consoles.get(id) ?? new InstanceConsole(() => driver.console(id));
    this.consoles.set(id, shown);
    const node = await driver.start({
      address,
      hasPublicAddress: instance.PublicIpAddress !== undefined,
      privateAddress: instance.PrivateIpAddress ?? "",
      networkId: instance.VpcId ?? "",
      hostname: instance.PrivateDnsName ?? "",
      instanceId: id,
      instanceType: instance.InstanceType ?? "",
      region: this.options.region,
      zone: instance.Placement?.AvailabilityZone ?? "",
      architecture: image.architecture,
      talosVersion: image.version,
      schematic: schematicOf(image) ?? awsSchematicId,
      dataVolumes: () => this.dataVolumes.get(id) ?? [],
      ...(userData !== undefined && { userData }),
    });
    this.machines.set(id, { instance, address, node });
    shown.takeSoon();
    this.options.onLog(`${id} runs Talos ${image.version} at ${address}`);
    this.options.onMoved();
  }

  private async switchOff(id: string, { address, node }: Machine): Promise<void> {
    this.machines.delete(id);
    await node.stop();
    this.consoles.get(id)?.takeSoon();
    this.options.onLog(`${id} at ${address} is switched off`);
    this.options.onMoved();
  }

  private async forgetTerminated(): Promise<void> {
    const ids = new Set(this.seen.map(({ InstanceId }) => InstanceId));
    for (const [id, shown] of this.consoles) {
      if (!ids.has(id)) {
        shown.end();
        this.consoles.delete(id);
        await this.options.driver.wipe(id);
      }
    }
  }

  private async followDataVolumes(running: ReadonlyMap<string, Instance>): Promise<void> {
    const before = this.dataVolumes;
    this.dataVolumes = await dataVolumesOf(this.options.client, running.values());
    if (!isDeepStrictEqual(this.dataVolumes, before)) {
      this.options.driver.changed?.();
    }
  }

  /** Its own address if this computer has that address, else a substitute. */
  private privateAddressOf(id: string, { PrivateIpAddress = "" }: Instance): string {
    if (PrivateIpAddress.startsWith("127.")) {
      return PrivateIpAddress;
    }
    const address = this.privateAddresses.get(id) ?? this.options.nextPrivateAddress();
    this.privateAddresses.set(id, address);
    return address;
  }

  private async userDataOf(id: string): Promise<string | undefined> {
    const { UserData } = await this.options.client.send(
      new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute: "userData" }),
    );
    return decodeUserData(UserData?.Value);
  }

  /**
   * Forwards the addresses of instances on which their machines don't listen themselves. These are
   * an Elastic IP that was associated later, and all addresses of a machine that has another one on
   * this computer.
   */
  private async followAddresses(running: ReadonlyMap<string, Instance>): Promise<void> {
    const wanted = new Map<string, string>();
    for (const [id, { address, node }] of this.machines) {
      for (const each of new Set([address, running.get(id)?.PublicIpAddress ?? address])) {
        if (each !== node.address) {
          wanted.set(`${each} ${node.address}`, each);
        }
      }
    }
    for (const key of this.forwarded.keys()) {
      if (!wanted.has(key)) {
        await this.closeForwarded(key);
      }
    }
    for (const [key, host] of wanted) {
      if (!this.forwarded.has(key)) {
        const target = key.split(" ")[1] ?? "";
        const proxies = NODE_PORTS.map((port) =>
          startTcpProxy({ host, port, chooseTarget: () => ({ host: target, port }) }),
        );
        this.forwarded.set(key, await Promise.all(proxies));
      }
    }
  }

  private async closeForwarded(key: string): Promise<void> {
    const proxies = this.forwarded.get(key) ?? [];
    this.forwarded.delete(key);
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}

/** Whether an instance has run since the last check without any stop. */
function isSameRun(before: Instance, now: Instance | undefined): boolean {
  return now !== undefined && now.LaunchTime?.getTime() === before.LaunchTime?.getTime();
}

/**
 * User data as Talos reads it: gzip is decompressed, and blank user data counts as none.
 *
 * @param encoded in base64, as EC2 returns it.
 */
export function decodeUserData(encoded: string | undefined): string | undefined {
  const raw = Buffer.from(encoded ?? "", "base64");
  const isGzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const text = (isGzip ? gunzipSync(raw) : raw).toString("utf8");
  return text.trim() === "" ? undefined : text;
}

/** Volumes attached to each instance besides its root volume, by instance id, in device order. */
async function dataVolumesOf(
  client: EC2Client,
  instances: Iterable<Instance>,
): Promise<Map<string, DataVolume[]>> {
  const attached = [...instances].map(
    (instance) => [instance.InstanceId ?? "", volumeIds(instance)] as const,
  );
  const VolumeIds = attached.flatMap(([, ids]) => ids);
  const { Volumes = [] } =
    VolumeIds.length === 0 ? {} : await client.send(new DescribeVolumesCommand({ VolumeIds }));
  const sizes = new Map(Volumes.map(({ VolumeId, Size }) => [VolumeId, (Size ?? 0) * 1024 ** 3]));
  return new Map(
    attached.map(([instanceId, ids]) => [
      instanceId,
      ids.map((volumeId) => ({ volumeId, sizeBytes: sizes.get(volumeId) ?? 0 })),
    ]),
  );
}

function volumeIds({ BlockDeviceMappings = [], RootDeviceName }: Instance): string[] {
  return BlockDeviceMappings.filter(({ DeviceName }) => DeviceName !== RootDeviceName)
    .sort((a, b) => (a.DeviceName ?? "").localeCompare(b.DeviceName ?? ""))
    .flatMap(({ Ebs }) => Ebs?.VolumeId ?? []);
}
