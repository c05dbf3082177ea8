import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import { serverStream, unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Go of the Talos v1.12.1 release. */
const goVersion = "go1.25.5";

/** What a node says of itself outside its resources. */
export function informationMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.Version, () => ({
      messages: [
        {
          version: {
            tag: state.talosVersion,
            // Where a release has its commit, so that nobody takes this for one.
            sha: "emulated",
            goVersion,
            os: "linux",
            arch: state.hardware.architecture,
          },
          platform: { name: "aws", mode: "cloud" },
          features: { rbac: true },
        },
      ],
    })),
    unary(service.Hostname, () => ({ messages: [{ hostname: state.hostname.hostname }] })),
    serverStream(service.Read, async function* ({ path }) {
      yield await Promise.resolve({ bytes: Buffer.from(readFile(path, state.uptime.bootId)) });
    }),
  ];
}

/** The one file clients need: it tells whether a machine has rebooted. */
function readFile(path: string, bootId: string): string {
  if (path === "/proc/sys/kernel/random/boot_id") return `${bootId}\n`;
  throw new RpcError(status.NOT_FOUND, `stat ${path}: no such file or directory`);
}
