import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { containersOf } from "../machine/nodeContainers";
import { type Method, serverStream, unary } from "../rpc/method";
import { Queue } from "../rpc/queue";
import { RpcError } from "../rpc/rpcError";
import { type KernelLine, LineLog } from "../runtime/logBook";
import { chunksOf } from "./chunks";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Methods for logs of services, containers and the kernel. */
export function logMethods({ state }: MethodContext): Method[] {
  const { logs } = state.uptime;
  return [
    serverStream(service.Logs, async function* (request, { signal }) {
      const { namespace, id, follow, tailLines } = request;
      const isService = namespace === "system" || id === "kubelet";
      const log = isService ? logs.find(id) : containerLog(state, request);
      if (!log) {
        throw new RpcError(status.UNKNOWN, `log ${JSON.stringify(id)} was not registered`);
      }
      const queue = new Queue<string>();
      const end = follow ? log.subscribe((line) => queue.push(line)) : undefined;
      try {
        const past = log.tail(tailLines < 0 ? undefined : tailLines);
        const text = past.map((line) => `${line}\n`).join("");
        for (const bytes of chunksOf(Buffer.from(text))) {
          yield { bytes };
        }
        if (!follow) {
          return;
        }
        for await (const line of queue.drain(signal)) {
          yield { bytes: Buffer.from(`${line}\n`) };
        }
      } finally {
        end?.();
      }
    }),
    unary(service.LogsContainers, () => ({ messages: [{ ids: [...logs.ids] }] })),
    serverStream(service.Dmesg, async function* ({ follow, tail }, { signal }) {
      const queue = new Queue<KernelLine>();
      const end = follow ? logs.kernel.subscribe((line) => queue.push(line)) : undefined;
      try {
        if (!tail) {
          yield* logs.kernel.tail().map(kernelMessage);
        }
        if (!follow) {
          return;
        }
        for await (const line of queue.drain(signal)) {
          yield kernelMessage(line);
        }
      } finally {
        end?.();
      }
    }),
  ];
}

function kernelMessage({ facility, priority, at, text }: KernelLine): { bytes: Buffer } {
  const stamp = at.toISOString();
  return { bytes: Buffer.from(`${facility}: ${priority.padStart(7)}: [${stamp}]: ${text}\n`) };
}

/**
 * The log of a pod's container: one line about its start, or what a static pod wrote before it ended.
 * Throws `UNKNOWN` for an unknown container.
 */
function containerLog(
  state: MethodContext["state"],
  { namespace, id, driver }: Parameters<typeof containersOf>[1] & { readonly id: string },
): LineLog<string> {
  const container = containersOf(state, { namespace, driver }).find(
    (candidate) => candidate.id === id || candidate.id.startsWith(`${id}:`),
  );
  const dead = container ? undefined : state.deadContainerLog(id);
  if (dead) {
    const log = new LineLog<string>(dead.length);
    dead.forEach((line) => log.append(line));
    return log;
  }
  if (!container) {
    throw new RpcError(status.UNKNOWN, `container ${JSON.stringify(id)} not found`);
  }
  const log = new LineLog<string>(1);
  log.append(`${container.startedAt.toISOString()} stderr F ${container.name} started`);
  return log;
}
