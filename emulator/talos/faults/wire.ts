import type { Socket } from "node:net";

/** A port of a machine, which its wire can close and open again. */
export interface WiredPort {
  /** Takes connections. Raises what `listen` raises. */
  open(): Promise<void>;
  /** Takes no more connections, and cuts those there are. */
  shut(): Promise<void>;
  /** Cuts every connection with a reset (RST). */
  reset(): void;
}

/**
 * What is between a machine's ports and everybody else. Without a fault it does nothing. Faults add
 * up: a port that two of them shut opens when the second is lifted.
 */
export class Wire {
  readonly #ports = new Set<WiredPort>();
  readonly #latencies = new Map<symbol, number>();
  readonly #silences = new Set<symbol>();
  #shutters = 0;
  #waiting = new Set<() => void>();

  /** Whether every port is closed. */
  get isShut(): boolean {
    return this.#shutters > 0;
  }

  /** Whether nothing gets through, neither to the machine nor from it. */
  get isSilent(): boolean {
    return this.#silences.size > 0;
  }

  /** Connects a port, and opens it unless all are shut. Raises what `listen` raises. */
  async plug(port: WiredPort): Promise<void> {
    this.#ports.add(port);
    if (!this.isShut) await port.open();
  }

  /** Forgets a port that has ended. */
  unplug(port: WiredPort): void {
    this.#ports.delete(port);
  }

  /** Closes all ports. Gives what opens them again. */
  async shut(): Promise<() => Promise<void>> {
    this.#shutters += 1;
    await Promise.all([...this.#ports].map((port) => port.shut()));
    return async () => {
      this.#shutters -= 1;
      if (!this.isShut) await Promise.all([...this.#ports].map((port) => port.open()));
    };
  }

  /** Leaves whatever comes without an answer. Gives what ends it: what still waits is answered then. */
  silence(): () => void {
    const silence = Symbol();
    this.#silences.add(silence);
    return () => {
      this.#silences.delete(silence);
      this.#wake();
    };
  }

  /** Passes each connection and each call on that much later. Gives what ends it. */
  slow(latencyMs: number): () => void {
    const latency = Symbol();
    this.#latencies.set(latency, latencyMs);
    return () => {
      this.#latencies.delete(latency);
    };
  }

  /** Cuts every connection with a reset (RST). */
  reset(): void {
    for (const port of this.#ports) port.reset();
  }

  /** Passes a new connection on, once the faults let it. */
  take(socket: Socket, deliver: () => void): void {
    if (!this.isSilent && this.#latencyMs === 0) {
      deliver();
      return;
    }
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    void this.passage(gone.signal).then(() => {
      if (!socket.destroyed) deliver();
    });
  }

  /** Resolves when the faults let traffic pass, or when its receiver is gone. */
  async passage(signal: AbortSignal): Promise<void> {
    if (this.#latencyMs > 0) await pause(this.#latencyMs, signal);
    while (this.isSilent && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  get #latencyMs(): number {
    return [...this.#latencies.values()].reduce((sum, latencyMs) => sum + latencyMs, 0);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
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
    if (signal.aborted) end();
  });
}
