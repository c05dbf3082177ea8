import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import { NodeChannel } from "./nodeChannel";

/** A call's use of a channel. */
export interface ChannelUse {
  readonly channel: NodeChannel;
  /** Ends the use. Must be called once. */
  readonly leave: () => void;
  /**
   * Makes later calls use another channel, because this one's connection is broken. Call it before
   * `leave`.
   */
  readonly drop: () => void;
}

interface Entry {
  readonly key: string;
  readonly channel: NodeChannel;
  callCount: number;
  idleTimer?: NodeJS.Timeout;
}

/**
 * Connections that calls share: one per endpoint and identity, however many clients and calls there
 * are. Calls are counted, not clients, so a client that is never closed leaks nothing. A connection
 * is closed when no call has used it for a while.
 */
export class ConnectionPool {
  private readonly entries = new Map<string, Entry>();

  /** The default of `idleMs` suits waits that ask a node every second or two. */
  constructor(private readonly idleMs = 5_000) {}

  /** A channel for one call to the endpoint. Does not connect yet. */
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
    if (entry.callCount > 0) {
      return;
    }
    if (!this.isCurrent(entry)) {
      entry.channel.close();
      return;
    }
    const close = () => {
      this.drop(entry);
      entry.channel.close();
    };
    // The timer must not keep a program running. Idle connections don't either, because grpc-js
    // unrefs them.
    entry.idleTimer = setTimeout(close, this.idleMs).unref();
  }

  /** Running calls finish on the channel; the last one closes it. */
  private drop(entry: Entry): void {
    if (this.isCurrent(entry)) {
      this.entries.delete(entry.key);
    }
  }

  private isCurrent(entry: Entry): boolean {
    return this.entries.get(entry.key) === entry;
  }
}
