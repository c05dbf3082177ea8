import { ChannelCredentials, credentials } from "@grpc/grpc-js";
import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import { NodeConnector, type ConnectionWatch, type SecureConnector } from "./nodeConnector";

/**
 * The TLS side of one gRPC channel to a node. It also records the connection's progress and
 * failure, of which gRPC's status only has a text.
 */
export class NodeCredentials extends ChannelCredentials {
  /** The observed state of the channel's connections. */
  readonly watch: ConnectionWatch = { stage: "dialling", failure: undefined };

  constructor(
    private readonly endpoint: Endpoint,
    private readonly identity: ClientIdentity,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    ...[, , callCredentials]: Parameters<ChannelCredentials["_createSecureConnector"]>
  ): SecureConnector {
    return new NodeConnector({
      endpoint: this.endpoint,
      identity: this.identity,
      callCredentials: callCredentials ?? credentials.createEmpty(),
      watch: this.watch,
    });
  }
}
