import { inputProblems } from "../configError";
import { isAddress } from "../formats";
import { isDnsName } from "../rules/names";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** A machine's time servers: `TimeSyncConfig`, or `machine.time` in older contracts. */
export const timeServers: Generator = {
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
