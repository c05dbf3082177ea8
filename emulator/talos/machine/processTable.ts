import { memoryBytesOf } from "./footprint";
import { containersOf } from "./nodeContainers";
import type { NodeState } from "./nodeState";
import { pidOf, recipeOf } from "./serviceCatalog";

/** A process of a node. */
export interface NodeProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** The first 15 characters of the program's name, as in the kernel. */
  readonly command: string;
  readonly executable: string;
  readonly args: string;
  readonly threads: number;
  readonly residentBytes: number;
  readonly virtualBytes: number;
  readonly cpuSeconds: number;
}

/** Programs of services in containers, by their images. */
const containerPrograms: Readonly<Record<string, string>> = {
  apid: "/apid",
  trustd: "/trustd",
  etcd: "/usr/local/bin/etcd",
  kubelet: "/usr/local/bin/kubelet",
};

/** Go programs reserve about this multiple of their memory. */
const VIRTUAL_FACTOR = 16;
const THREADS_EACH = 12;
/** A hundredth of a processor each. */
const LOAD = 0.01;

/** The processes of a node by id: init, its services and the kubelet's containers. */
export function processesOf(node: NodeState): NodeProcess[] {
  const uptimeSeconds = (Date.now() - node.uptime.startedAt.getTime()) / 1000;
  const running = node.services.list().filter(({ state }) => state === "Running");
  const services = running.flatMap(({ id }) => {
    const runner = recipeOf(id)?.runner;
    const args =
      typeof runner === "object" ? runner : [containerPrograms[id] ?? ""].filter(Boolean);
    return args.length > 0
      ? [newProcess(pidOf(id), args, memoryBytesOf(id), uptimeSeconds * LOAD)]
      : [];
  });
  const pods = containersOf(node, { namespace: "k8s.io", driver: "CRI" }).map((container) =>
    container.status === "SANDBOX_READY"
      ? newProcess(container.pid, ["/pause"], 0, 0)
      : newProcess(
          container.pid,
          [`/usr/local/bin/${container.name}`],
          container.memoryBytes,
          container.cpuNanoseconds / 1e9,
        ),
  );
  const init = newProcess(1, ["/sbin/init"], memoryBytesOf("machined"), uptimeSeconds * LOAD);
  return [init, ...services, ...pods].sort((a, b) => a.pid - b.pid);
}

function newProcess(
  pid: number,
  args: readonly string[],
  residentBytes: number,
  cpuSeconds: number,
): NodeProcess {
  const [executable = ""] = args;
  return {
    pid,
    parentPid: pid === 1 ? 0 : 1,
    command: executable.slice(executable.lastIndexOf("/") + 1).slice(0, 15),
    executable,
    args: args.join(" "),
    threads: THREADS_EACH,
    residentBytes,
    virtualBytes: residentBytes * VIRTUAL_FACTOR,
    cpuSeconds,
  };
}
