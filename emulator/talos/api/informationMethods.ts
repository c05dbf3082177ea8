import { protocol } from "../../../provider/api/protocol";
import { unary, type Method } from "../rpc/method";
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
  ];
}
