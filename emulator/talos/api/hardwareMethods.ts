import { protocol } from "../../../provider/api";
import type { CPUInfo } from "../../../provider/api/gen/machine/CPUInfo";
import { rootDisk, disksOf } from "../machine/disks";
import { instanceSize } from "../machine/instanceSize";
import { mountsOf } from "../machine/mountTable";
import type { NodeState } from "../machine/nodeState";
import { processesOf } from "../machine/processTable";
import { type Method, unary } from "../rpc/method";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

const KIBIBYTE = 1024;
/** The caches of a node that has run for a while: a quarter of the free memory. */
const CACHED_PART = 0.25;
const bufferBytes = 24 * 1024 * KIBIBYTE;
const sharedBytes = 8 * 1024 * KIBIBYTE;
/** Network interfaces of a Nitro instance. */
const interfaces = ["ens5", "lo"];

/** The processor of sixth generation Intel instances. ARM instances report no such names. */
const intel: CPUInfo = {
  vendorId: "GenuineIntel",
  cpuFamily: "6",
  model: "106",
  modelName: "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz",
  stepping: "6",
  cpuMhz: 2900,
  cacheSize: "55296 KB",
};

/** Methods for the machine's hardware and its usage. */
export function hardwareMethods({ state }: MethodContext): Method[] {
  const { instanceType, architecture } = state.hardware;
  const { processors, memoryBytes } = instanceSize(instanceType);
  const uptimeSeconds = () => (Date.now() - state.uptime.startedAt.getTime()) / 1000;
  const busySeconds = () => processesOf(state).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const processorTimes = (count: number) => {
    const user = busySeconds();
    return { user, idle: Math.max(0, uptimeSeconds() * count - user) };
  };
  return [
    unary(service.Memory, () => {
      const used = processesOf(state).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
      const rest = memoryBytes - used - bufferBytes;
      const cached = rest * CACHED_PART;
      const kib = (bytes: number) => `${Math.max(0, Math.round(bytes / KIBIBYTE))}`;
      const meminfo = {
        memtotal: kib(memoryBytes),
        memfree: kib(rest - cached),
        memavailable: kib(rest),
        buffers: kib(bufferBytes),
        cached: kib(cached),
        shmem: kib(sharedBytes),
        anonpages: kib(used),
      };
      return { messages: [{ meminfo }] };
    }),
    unary(service.CPUInfo, () => ({
      messages: [
        {
          cpuInfo: Array.from({ length: processors }, (_, processor) => ({
            ...(architecture === "amd64" ? intel : {}),
            processor,
            physicalId: "0",
            coreId: `${Math.floor(processor / 2)}`,
            siblings: processors,
            cpuCores: Math.max(1, processors / 2),
          })),
        },
      ],
    })),
    unary(service.LoadAvg, () => {
      const load = busySeconds() / Math.max(1, uptimeSeconds());
      return { messages: [{ load1: load, load5: load, load15: load }] };
    }),
    unary(service.SystemStat, () => ({
      messages: [
        {
          bootTime: `${Math.floor(state.uptime.startedAt.getTime() / 1000)}`,
          cpuTotal: processorTimes(processors),
          cpu: Array.from({ length: processors }, () => {
            const { user, idle } = processorTimes(processors);
            return { user: user / processors, idle: idle / processors };
          }),
          processCreated: `${processesOf(state).length}`,
          processRunning: "1",
        },
      ],
    })),
    unary(service.DiskStats, () => {
      const written = `${Math.round(uptimeSeconds() * 100)}`;
      const disk = { writeCompleted: written, writeSectors: written };
      return {
        messages: [{ total: disk, devices: [{ ...disk, name: rootDisk.name }] }],
      };
    }),
    unary(service.NetworkDeviceStats, () => {
      const bytes = `${Math.round(uptimeSeconds() * 1000)}`;
      const packets = `${Math.round(uptimeSeconds())}`;
      const traffic = { rxBytes: bytes, txBytes: bytes, rxPackets: packets, txPackets: packets };
      return {
        messages: [{ total: traffic, devices: interfaces.map((name) => ({ ...traffic, name })) }],
      };
    }),
    unary(service.Mounts, () => ({
      messages: [
        {
          stats: mountsOf(memoryBytes, state).map((mount) => ({
            filesystem: mount.source,
            size: `${mount.sizeBytes}`,
            available: `${mount.availableBytes}`,
            mountedOn: mount.target,
          })),
        },
      ],
    })),
    unary(service.Processes, () => ({
      messages: [
        {
          processes: processesOf(state).map((one) => ({
            pid: one.pid,
            ppid: one.parentPid,
            state: "S",
            threads: one.threads,
            cpuTime: one.cpuSeconds,
            virtualMemory: `${one.virtualBytes}`,
            residentMemory: `${one.residentBytes}`,
            command: one.command,
            executable: one.executable,
            args: one.args,
          })),
        },
      ],
    })),
  ];
}

const { service: storage } = protocol.storage.StorageService;

/** `storage.StorageService`: the disks of the machine. */
export function storageMethods({ hardware }: NodeState): Method[] {
  return [
    unary(storage.Disks, () => ({
      messages: [
        {
          disks: disksOf(hardware).map(({ path, name, sizeBytes, model, serial, isSystem }) => ({
            deviceName: path,
            name,
            size: `${sizeBytes}`,
            model,
            ...(serial !== undefined && { serial }),
            type: "NVME" as const,
            systemDisk: isSystem,
            subsystem: "/sys/class/block",
          })),
        },
      ],
    })),
  ];
}
