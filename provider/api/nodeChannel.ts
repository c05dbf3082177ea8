import { Client, connectivityState, type ClientOptions } from "@grpc/grpc-js";
import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import type { ConnectionWatch } from "./nodeConnector";
import { NodeCredentials } from "./nodeCredentials";

/** The largest message the Talos API takes or sends (Talos v1.12.1, constants.GRPCMaxMessageSize). */
const maxMessageBytes = 32 * 1024 * 1024;

/**
 * How much a machine may send before this side has said that it has read some, on a connection and for
 * each reply. A control plane machine forwards for all the others on one connection: with HTTP/2's
 * 64 KiB, configurations of a hundred machines would wait for one round trip after the other. As apid
 * has it towards other machines (Talos v1.12.1, internal/app/apid/pkg/backend/apid.go).
 */
const windowBytes = 32 * 65_535;

const clientOptions: ClientOptions = {
  "grpc.max_receive_message_length": maxMessageBytes,
  "grpc.max_send_message_length": maxMessageBytes,
  "grpc-node.flow_control_window": windowBytes,
  // Against firewalls and load balancers that forget a connection with a quiet stream (AWS' NLB
  // after 350 s). A Go server with default settings, as Talos v1.12 is, ends connections that are
  // pinged more often than every five minutes. Dead machines are noticed by TCP's own keepalive.
  "grpc.keepalive_time_ms": 310_000,
  "grpc.keepalive_timeout_ms": 20_000,
  // Whether a call may be repeated is for the caller to say: Bootstrap may not.
  "grpc.enable_retries": 0,
  "grpc.service_config_disable_resolution": 1,
  // A channel has its own connection, so that closing it closes that.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_channelz": 0,
  // An office's HTTP proxy carries port 443; to reach a private node there are tunnels.
  "grpc.enable_http_proxy": 0,
};

/** One gRPC channel to an endpoint, and so one connection at a time. */
export class NodeChannel {
  readonly client: Client;
  /** What was seen of its connections. */
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
   * Resolves to true once there is a connection, at once if there is one, and to false as soon as
   * an attempt to connect has failed; `watch` tells why. Pending for as long as the other side
   * drops packets or stays silent: who waits sets a limit.
   */
  async connected(): Promise<boolean> {
    const channel = this.client.getChannel();
    for (;;) {
      const state = channel.getConnectivityState(false);
      if (state === connectivityState.READY) return true;
      if (state === connectivityState.TRANSIENT_FAILURE) return false;
      if (state === connectivityState.SHUTDOWN) return false;
      await new Promise<void>((resolve) => {
        channel.watchConnectivityState(state, Infinity, () => resolve());
        if (state === connectivityState.IDLE) channel.getConnectivityState(true);
      });
    }
  }

  close(): void {
    this.client.close();
  }
}
