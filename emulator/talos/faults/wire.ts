import type { Socket } from "node:net";

/** A port of a machine, which faults can close and reopen. */
export interface WiredPort {
  /** Starts listening. Throws the errors of `listen`. */
  open(): Promise<void>;
  /** Stops listening, and closes all connections. */
  shut(): Promise<void>;
  /** Resets every connection (RST). */
  reset(): void;
}

/**
 * The network in front of a machine's ports. Without a fault it does nothing. Faults add up: a port that two
 * faults closed opens when the second one is lifted.
 */
export class Wire {
  private readonly ports = new Set<WiredPort>();
  private readonly latencies = new Map<symbol, number>();
  private readonly silences = new Set<symbol>();
  private shutters = 0;
  private drops: (port: number) => boolean = () => false;
  private waiting = new Set<() => void>();

  /** Whether every port is closed. */
  get isShut(): boolean {
    return this.shutters > 0;
  }

  /** Whether all traffic to and from the machine is dropped. */
  get isSilent(): boolean {
    return this.silences.size > 0;
  }

  /** Adds a port, and opens it unless all ports are closed. Throws the errors of `listen`. */
  async plug(port: WiredPort): Promise<void> {
    this.ports.add(port);
    if (!this.isShut) {
      await port.open();
    }
  }

  /** Removes a port. */
  unplug(port: WiredPort): void {
    this.ports.delete(port);
  }

  /** Closes all ports. Returns a function that reopens them. */
  async shut(): Promise<() => Promise<void>> {
    this.shutters += 1;
    await Promise.all([...this.ports].map((port) => port.shut()));
    return async () => {
      this.shutters -= 1;
      if (!this.isShut) {
        await Promise.all([...this.ports].map((port) => port.open()));
      }
    };
  }

  /** Leaves all traffic unanswered. Returns a function that ends it: pending calls are answered then. */
  silence(): () => void {
    const silence = Symbol();
    this.silences.add(silence);
    return () => {
      this.silences.delete(silence);
      this.wake();
    };
  }

  /**
   * Has the machine's own firewall drop new connections to some ports, from now on.
   *
   * @param drops called at each connection. Default: none
   */
  filter(drops: (port: number) => boolean = () => false): void {
    this.drops = drops;
  }

  /** Delays each connection and each call. Returns a function that ends it. */
  slow(latencyMs: number): () => void {
    const latency = Symbol();
    this.latencies.set(latency, latencyMs);
    return () => {
      this.latencies.delete(latency);
    };
  }

  /** Resets every connection (RST). */
  reset(): void {
    for (const port of this.ports) {
      port.reset();
    }
  }

  /** Passes a new connection on, when the faults and the machine's firewall allow it. */
  take(socket: Socket, deliver: () => void): void {
    if (this.drops(socket.localPort ?? 0)) {
      // Nobody answers, and the client gives up.
      return;
    }
    if (!this.isSilent && this.latencyMs === 0) {
      deliver();
      return;
    }
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    void this.passage(gone.signal).then(() => {
      if (!socket.destroyed) {
        deliver();
      }
    });
  }

  /** Resolves when the faults let traffic pass, or when its receiver is gone. */
  async passage(signal: AbortSignal): Promise<void> {
    if (this.latencyMs > 0) {
      await pause(this.latencyMs, signal);
    }
    while (this.isSilent && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  private get latencyMs(): number {
    return [...this.latencies.values()].reduce((sum, latencyMs) => sum + latencyMs, 0);
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = new Set();
    for (const resolve of waiting) {
      resolve();
    }
  }
}

/** Ends early when the receiver is gone. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) {
      end();
    }
  });
}
