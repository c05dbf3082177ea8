/** The last lines of an endless log. */
export class LineLog<Line> {
  private readonly capacity: number;
  private readonly listeners = new Set<(line: Line) => void>();
  private lines: Line[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Adds a line. The oldest one is dropped beyond the capacity. */
  append(line: Line): void {
    this.lines.push(line);
    if (this.lines.length > 2 * this.capacity) {
      this.lines = this.lines.slice(-this.capacity);
    }
    for (const listener of [...this.listeners]) {
      listener(line);
    }
  }

  /** The last lines, oldest first: all kept ones, or at most `count`. */
  tail(count = this.capacity): readonly Line[] {
    return count <= 0 ? [] : this.lines.slice(-Math.min(count, this.capacity));
  }

  /** Calls the listener for each new line, until the returned function is called. */
  subscribe(listener: (line: Line) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** A line of the kernel's log. */
export interface KernelLine {
  readonly facility: "kern" | "user" | "daemon";
  readonly priority: "err" | "warning" | "notice" | "info";
  readonly at: Date;
  readonly text: string;
}

/** The number of kept lines per log: enough for a boot, and little for hundreds of machines. */
const MAX_LINES = 400;

/** The logs of a machine since its kernel started. */
export class LogBook {
  /** The log of `dmesg`. */
  readonly kernel = new LineLog<KernelLine>(MAX_LINES);
  private readonly services = new Map<string, LineLog<string>>();

  /** Ids of logs with lines. */
  get ids(): readonly string[] {
    return [...this.services.keys()].sort();
  }

  /** The log with that id, if it has lines. */
  find(id: string): LineLog<string> | undefined {
    return this.services.get(id);
  }

  /** Writes a line of a service. */
  write(id: string, line: string): void {
    let log = this.services.get(id);
    if (!log) {
      log = new LineLog(MAX_LINES);
      this.services.set(id, log);
    }
    log.append(line);
  }

  /**
   * Writes a line of machined: to its own log with a timestamp, and to the kernel's log, which the
   * console shows (talos v1.12.1, `kmsg.SetupLogger`).
   */
  talos(text: string): void {
    const at = new Date();
    this.write("machined", `${logStamp(at)} [talos] ${text}`);
    this.kernel.append({ facility: "user", priority: "warning", at, text: `[talos] ${text}` });
  }

  /** Logs an answered call, only in machined's own log. */
  call(text: string): void {
    this.write("machined", `${logStamp(new Date())} machined ${text}`);
  }
}

/** A time in the format of Go's logger: `2026/11/21 12:18:13.840697`. */
export function logStamp(at: Date): string {
  const [date = "", time = ""] = at.toISOString().split("T");
  return `${date.replaceAll("-", "/")} ${time.replace("Z", "000")}`;
}
