import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import { NodeChannel } from "./nodeChannel";

/** The use of a channel by one call. */
export interface ChannelUse {
  readonly channel: NodeChannel;
  /** Ends the use; to be called once. */
  readonly leave: () => void;
  /** Has later calls get another channel, as this one's connection is of no use. Before `leave`. */
  readonly drop: () => void;
}

interface Entry {
  readonly key: string;
  readonly channel: NodeChannel;
  callCount: number;
  idleTimer?: NodeJS.Timeout;
}

/**
 * Connections that calls share: one for each endpoint and identity, however many clients there are
 * and calls run. Calls are counted, not clients, so that a client that nobody closes leaks nothing:
 * a connection is closed when no call has used it for a while.
 */
export class ConnectionPool {
  private readonly entries = new Map<string, Entry>();

  /** Default for `idleMs`: long enough for a wait that asks a node every second or two. */
  constructor(private readonly idleMs = 5_000) {}

  /** A channel for one call to the endpoint. Dials nothing yet. */
  enter(endpoint: Endpoint, identity: ClientIdentity): ChannelUse {
    const key = `${identity.fingerprint} ${endpoint.target} ${endpoint.otherName ?? ""}`;
    const entry = this.entries.get(key) ?? {
      key,
      channel: new NodeChannel(endpoint, identity),
      callCount: 0,
    };
    this.entries.set(key, entry);
    clearTimeout(entry.idleTimer);
    entry.callCount += 1;
    return {
      channel: entry.channel,
      leave: () => this.leave(entry),
      drop: () => this.drop(entry),
    };
  }

  private leave(entry: Entry): void {
    entry.callCount -= 1;
    if (entry.callCount > 0) return;
    if (!this.isCurrent(entry)) {
      entry.channel.close();
      return;
    }
    const close = () => {
      this.drop(entry);
      entry.channel.close();
    };
    // It must not keep a program from ending; neither do idle connections, which grpc-js unrefs.
    entry.idleTimer = setTimeout(close, this.idleMs).unref();
  }

  /** Running calls finish on it; the last one to leave closes it. */
  private drop(entry: Entry): void {
    if (this.isCurrent(entry)) this.entries.delete(entry.key);
  }

  private isCurrent(entry: Entry): boolean {
    return this.entries.get(entry.key) === entry;
  }
}
