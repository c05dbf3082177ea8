import { inputProblems } from "../configError";
import { isDnsName } from "../rules/names";
import { isAddress } from "../schema/formats";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** Where machines get the time from. */
export interface TimeServersOptions {
  /**
   * Time servers, names or addresses, such as `169.254.169.123` on AWS. A machine waits for the time
   * before it starts etcd or the kubelet. Default: on AWS, since Talos v1.12, `169.254.169.123`; else
   * time.cloudflare.com.
   */
  readonly timeServers?: readonly string[] | undefined;
}

/** A machine's time servers: `TimeSyncConfig`, or `machine.time` in older contracts. */
export const timeServers: Generator<TimeServersOptions> = {
  check: ({ timeServers: servers = [] }) =>
    servers.flatMap((server, index) =>
      inputProblems(
        ["timeServers", index],
        isAddress(server) || isDnsName(server)
          ? undefined
          : `${JSON.stringify(server)} is no time server: write a name or an IP address, like "169.254.169.123"`,
      ),
    ),

  generate({ timeServers: servers = [] }, { networkDocuments }) {
    if (servers.length === 0) {
      return {};
    }
    return networkDocuments
      ? { documents: [configDocument("TimeSyncConfig", { ntp: { servers } })] }
      : { config: mapping({ machine: { time: { servers } } }) };
  },
};
