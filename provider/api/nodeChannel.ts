import { Client, connectivityState, type ClientOptions } from "@grpc/grpc-js";
import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import type { ConnectionWatch } from "./nodeConnector";
import { NodeCredentials } from "./nodeCredentials";

/**
 * The largest message that the Talos API accepts or sends (Talos v1.12.1,
 * constants.GRPCMaxMessageSize).
 */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The number of bytes that a machine may send without an acknowledgement, per connection and per
 * reply. A control plane machine forwards for all others on one connection. With HTTP/2's 64 KiB,
 * configurations of a hundred machines would need one round trip after another. Apid uses the same
 * towards other machines (Talos v1.12.1, internal/app/apid/pkg/backend/apid.go).
 */
const WINDOW_BYTES = 32 * 65_535;

const clientOptions: ClientOptions = {
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  "grpc-node.flow_control_window": WINDOW_BYTES,
  // Firewalls and load balancers forget a connection with a silent stream (AWS' NLB after 350 s). A
  // Go server with default settings, such as Talos v1.12, closes connections with pings more often
  // than every five minutes. TCP's own keepalive detects dead machines.
  "grpc.keepalive_time_ms": 310_000,
  "grpc.keepalive_timeout_ms": 20_000,
  // The caller decides about a retry: Bootstrap must not be repeated.
  "grpc.enable_retries": 0,
  "grpc.service_config_disable_resolution": 1,
  // Each channel has its own connection, so closing the channel closes it.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_channelz": 0,
  // HTTP proxies only carry port 443. Private nodes are reached through tunnels.
  "grpc.enable_http_proxy": 0,
};

/** One gRPC channel to an endpoint, and so one connection at a time. */
export class NodeChannel {
  readonly client: Client;
  /** The observed state of its connections. */
  readonly watch: ConnectionWatch;

  constructor(endpoint: Endpoint, identity: ClientIdentity) {
    const credentials = new NodeCredentials(endpoint, identity);
    this.watch = credentials.watch;
    this.client = new Client(endpoint.target, credentials, clientOptions);
  }

  /** Whether there is a connection. */
  get isConnected(): boolean {
    return this.client.getChannel().getConnectivityState(false) === connectivityState.READY;
  }

  /**
   * Resolves to true once there is a connection, and to false once an attempt has failed; `watch`
   * contains the reason. It stays pending while the other side is silent or drops packets, so the
   * caller needs a time limit.
   */
  async connected(): Promise<boolean> {
    const channel = this.client.getChannel();
    for (;;) {
      const state = channel.getConnectivityState(false);
      if (state === connectivityState.READY) {
        return true;
      }
      if (state === connectivityState.TRANSIENT_FAILURE) {
        return false;
      }
      if (state === connectivityState.SHUTDOWN) {
        return false;
      }
      await new Promise<void>((resolve) => {
        channel.watchConnectivityState(state, Infinity, () => resolve());
        if (state === connectivityState.IDLE) {
          channel.getConnectivityState(true);
        }
      });
    }
  }

  close(): void {
    this.client.close();
  }
}
