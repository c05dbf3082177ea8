import type { Cancellation } from "./callOptions";
import type { ClientIdentity } from "./clientIdentity";
import type { ChannelUse, ConnectionPool } from "./connectionPool";
import type { Endpoint } from "./endpoint";
import type { NodeChannel } from "./nodeChannel";
import { retryDecision } from "./retryPolicy";
import { TalosApiError, type CallContext } from "./talosApiError";

/** The endpoints, and how to connect to them. */
export interface EndpointDialerOptions {
  /** The endpoints in the order in which they are tried. Not empty. */
  readonly endpoints: readonly Endpoint[];
  readonly identity: ClientIdentity;
  readonly pool: ConnectionPool;
}

/** The call that needs a connection. */
export interface DialRequest {
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly cancellation: Cancellation;
  /** The call's context for an error, by the endpoint. */
  readonly contextOf: (endpoint: Endpoint) => CallContext;
}

/** A connection for one call. */
export interface DialledEndpoint {
  readonly endpoint: Endpoint;
  readonly use: ChannelUse;
}

/** The time limit for one endpoint to accept a connection while there is another to try. */
const FAILOVER_AFTER_MS = 4_000;

/**
 * Finds an endpoint that accepts a connection, starting with the one that did last. Nothing is sent
 * before a connection exists, so trying another endpoint repeats nothing.
 */
export class EndpointDialer {
  /** The endpoint that is tried first. */
  preferred: Endpoint;

  constructor(private readonly options: EndpointDialerOptions) {
    const [first] = options.endpoints;
    if (!first) {
      throw new Error("there is no Talos endpoint to dial: give at least one");
    }
    this.preferred = first;
  }

  /**
   * Raises a `TalosApiError` with each endpoint's reason if none accepts a connection in time.
   * Raises one with code `cancelled` if it is cancelled first.
   */
  async dial(request: DialRequest): Promise<DialledEndpoint> {
    const { preferred } = this;
    const others = this.options.endpoints.filter((endpoint) => endpoint !== preferred);
    const failures: TalosApiError[] = [];
    for (const [index, endpoint] of [preferred, ...others].entries()) {
      const remainingMs = Math.max(0, request.deadline - Date.now());
      const remaining = others.length + 1 - index;
      if (remainingMs === 0 && failures.length > 0) {
        break;
      }
      const limitMs =
        remaining === 1 ? remainingMs : Math.min(FAILOVER_AFTER_MS, remainingMs / remaining);
      const result = await this.dialOne(endpoint, limitMs, request);
      if (!(result instanceof TalosApiError)) {
        this.preferred = endpoint;
        return { endpoint, use: result };
      }
      failures.push(result);
    }
    throw TalosApiError.ofEndpoints(
      failures,
      // If one of them can recover, a retry makes sense.
      failures.find((failure) => retryDecision(failure).retry),
    );
  }

  private async dialOne(
    endpoint: Endpoint,
    limitMs: number,
    { cancellation, contextOf }: DialRequest,
  ): Promise<ChannelUse | TalosApiError> {
    const use = this.options.pool.enter(endpoint, this.options.identity);
    if (use.channel.isConnected && !cancellation.isCancelled) {
      return use;
    }
    const outcome = await connectionOutcome(use.channel, limitMs, cancellation);
    if (outcome === "connected") {
      return use;
    }
    const { watch } = use.channel;
    // grpc-js would wait longer after each attempt and repeat the old failure meanwhile. A new call
    // must see the node's current state.
    use.drop();
    use.leave();
    const context = { ...contextOf(endpoint), watch, timeoutMs: limitMs };
    if (outcome === "cancelled") {
      throw TalosApiError.cancelled(context);
    }
    return TalosApiError.notConnected(context, { timedOut: outcome === "timedOut" });
  }
}

/** The first of these: a connection, its failure, the deadline, a cancellation. */
async function connectionOutcome(
  channel: NodeChannel,
  limitMs: number,
  cancellation: Cancellation,
): Promise<"connected" | "failed" | "timedOut" | "cancelled"> {
  if (cancellation.isCancelled) {
    return "cancelled";
  }
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      channel.connected().then((isConnected) => (isConnected ? "connected" : "failed")),
      new Promise<"timedOut">((resolve) => {
        timer = setTimeout(() => resolve("timedOut"), limitMs);
      }),
      new Promise<"cancelled">((resolve) => {
        cancellation.listen(() => resolve("cancelled"));
      }),
    ]);
  } finally {
    clearTimeout(timer);
    cancellation.listen(undefined);
  }
}
