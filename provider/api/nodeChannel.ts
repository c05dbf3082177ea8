import { Client, type ClientOptions } from "@grpc/grpc-js";
import type { Endpoint } from "./endpoint";
import type { ConnectionWatch } from "./nodeConnector";
import type { NodeCredentials } from "./nodeCredentials";

/** The largest message the Talos API takes or sends (Talos v1.12.1, constants.GRPCMaxMessageSize). */
const maxMessageBytes = 32 * 1024 * 1024;

const clientOptions: ClientOptions = {
  "grpc.max_receive_message_length": maxMessageBytes,
  "grpc.max_send_message_length": maxMessageBytes,
  // Calls are short and have deadlines, so keepalive only serves long streams. A Go server with
  // default settings, as Talos v1.12 is, ends connections that are pinged more often than every
  // five minutes.
  "grpc.keepalive_time_ms": 310_000,
  "grpc.keepalive_timeout_ms": 20_000,
  // Whether a call may be repeated is for the caller to say: Bootstrap may not.
  "grpc.enable_retries": 0,
  "grpc.service_config_disable_resolution": 1,
  // A channel has its own connections, so that closing it closes them.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_channelz": 0,
  // An office's HTTP proxy carries port 443; to reach a private node there are tunnels.
  "grpc.enable_http_proxy": 0,
};

/** One gRPC channel to a node, closed when it is retired and its last call is over. */
export class NodeChannel {
  readonly client: Client;
  /** What was seen of its connections. */
  readonly watch: ConnectionWatch;
  private callCount = 0;
  private isRetired = false;

  constructor(endpoint: Endpoint, credentials: NodeCredentials) {
    this.watch = credentials.watch;
    this.client = new Client(endpoint.target, credentials, clientOptions);
  }

  /** Counts a call in. The function that is returned counts it out and must be called once. */
  enter(): () => void {
    this.callCount += 1;
    return () => {
      this.callCount -= 1;
      this.closeIfUnused();
    };
  }

  /** Lets the running calls finish, then closes. No call may enter after that. */
  retire(): void {
    this.isRetired = true;
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (this.isRetired && this.callCount === 0) this.client.close();
  }
}
